// The wrong programs of an author, a package each. Their first lines say who must catch them:
// the compiler, the generator or vet with a code, go vet, or only a run. The test of jptoolgen
// adds the requirements of the repository.
module example.com/wrong

go 1.26

require github.com/jptool/jptool v0.0.0

replace github.com/jptool/jptool => ../../../..
