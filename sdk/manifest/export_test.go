package manifest

// The two ways in which Load reads a contract.
var (
	Scan     = scan
	LoadSlow = load
)
