package notes_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/examples/grizzly/internal/beartest"
)

// officeNotes returns notes to search for with the syntax of other programs.
func officeNotes() []beartest.Note {
	return []beartest.Note{
		{ID: "8B2F6A10-3C4D-4E5F-8A9B-0C1D2E3F4A01", Title: "Getting Things Done", Modified: beartest.Day(9), Tags: []string{"reading"},
			Text: "# Getting Things Done\nA method by David Allen: capture, clarify, organize.\n"},
		{ID: "8B2F6A10-3C4D-4E5F-8A9B-0C1D2E3F4A02", Title: "Percent", Modified: beartest.Day(8), Tags: []string{"work"},
			Text: "# Percent\nThe budget grew by 100% in one year.\n"},
		{ID: "8B2F6A10-3C4D-4E5F-8A9B-0C1D2E3F4A03", Title: "Sourdough, step by step", Modified: beartest.Day(7), Tags: []string{"cooking", "cooking/bread"},
			Text: "# Sourdough, step by step\nFeed the starter in the evening. Bake the bread at 240 °C.\n"},
		{ID: "8B2F6A10-3C4D-4E5F-8A9B-0C1D2E3F4A04", Title: "Kubernetes", Modified: beartest.Day(6), Tags: []string{"work", "work/ops"},
			Text: "# Kubernetes\nA pod that is stuck in Pending wants a node.\n"},
		{ID: "8B2F6A10-3C4D-4E5F-8A9B-0C1D2E3F4A05", Title: "Plan", Modified: beartest.Day(5), Tags: []string{"projects", "projects/jp", "this week"},
			Text: "# Plan\nWrite the protocol, then the tomatoes.\n"},
		{ID: "8B2F6A10-3C4D-4E5F-8A9B-0C1D2E3F4A06", Title: "Crème brûlée", Modified: beartest.Day(4), Tags: []string{"cooking"},
			Text: "# Crème brûlée\nSix yolks, half a litre of cream.\n"},
	}
}

// again finds the arguments that an answer suggests.
var again = regexp.MustCompile(`Call note_search with (\{.*?\}) \(`)

// The searches that are suggested after a search without matches have matches themselves, and the
// first match is the intended note.
func TestAdvice(t *testing.T) {
	kit := createShelf(t, officeNotes()...).kit(t)
	const gtd, percent, bread, kube, plan, creme = "Getting Things Done", "Percent", "Sourdough, step by step", "Kubernetes", "Plan", "Crème brûlée"
	for _, c := range []struct{ arguments, want string }{
		{`{"queries":"\"Getting Things Done\""}`, gtd},
		{`{"queries":"“Getting Things Done”"}`, gtd},
		{`{"queries":"'Getting Things Done'"}`, gtd},
		{`{"queries":["\"things done\" allen"]}`, gtd},
		{`{"queries":["getting things done method"]}`, gtd},
		{`{"queries":["done things"]}`, gtd},
		{`{"queries":"tag:work"}`, percent},
		{`{"queries":"tags:work pod"}`, kube},
		{`{"queries":"#work/ops"}`, kube},
		{`{"queries":"#cooking bread"}`, bread},
		{`{"queries":"projects/jp"}`, plan},
		{`{"queries":"#this week#"}`, plan},
		{`{"queries":"title:Percent"}`, percent},
		{`{"queries":"title:\"Getting Things Done\""}`, gtd},
		{`{"queries":"intitle:kubernetes"}`, kube},
		{`{"queries":"body:yolks"}`, creme},
		{`{"tags":"WORK"}`, percent},
		{`{"tags":"Cooking/Bread"}`, bread},
		{`{"tags":"projets/jp"}`, plan},
		{`{"tags":"project"}`, plan},
		{`{"tags":"bread"}`, bread},
		{`{"tags":"cook*"}`, bread},
		{`{"tags":"cooking/soups"}`, bread},
		{`{"tags":["reading, methods"]}`, gtd},
		{`{"tags":["cooking,cooking/bread"]}`, bread},
		{`{"tags":["cooking cooking/bread"]}`, bread},
		{`{"tags":["work","reading"]}`, ""},
		{`{"tags":"Percent"}`, percent},
		{`{"tags":"gardening"}`, ""},
		{`{"tags":"reading","queries":"pod"}`, kube},
		{`{"tags":"gardening","queries":"pod"}`, kube},
		{`{"tags":"8B2F6A10-3C4D-4E5F-8A9B-0C1D2E3F4A04"}`, kube},
		{`{"queries":"percent OR yolks"}`, percent},
		{`{"queries":"nothing OR yolks"}`, creme},
		{`{"queries":"budget AND year"}`, percent},
		{`{"queries":"budget && grew"}`, percent},
		{`{"queries":"budget NOT pod"}`, percent},
		{`{"queries":"budget -pod"}`, percent},
		{`{"queries":"+budget +year"}`, percent},
		{`{"queries":"(pod OR node) AND stuck"}`, kube},
		{`{"queries":"pod stuck"}`, kube},
		{`{"queries":["yolks, cream"]}`, creme},
		{`{"queries":["yolks","pod"]}`, ""},
		{`{"queries":"How do I bake sourdough bread at home?"}`, bread},
		{`{"queries":"What did David Allen write about?"}`, gtd},
		{`{"queries":"why is my pod stuck in pending?"}`, kube},
		{`{"queries":".*"}`, gtd},
		{`{"queries":"**"}`, gtd},
		{`{"queries":"?"}`, gtd},
		{`{"queries":"kube.*"}`, kube},
		{`{"queries":"kube*"}`, kube},
		{`{"queries":"*kube*"}`, kube},
		{`{"queries":"/kubernetes/i"}`, kube},
		{`{"queries":"\\bpod\\b"}`, kube},
		{`{"queries":"^Percent$"}`, percent},
		{`{"queries":"pod|node"}`, kube},
		{`{"queries":"%pod%"}`, kube},
		{`{"queries":"kubernets"}`, kube},
		{`{"queries":"sourdouhg"}`, bread},
		{`{"queries":"creme brulees"}`, creme},
		{`{"queries":"brulées"}`, creme},
		{`{"queries":"tomatos"}`, plan},
		{`{"queries":"step-by-step"}`, bread},
		{`{"queries":"Sourdough: step by step!"}`, bread},
		{`{"queries":"<b>pod</b>"}`, kube},
		{`{"queries":"# Kubernetes pod"}`, kube},
		{`{"queries":["[[Kubernetes]]"]}`, kube},
		{`{"queries":"100 %"}`, percent},
		{`{"queries":"8B2F6A10-3C4D-4E5F-8A9B-0C1D2E3F4A04"}`, kube},
		{`{"queries":"bear://x-callback-url/open-note?id=8B2F6A10-3C4D-4E5F-8A9B-0C1D2E3F4A04"}`, kube},
		{`{"ids":"8b2f6a10-3c4d-4e5f-8a9b-0c1d2e3f4a04"}`, kube},
		{`{"ids":"id:8B2F6A10-3C4D-4E5F-8A9B-0C1D2E3F4A04"}`, kube},
		{`{"ids":"Percent"}`, percent},
		{`{"ids":"Getting Things Done"}`, gtd},
		{`{"ids":"reading"}`, gtd},
		{`{"ids":"*"}`, gtd},
		{`{"ids":"8B2F6A10-3C4D-4E5F-8A9B-0C1D2E3F4A04","queries":"yolks"}`, ""},
		{`{"ids":"00000000-0000-0000-0000-000000000000"}`, gtd},
		{`{"queries":"created:>2024-01-01"}`, gtd},
		{`{"queries":"日本語"}`, gtd},
		{`{"queries":"xyzzy"}`, gtd},
		{`{"queries":"xyzzy plugh"}`, gtd},
	} {
		t.Run(c.arguments, func(t *testing.T) {
			first := kit.Call("note_search", json.RawMessage(c.arguments)).OK(t)
			found := again.FindStringSubmatch(first)
			if found == nil {
				t.Fatalf("no suggestion in %s", first)
			}
			second := kit.Call("note_search", json.RawMessage(found[1])).OK(t)
			if !strings.Contains(second, "<match ") {
				t.Errorf("%s finds %s", found[1], second)
			}
			if c.want != "" && !slices.Contains(titles(second), c.want) {
				t.Errorf("%s finds %q", found[1], titles(second))
			}
		})
	}
}

// The suggestions have a form that models can use, and the text around them gives the reason.
func TestAdviceText(t *testing.T) {
	kit := createShelf(t, officeNotes()...).kit(t)
	for arguments, want := range map[string]string{
		`{"queries":"\"Getting Things Done\""}`: `Quotes, operators, wildcards and prefixes such as tag: count as text. ` +
			`Call note_search with {"queries":["Getting Things Done"]} (1 note) or {"queries":["Getting","Things","Done"]} (1 note).`,
		`{"tags":"projets/jp"}`: `There is no tag "projets/jp". Call note_search with {"tags":["projects/jp"]} (1 note).`,
		`{"queries":["yolks","pod"]}`: `The words occur separately: "yolks" in 1 note, "pod" in 1 note. ` +
			`Call note_search with {"queries":["yolks"]} (1 note) or {"queries":["pod"]} (1 note).`,
		`{"tags":"zzz<&>"}`: `There is no tag "zzz&lt;&amp;&gt;". Call note_search with {} (6 notes, newest first). The tags are ` +
			`"cooking", "cooking/bread", "projects", "projects/jp", "reading", "this week", "work", "work/ops".`,
		`{"queries":".*"}`: `Quotes, operators, wildcards and prefixes such as tag: count as text. Call note_search with {} (6 notes, newest first). ` +
			`The tags are "cooking", "cooking/bread", "projects", "projects/jp", "reading", "this week", "work", "work/ops".`,
	} {
		wantText(t, kit.Call("note_search", json.RawMessage(arguments)).OK(t), "<info>No notes match. "+want+"</info>")
	}
	wantText(t, createShelf(t).kit(t).Call("note_search", raw(`{}`)).OK(t), "<info>No notes match. The library has no notes.</info>")
	wantText(t, kit.Call("note_get", raw(`{"ids":"Things"}`)).OK(t),
		`<missing id="Things"/>`+"\n"+`<info>No note has these ids. Call note_search with {"queries":["Things"]} (1 note).</info>`)
}

// A long search without matches gets an answer, and note_search accepts the searches that the answer suggests.
func TestAdviceForLongSearches(t *testing.T) {
	kit := createShelf(t, officeNotes()...).kit(t)
	for _, queries := range []string{
		strings.Repeat("what is a pod ", 70), strings.Repeat("xyzzy OR ", 100) + "pod", strings.Repeat("ab cd ", 160), strings.Repeat("x", 1024), strings.Repeat("*", 1024),
	} {
		first := kit.Call("note_search", raw(`{"queries":[%q]}`, queries)).OK(t)
		found := again.FindStringSubmatch(first)
		if found == nil || len(first) > 2000 {
			t.Fatalf("%.40s: %d bytes, %.200s", queries, len(first), first)
		}
		if second := kit.Call("note_search", json.RawMessage(found[1])).OK(t); !strings.Contains(second, "<match ") {
			t.Errorf("%s finds %s", found[1], second)
		}
	}
}

var noteTitle = regexp.MustCompile(`<match note-id="[^"]*" title="([^"]*)"`)

func titles(answer string) []string {
	var all []string
	for _, m := range noteTitle.FindAllStringSubmatch(answer, -1) {
		all = append(all, m[1])
	}
	return all
}
