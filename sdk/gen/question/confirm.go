package question

import "github.com/jptool/jptool/internal/phrase"

// KindConfirm asks for true or false.
const KindConfirm Kind = "confirm"

type confirm struct{ common }

func (confirm) traits() Traits {
	return Traits{Answer: "yes or no", Prompt: YesNo, Consent: true, Keys: "default"}
}

func (confirm) fits(_ Spec, content []byte) bool {
	return string(content) == "true" || string(content) == "false"
}

func (confirm) accepts(Spec) string { return phrase.A("boolean") }

func (confirm) schema(Spec, titles) schema { return schema{Type: "boolean"} }
