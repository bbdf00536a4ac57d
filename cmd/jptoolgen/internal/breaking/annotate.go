package breaking

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
)

// line returns the number of a tool's first line in the file, or 1 if the tool is not found.
func (s Source) line(tool string) int {
	name, _ := json.Marshal(tool) // cannot fail
	if at := bytes.Index(s.Text, append([]byte(`"name": `), name...)); at >= 0 && tool != "" {
		return 1 + bytes.Count(s.Text[:at], []byte("\n"))
	}
	return 1
}

// githubReport returns workflow commands of GitHub. Accepted changes and changes to wording are notices. Only changes that
// make the command fail are errors.
func githubReport(r *Report, expired []Allowance, source Source) []byte {
	var b bytes.Buffer
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
	return b.Bytes()
}

// sarifReport returns a log with the parts of SARIF 2.1.0 (OASIS, sarif-v2.1.0-os) that describe a report.
func sarifReport(r *Report, expired []Allowance, source Source) any {
	type object map[string]any
	rules, index := []object{}, map[string]int{}
	for i, rule := range Rules() {
		rules = append(rules, object{
			"id": rule.ID, "shortDescription": object{"text": rule.Says}, "defaultConfiguration": object{"level": rule.Level.sarif()},
		})
		index[rule.ID] = i
	}
	results := []object{}
	add := func(rule, level, message, tool, where string) object {
		location := object{"logicalLocations": []object{{"fullyQualifiedName": where}}}
		if source.Path != "" {
			location["physicalLocation"] = object{"artifactLocation": object{"uri": source.Path}, "region": object{"startLine": source.line(tool)}}
		}
		result := object{
			"ruleId": rule, "ruleIndex": index[rule], "level": level, "message": object{"text": message}, "locations": []object{location},
		}
		results = append(results, result)
		return result
	}
	for _, c := range r.Changes {
		result := add(c.Rule, c.Level.sarif(), c.message(), c.Tool, c.Where)
		if c.Allowed != "" {
			result["suppressions"] = []object{{"kind": "external", "justification": Printable(c.Allowed)}}
		}
	}
	for _, a := range expired {
		add(a.Rule, "error", "An entry in the allow-list has expired: "+Printable(a.String())+".", "", Printable(a.Where))
	}
	driver := object{"name": "jptoolgen", "informationUri": "https://github.com/jptool/jptool", "rules": rules}
	if source.Program != "" {
		driver["version"] = source.Program
	}
	return object{
		"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
		"runs": []object{{"tool": object{"driver": driver}, "results": results}},
	}
}
