package breaking_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/breaking"
)

func report(t *testing.T) *breaking.Report {
	t.Helper()
	for _, p := range pairs(t) {
		if p.name == "several" {
			r, err := breaking.Compare(p.before, p.after)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
	}
	t.Fatal("the pair is missing")
	return nil
}

// The test checks what SARIF 2.1.0 requires of a log and what GitHub requires in addition: every result refers
// to its rule by id and index, and has a message and a location.
func TestSARIF(t *testing.T) {
	r := report(t)
	allowed, err := breaking.ReadAllowances([]byte(`[{"rule":"question-added","where":"note_create.question.duplicate","reason":"Asked for.","until":"2030-01-01"}]`))
	if err != nil {
		t.Fatal(err)
	}
	day := time.Date(2029, 5, 5, 0, 0, 0, 0, time.UTC)
	if expired := r.Allow(allowed, day); len(expired) > 0 {
		t.Fatalf("expired: %v", expired)
	}
	var b bytes.Buffer
	source := breaking.Source{Path: "notes/jp.lock.json", Text: []byte("{\n\"tools\": [\n{\"name\": \"note_create\"}]}"), Program: "v1"}
	if err := breaking.Print(&b, r, nil, breaking.SARIF, source); err != nil {
		t.Fatal(err)
	}
	var log struct {
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct {
					Name  string
					Rules []struct {
						ID               string
						ShortDescription struct{ Text string }
					}
				}
			}
			Results []struct {
				RuleID    string
				RuleIndex int
				Level     string
				Message   struct{ Text string }
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine int }
					}
					LogicalLocations []struct{ FullyQualifiedName string }
				}
				Suppressions []struct{ Kind, Justification string }
			}
		}
	}
	d := json.NewDecoder(&b)
	if err := d.Decode(&log); err != nil {
		t.Fatal(err)
	}
	if log.Version != "2.1.0" || len(log.Runs) != 1 || log.Runs[0].Tool.Driver.Name != "jptoolgen" {
		t.Fatalf("got %+v", log)
	}
	run, suppressed := log.Runs[0], 0
	if len(run.Results) != len(r.Changes) {
		t.Errorf("%d results for %d changes", len(run.Results), len(r.Changes))
	}
	for i, result := range run.Results {
		change := r.Changes[i]
		if rule := run.Tool.Driver.Rules[result.RuleIndex]; rule.ID != result.RuleID || rule.ID != change.Rule || rule.ShortDescription.Text == "" {
			t.Errorf("result %d has rule %s, but index %d is rule %s", i, result.RuleID, result.RuleIndex, rule.ID)
		}
		if want := map[breaking.Level]string{breaking.Breaking: "error", breaking.Compatible: "note", breaking.Words: "none"}[change.Level]; result.Level != want {
			t.Errorf("%s has level %s, want %s", result.RuleID, result.Level, want)
		}
		if len(result.Locations) != 1 || result.Locations[0].LogicalLocations[0].FullyQualifiedName != change.Where || result.Message.Text == "" {
			t.Fatalf("result %d has no location or no message: %+v", i, result)
		}
		if at := result.Locations[0].PhysicalLocation; at.ArtifactLocation.URI != "notes/jp.lock.json" || at.Region.StartLine != 3 {
			t.Errorf("%s has the location %+v", result.RuleID, at)
		}
		for _, s := range result.Suppressions {
			suppressed++
			if s.Kind != "external" || s.Justification != "Asked for." || result.RuleID != "question-added" {
				t.Errorf("%s is suppressed as %+v", result.RuleID, s)
			}
		}
	}
	if suppressed != 1 {
		t.Errorf("%d results are suppressed, want 1", suppressed)
	}
}

// An entry accepts its changes until the end of its last day and no longer.
func TestAllow(t *testing.T) {
	list, err := breaking.ReadAllowances([]byte(`[
		{"rule":"question-added","where":"note_create.*","reason":"Known.","until":"2027-03-31"},
		{"rule":"destructive-gained","where":"note_create.annotations.destructive","reason":"Known.","until":"2027-03-31"},
		{"rule":"input-removed","where":"*","reason":"No such change.","until":"2027-03-31"}]`))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		day     string
		expired int
	}{{"2027-03-31T23:59:59Z", 0}, {"2027-04-01T00:00:00Z", 3}} {
		today, err := time.Parse(time.RFC3339, tt.day)
		if err != nil {
			t.Fatal(err)
		}
		r := report(t)
		if !r.Unallowed() {
			t.Fatal("no change is breaking")
		}
		expired := r.Allow(list, today)
		if len(expired) != tt.expired || r.Unallowed() != (tt.expired > 0) {
			t.Errorf("on %s, %d entries have expired, and Unallowed returns %v", tt.day, len(expired), r.Unallowed())
		}
		if r.Level() != breaking.Breaking {
			t.Errorf("on %s the level is %s, want breaking although the change is accepted", tt.day, r.Level())
		}
	}
}

// Untrusted text must not end a code span or mention a user.
func TestMarkdownIsInert(t *testing.T) {
	r := &breaking.Report{Changes: []breaking.Change{{Rule: "tool-words", Level: breaking.Words, Where: "a", Detail: "was \"`|@team <b>\""}}}
	var b strings.Builder
	if err := breaking.Print(&b, r, nil, breaking.Markdown, breaking.Source{}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "`was \"'\\|@team <b>\"`") {
		t.Errorf("got %s", b.String())
	}
}
