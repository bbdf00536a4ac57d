/* bcryptprimitives.dll for wine 8, which lacks it: Go's runtime takes its random numbers from there. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length); /* RtlGenRandom */

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length)
{
	return SystemFunction036(data, (ULONG)length);
}
