package caller

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/lazyregexp"
	"github.com/jptool/jptool/internal/rawjson"
)

// secretName matches the names of members that hold secrets.
var secretName = lazyregexp.New(`(?i)(password|passwd|passphrase|secret|token|api[_-]?key|authorization|credential|cookie|private[_-]?key)s?$`)

// Redact returns a message without the given secrets, and without the values of members whose names look like
// names of secrets or for which hide returns true. hide may be nil. Redact replaces a message that is not JSON
// with its size, and truncates long text.
func Redact(message []byte, secrets []string, hide func(name string) bool) string {
	var out bytes.Buffer
	d := jsontext.NewDecoder(bytes.NewReader(message), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	e := jsontext.NewEncoder(&out, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if err := redact(d, e, hide); err != nil {
		return fmt.Sprintf("(%d bytes that are not JSON)", len(message))
	}
	text := strings.TrimSpace(out.String())
	for _, secret := range secrets {
		const least = 4 // a shorter secret could be part of many words
		for range 3 {   // the secret unchanged, in a JSON string, and in JSON inside a JSON string
			if len(secret) >= least {
				text = strings.ReplaceAll(text, secret, "***")
			}
			escaped := rawjson.Quote(secret)
			secret = string(escaped[1 : len(escaped)-1])
		}
	}
	const limit = 16 << 10
	if len(text) > limit {
		text = strings.ToValidUTF8(text[:limit], "") + fmt.Sprintf("… (%d bytes)", len(text))
	}
	return text
}

func redact(d *jsontext.Decoder, e *jsontext.Encoder, hide func(name string) bool) error {
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
		if isName && (hides(name, d.PeekKind()) || hide != nil && hide(name)) {
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

// hides reports whether the value of a member is redacted. A progressToken is not a secret. A requestState is
// redacted only because it is long.
func hides(name string, kind jsontext.Kind) bool {
	if name == "requestState" {
		return true
	}
	return name != "progressToken" && kind != '{' && secretName().MatchString(name)
}
