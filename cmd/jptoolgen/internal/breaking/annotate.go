package breaking

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
)

// line returns the number of a tool's first line in the file, or 1 if the tool is not found.
func (s Source) line(tool string) int {
	name, err := json.Marshal(tool)
	if err != nil || tool == "" {
		return 1
	}
	at := bytes.Index(s.Text, append([]byte(`"name": `), name...))
	if at < 0 {
		return 1
	}
	return 1 + bytes.Count(s.Text[:at], []byte("\n"))
}

func (c Change) message() string {
	return c.Where + ": " + c.Says + sentence(c)
}

// printGitHub writes workflow commands. Accepted changes and changes to wording are notices. Only changes that
// make the command fail are errors.
func printGitHub(w io.Writer, r *Report, expired []Allowance, source Source) error {
	var b strings.Builder
	command := func(level, tool, title, message string) {
		var place []string
		if source.Path != "" {
			place = []string{"file=" + source.Path, fmt.Sprint("line=", source.line(tool))}
		}
		b.WriteString(diag.Annotation(level, title, message, place...) + "\n")
	}
	for _, c := range r.Changes {
		level, message := "notice", c.message()
		switch {
		case c.Allowed != "":
			message += " Accepted: " + Printable(c.Allowed)
		case c.Level == Breaking:
			level = "error"
		}
		command(level, c.Tool, c.Level.String()+" "+c.Rule, message)
	}
	for _, a := range expired {
		command("error", "", "expired "+a.Rule, Printable(a.String()))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// These types describe the parts of SARIF 2.1.0 (OASIS, sarif-v2.1.0-os) that the report uses.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver sarifDriver `json:"driver"`
		} `json:"tool"`
		Results []sarifResult `json:"results"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID            string    `json:"id"`
		Short         sarifText `json:"shortDescription"`
		Configuration struct {
			Level string `json:"level"`
		} `json:"defaultConfiguration"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID       string             `json:"ruleId"`
		RuleIndex    int                `json:"ruleIndex"`
		Level        string             `json:"level"`
		Message      sarifText          `json:"message"`
		Locations    []sarifLocation    `json:"locations"`
		Suppressions []sarifSuppression `json:"suppressions,omitempty"`
	}
	sarifLocation struct {
		Physical *sarifPhysical `json:"physicalLocation,omitempty"`
		Logical  []sarifLogical `json:"logicalLocations"`
	}
	sarifPhysical struct {
		Artifact struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
		Region struct {
			StartLine int `json:"startLine"`
		} `json:"region"`
	}
	sarifLogical struct {
		FullyQualifiedName string `json:"fullyQualifiedName"`
	}
	sarifSuppression struct {
		Kind          string `json:"kind"`
		Justification string `json:"justification"`
	}
)

// sarifLevel returns the SARIF name of a level.
func sarifLevel(l Level) string {
	switch l {
	case Breaking:
		return "error"
	case Compatible:
		return "note"
	}
	return "none"
}

func printSARIF(w io.Writer, r *Report, expired []Allowance, source Source) error {
	run := sarifRun{Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "jptoolgen", Version: source.Program, InformationURI: "https://github.com/jptool/jptool", Rules: []sarifRule{}}
	index := map[string]int{}
	for i, rule := range Rules() {
		s := sarifRule{ID: rule.ID, Short: sarifText{rule.Says}}
		s.Configuration.Level = sarifLevel(rule.Level)
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, s)
		index[rule.ID] = i
	}
	at := func(tool, where string) []sarifLocation {
		l := sarifLocation{Logical: []sarifLogical{{where}}}
		if source.Path != "" {
			l.Physical = new(sarifPhysical)
			l.Physical.Artifact.URI, l.Physical.Region.StartLine = source.Path, source.line(tool)
		}
		return []sarifLocation{l}
	}
	for _, c := range r.Changes {
		result := sarifResult{
			RuleID: c.Rule, RuleIndex: index[c.Rule], Level: sarifLevel(c.Level),
			Message: sarifText{c.message()}, Locations: at(c.Tool, c.Where),
		}
		if c.Allowed != "" {
			result.Suppressions = []sarifSuppression{{"external", Printable(c.Allowed)}}
		}
		run.Results = append(run.Results, result)
	}
	for _, a := range expired {
		run.Results = append(run.Results, sarifResult{
			RuleID: a.Rule, RuleIndex: index[a.Rule], Level: "error",
			Message: sarifText{"An entry in the allow-list has expired: " + Printable(a.String()) + "."}, Locations: at("", Printable(a.Where)),
		})
	}
	return encode(w, sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}
