#!/bin/sh
# Runs unit tests as Windows programs under wine: those of the packages in the arguments, by default
# those of the runtime and the generator. Without wine, it compiles the tests and fails with a message.
set -eu
cd "$(dirname "$0")/../.."
export GOOS=windows GOARCH=amd64 CGO_ENABLED=0

[ $# -gt 0 ] || set -- ./sdk/... ./cmd/jptoolgen/internal/... ./internal/declared ./internal/odd ./internal/peer ./internal/phrase ./internal/rawjson
packages="$(go list "$@")"
go vet $packages ./internal/... ./cmd/jptoolgen/...

# These tests need something that wine lacks, or check behavior that only Unix has.
go_command='^(TestFormatsAreChecked|TestSourceDir|TestUnseen|TestCorpusIsFresh|TestShapes)$'
symbolic_links='^(TestLinks|TestLinksAreFollowed|TestLinksInsideATarget|TestLinksStayInside|TestLinkedLogin|TestNonRegularFilesAreRefused|TestRoots|TestCallIsConfined)$|^TestDecisionVectors$/^(symlink|external|canonical)$|^TestDecisionVectors$/root/is-symlink'
unix_names='^(TestPrint|TestParse|TestMistakes)$|^TestDecisionVectors$/unrestricted/none/^(newline|dots3|glob)$'
watched_directories='^TestWatchReportsRemovedDirectories$'
# The tests of package sdk start many server processes. The tests of package revision need git.
packages="$(echo "$packages" | grep -v -e '/jptool/sdk$' -e '/internal/revision$')"

if ! command -v wine >/dev/null; then
	echo 'windows: compiled but not run: wine is not installed (Debian: apt install wine64 wine)' >&2
	exit 1
fi

work="$(mktemp -d)"
export WINEPREFIX="$work/prefix" WINEDEBUG=-all
trap 'wineserver -k 2>/dev/null || true; rm -rf "$work"' EXIT
wine wineboot -i >/dev/null 2>&1
system="$WINEPREFIX/drive_c/windows/system32"
if [ ! -e "$system/bcryptprimitives.dll" ]; then
	if ! command -v x86_64-w64-mingw32-gcc >/dev/null; then
		echo 'windows: compiled but not run: wine lacks bcryptprimitives.dll, and x86_64-w64-mingw32-gcc, which can build it, is not installed (Debian: apt install gcc-mingw-w64-x86-64-win32)' >&2
		exit 1
	fi
	x86_64-w64-mingw32-gcc -shared -o "$system/bcryptprimitives.dll" internal/wine/prng.c -ladvapi32
fi

# Go deletes files with a system call that wine 8 lacks. The overlay makes it use the older one.
source="$(go env GOROOT)/src/internal/syscall/windows/at_windows.go"
sed 's/^var TestDeleteatFallback bool$/var TestDeleteatFallback = true/' "$source" >"$work/at_windows.go"
printf '{"Replace":{"%s":"%s"}}' "$source" "$work/at_windows.go" >"$work/overlay.json"

# Wine processes that outlive a test keep its output open, and go test would wait for them.
cat >"$work/run" <<'END'
#!/bin/sh
status=0
wine "$@" >"$WINEPREFIX/$$" 2>&1 </dev/null || status=$?
cat "$WINEPREFIX/$$"
exit $status
END
chmod +x "$work/run"

go test -exec "$work/run" -overlay "$work/overlay.json" -timeout 20m \
	-skip "$go_command|$symbolic_links|$unix_names|$watched_directories" $packages
