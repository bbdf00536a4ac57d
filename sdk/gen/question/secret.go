package question

// KindSecret asks for a string that is not shown.
const KindSecret Kind = "secret"

type secret struct{ ofText }

func (secret) traits() Traits {
	return Traits{
		Answer: "text that is not shown", Prompt: Hidden, Needs: NeedsSecrecy, Keys: "minLength maxLength pattern",
		NoDefault: "asks for a secret, so it cannot have a default", Hint: "delete the tag",
	}
}

func (k secret) schema(q Spec, how titles) schema {
	s := k.ofText.schema(q, how)
	s.WriteOnly = true
	return s
}

// describe hides the answer, because messages are logged and shown to models.
func (secret) describe(Spec, []byte) string { return "something else" }
