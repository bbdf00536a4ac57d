package notes_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer/codec"

	"github.com/jptool/jptool/examples/grizzly/internal/beartest"
	"github.com/jptool/jptool/examples/grizzly/internal/render"
	"github.com/jptool/jptool/sdk/jptest"
)

// texts returns notes of 1.2 MB in scripts with many bytes per token and in scripts with few.
func texts() (all []beartest.Note) {
	chance := rand.New(rand.NewPCG(1, 2))
	for name, letters := range map[string]string{
		"english": "the quick brown fox jumps over a lazy dog and ", "base64": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
		"hex": "0123456789abcdef", "digits": "0123456789", "gibberish": "abcdefghijklmnopqrstuvwxyz", "marks": "!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~",
		"chinese": "的一是不了人我在有他这为之大来以个中上们到说国和地也子时道出而要于就下得可你年生", "emoji": "😀🧸🦊🐉🍵🛶🪐🧭🏔🫖", "linear": "𐀀𐀁𐀂𐀃𐀄𐀅𐀆𐀇", "latin": "äößéèçñøåþð",
	} {
		var text strings.Builder
		runes := []rune(letters)
		for text.Len() < 1200<<10 {
			if name == "english" {
				text.WriteString(letters)
			} else {
				for range 60 {
					text.WriteRune(runes[chance.IntN(len(runes))])
				}
			}
			text.WriteByte('\n')
		}
		all = append(all, beartest.Note{ID: strings.ToUpper(name), Title: name, Text: text.String()})
	}
	return all
}

// No answer has more than 25,000 tokens, in any script and with any options, and each answer says
// how to continue.
func TestAnswersFitModels(t *testing.T) {
	count := codec.NewO200kBase()
	library := texts()
	for i := range 1000 {
		library = append(library, beartest.Note{ID: fmt.Sprintf("%08X-1234-4000-8000-%012X", i*7919, i*104729), Title: fmt.Sprint("Note ", i), Text: strings.Repeat("needle 0123\n", 30)})
	}
	kit := createShelf(t, library...).kitWith(t, jptest.Options{Wire: jptest.MCP, ToolOptions: map[string]any{
		"note_get": map[string]any{"max_note_bytes": 16 << 20}, "note_search": map[string]any{"max_results": 1000},
	}})
	check := func(tool, arguments, next string, script ...jptest.Reply) {
		out := kit.Call(tool, raw("%s", arguments), script...)
		for _, text := range []string{out.OK(t), string(out.Structured)} {
			tokens, err := count.Count(text)
			if estimate := render.Tokens(text); err != nil || tokens > 25_000 || estimate < tokens*3/4 {
				t.Errorf("%s %s: %d tokens, %d by estimate: %.200s", tool, arguments, tokens, estimate, text)
			}
		}
		if !strings.Contains(out.Text, next) || len(out.Text) < 15_000 {
			t.Errorf("%s %s: %d bytes, and %q", tool, arguments, len(out.Text), out.Text[max(0, len(out.Text)-300):])
		}
	}
	for _, n := range texts() {
		check("note_get", fmt.Sprintf(`{"ids":%q}`, n.ID), "Request it again with lines", jptest.Answer("confirm-large", true))
	}
	check("note_search", `{"queries":"needle"}`, "Narrow the search")
	check("note_search", `{}`, "Narrow the search")
}
