package caller

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
)

// secretName is what members are called that hold a secret.
var secretName = regexp.MustCompile(`(?i)(password|passwd|passphrase|secret|token|api[_-]?key|authorization|credential|cookie|private[_-]?key)s?$`)

// Redact returns a message without the values of members that are named like secrets, and without the
// secrets that are known. What is not JSON is not shown at all. Of a long text the beginning is kept.
func Redact(message []byte, secrets []string) string {
	var out bytes.Buffer
	d := jsontext.NewDecoder(bytes.NewReader(message), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	e := jsontext.NewEncoder(&out, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if err := redact(d, e); err != nil {
		return fmt.Sprintf("(%d bytes that are not JSON)", len(message))
	}
	text := strings.TrimSpace(out.String())
	for _, secret := range secrets {
		const least = 4 // a shorter one would be found in every other word
		for range 3 {   // as it is, in a JSON string, and in JSON that is the text of one
			if len(secret) >= least {
				text = strings.ReplaceAll(text, secret, "***")
			}
			escaped := rawjson.Quote(secret)
			secret = string(escaped[1 : len(escaped)-1])
		}
	}
	const most = 16 << 10
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + fmt.Sprintf("… (%d bytes)", len(text))
	}
	return text
}

func redact(d *jsontext.Decoder, e *jsontext.Encoder) error {
	for {
		token, err := d.ReadToken()
		if err != nil {
			return err
		}
		kind, length := d.StackIndex(d.StackDepth())
		isName := kind == '{' && length%2 == 1 && token.Kind() == '"'
		name := ""
		if isName {
			name = token.String()
		}
		if err := e.WriteToken(token); err != nil {
			return err
		}
		if isName && hides(name, d.PeekKind()) {
			if err := d.SkipValue(); err != nil {
				return err
			}
			if err := e.WriteToken(jsontext.String("***")); err != nil {
				return err
			}
		}
		if d.StackDepth() == 0 {
			return nil
		}
	}
}

// hides reports whether a member's value is a secret. The token of progress is none, and the state of a
// call is sealed, and long.
func hides(name string, kind jsontext.Kind) bool {
	if name == "requestState" {
		return true
	}
	return name != "progressToken" && kind != '{' && secretName.MatchString(name)
}
