package jptest_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/jptool/jptool/internal/fixture"
	"github.com/jptool/jptool/internal/fixture/studio"
	"github.com/jptool/jptool/sdk/jptest"
)

// suiteEnv is the environment variable that selects the package whose tests this binary simulates.
const suiteEnv = "JPTEST_PLAYED"

func TestMain(m *testing.M) {
	if how, ok := os.LookupEnv(suiteEnv); ok {
		os.Exit(jptest.Main(tests(how), 10))
	}
	os.Exit(m.Run())
}

// tests stands for the tests of a package; its value determines what they do.
type tests string

func (how tests) Run() int {
	if how == "fail" {
		return 3
	}
	run(func(t testing.TB) {
		if how == "little" || how == "enough" {
			kit(t).Call("fail", object{"how": "coded"})
		}
		if how == "enough" { // covers the tool order with another kit and wire
			newKit(t, jptest.MCP).Call("order", nil, jptest.Answer("which-flavor", "lemon"), jptest.Decline("scoops"))
		}
		if how == "nothing declared" {
			jptest.New(t, studio.NewServer(new(studio.Studio))).Call("describe", object{"image_id": "x"})
		}
	})
	return 0
}

func TestCoverageOfPackages(t *testing.T) {
	declared := 0
	for _, tool := range fixture.NewServer(&fixture.Fixture{}).Contract().Tools {
		declared += len(tool.Questions) + len(tool.Fails)
	}
	if declared != 25 {
		t.Fatalf("the fixture declares %d questions and codes; want 25, as below", declared)
	}
	for _, tc := range []struct {
		how    string
		args   []string
		status int
		want   string // "" for no output
	}{
		{"fail", nil, 3, ""},
		{"no calls", nil, 1, "jptest: no test called a tool through a kit"},
		{"little", nil, 1, "jptest: the tests cover 1 of 25 declared questions and error codes, want 10%; not seen:\n\tfixture: break asks first\n"},
		{"enough", nil, 0, ""},
	} {
		cmd := exec.Command(os.Args[0], tc.args...)
		cmd.Env = append(os.Environ(), suiteEnv+"="+tc.how)
		var errs strings.Builder
		cmd.Stderr = &errs
		if err := cmd.Run(); cmd.ProcessState == nil {
			t.Fatal(err)
		}
		_, said, _ := strings.Cut("\n"+errs.String(), "\njptest: ") // the log of the server comes first
		if status := cmd.ProcessState.ExitCode(); status != tc.status || !strings.HasPrefix("jptest: "+said, tc.want) || (said == "") != (tc.want == "") {
			t.Errorf("%s: status %d, %s; want %d, %s", tc.how, status, said, tc.status, tc.want)
		}
	}
}
