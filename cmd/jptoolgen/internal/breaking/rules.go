package breaking

// A Rule is one kind of change and what it means.
type Rule struct {
	// ID names the rule in reports and in allow-lists.
	ID    string `json:"id"`
	Part  Part   `json:"part"`
	Level Level  `json:"level"`
	// Hurts is who has to act on it; "" for nobody.
	Hurts string `json:"hurts,omitempty"`
	// Says is what happened and what comes of it, a sentence.
	Says string `json:"says"`
	// facts are the differences between two schemas that the rule is for.
	facts []fact
}

// A Part of a contract is what a rule looks at.
type Part string

// The parts.
const (
	Server   Part = "server"
	Names    Part = "names"
	Input    Part = "input"
	Output   Part = "output"
	Question Part = "question"
	Option   Part = "option"
	Code     Part = "code"
	Hint     Part = "annotation"
)

// Who is hurt by a change.
const (
	caller = "caller" // whoever sends arguments: a model, a script, a recorded call
	reader = "reader" // whoever reads results
	host   = "host"   // whoever answers questions, and grants or retries calls
	user   = "user"   // whoever configured options
)

// Rules returns all rules, by part. What arguments, options and answers may be is
// judged in one direction, and what results may be in the other: what comes in
// may become more, and what goes out less.
func Rules() []Rule {
	var all []Rule
	for _, rules := range [][]Rule{
		serverRules(), nameRules(), inputRules(), outputRules(), questionRules(), optionRules(), codeRules(), hintRules(),
	} {
		all = append(all, rules...)
	}
	return all
}

func serverRules() []Rule {
	return []Rule{
		{"server-renamed", Server, Breaking, host, "The server introduces itself by another name: what a host remembers by the old one is lost.", nil},
		{"clients-left-jp", Server, Breaking, host, "The schemas no longer keep to what JP can pass on: a JP host may lose nested arguments.", nil},
		{"clients-joined-jp", Server, Compatible, "", "The schemas now keep to what JP can pass on.", nil},
		{"unknown-rejected", Server, Breaking, caller, "Undeclared arguments, which were ignored, now fail the call.", nil},
		{"unknown-ignored", Server, Compatible, "", "Undeclared arguments, which failed the call, are now ignored.", nil},
		{"envelope-changed", Server, Breaking, reader, "Structured content has another form: whether results stand in {success, data, error} has changed.", nil},
		{"server-words", Server, Words, "", "The description of the server reads differently.", nil},
		{"respelled", Server, Words, "", "The contract is spelled differently and means the same: another order, or a note for readers of schemas.", nil},
	}
}

func nameRules() []Rule {
	return []Rule{
		{"tool-added", Names, Compatible, "", "There is one more tool.", nil},
		{"tool-removed", Names, Breaking, caller, "The tool is gone: calls of it fail.", nil},
		{"tool-renamed", Names, Breaking, caller, "The tool has another name, and calls by the old one fail: declare the old name as an alias.", nil},
		{"tool-renamed-with-alias", Names, Compatible, "", "The tool has another name, and the old one still works.", nil},
		{"alias-added", Names, Compatible, "", "The tool has one more name.", nil},
		{"alias-removed", Names, Breaking, caller, "An old name of the tool works no longer: calls by it fail.", nil},
		{"alias-end-changed", Names, Compatible, "", "The day until which an old name works has changed.", nil},
		{"tool-version-changed", Names, Compatible, "", "The tool has another version.", nil},
		{"tool-words", Names, Words, "", "The title or description of the tool reads differently.", nil},
	}
}

func inputRules() []Rule {
	return []Rule{
		{"input-added", Input, Compatible, "", "There is one more argument, which may be left out.", []fact{added}},
		{"input-added-required", Input, Breaking, caller, "There is one more argument, and calls without it fail.", []fact{addedRequired}},
		{"input-removed", Input, Breaking, caller, "The argument is gone: calls with it fail, or it has no effect.", []fact{removed}},
		{"input-renamed", Input, Breaking, caller, "The argument seems to have another name: calls with the old one fail, or it has no effect.", []fact{renamed}},
		{"input-required", Input, Breaking, caller, "The argument could be left out, and now calls without it fail.", []fact{becameRequired}},
		{"input-optional", Input, Compatible, "", "The argument may now be left out.", []fact{becameOptional}},
		{"input-type-changed", Input, Breaking, caller, "A type of value that was taken is refused.", []fact{typeChanged, typeNarrowed}},
		{"input-type-widened", Input, Compatible, "", "More types of values are taken.", []fact{typeWidened}},
		{"input-value-removed", Input, Breaking, caller, "A value that was taken is refused.", []fact{valuesRemoved}},
		{"input-value-added", Input, Compatible, "", "More values are taken.", []fact{valuesAdded}},
		{"input-bounds-tightened", Input, Breaking, caller, "A length, count or number that was taken is out of bounds.", []fact{tightened}},
		{"input-bounds-loosened", Input, Compatible, "", "The bounds of a length, count or number are wider.", []fact{loosened}},
		{"input-form-changed", Input, Breaking, caller, "The text has to match a pattern or format that it did not have to.", []fact{formAdded, formChanged}},
		{"input-form-dropped", Input, Compatible, "", "The text has to match no pattern or format any more.", []fact{formDropped}},
		{"input-default-added", Input, Compatible, "", "What a call without the argument does is now declared.", []fact{defaultAdded}},
		{"input-default-changed", Input, Breaking, caller, "A call without the argument does something else.", []fact{defaultChanged}},
		{"input-default-removed", Input, Breaking, caller, "What a call without the argument does is no longer declared.", []fact{defaultRemoved}},
		{"input-closed", Input, Breaking, caller, "Names that the schema does not declare were allowed, and are refused.", []fact{closed}},
		{"input-opened", Input, Compatible, "", "Names that the schema does not declare are allowed.", []fact{opened}},
		{"input-unjudged", Input, Breaking, caller, "The schema changed in a way that no rule can call harmless.", []fact{unjudged}},
		{"input-words", Input, Words, "", "The words or examples about an argument read differently.", []fact{reworded}},
	}
}

func outputRules() []Rule {
	return []Rule{
		{"output-declared", Output, Compatible, "", "Results now have a schema.", nil},
		{"output-withdrawn", Output, Breaking, reader, "Results have no schema any more, and no structured content.", nil},
		{"output-added", Output, Compatible, "", "Results have one more property.", []fact{added, addedRequired}},
		{"output-removed", Output, Breaking, reader, "A property of results is gone.", []fact{removed}},
		{"output-renamed", Output, Breaking, reader, "A property of results seems to have another name.", []fact{renamed}},
		{"output-optional", Output, Breaking, reader, "A property was in every result, and may now be left out.", []fact{becameOptional}},
		{"output-required", Output, Compatible, "", "A property that could be left out is now in every result.", []fact{becameRequired}},
		{"output-type-changed", Output, Breaking, reader, "A property has a type that it did not have.", []fact{typeChanged, typeWidened}},
		{"output-type-narrowed", Output, Compatible, "", "A property has fewer of the types that it had.", []fact{typeNarrowed}},
		{"output-value-added", Output, Breaking, reader, "A property may have a value that no reader knows.", []fact{valuesAdded}},
		{"output-value-removed", Output, Compatible, "", "A property has fewer of the values that it had.", []fact{valuesRemoved}},
		{"output-bounds-loosened", Output, Breaking, reader, "A length, count or number may be out of the bounds that it kept.", []fact{loosened}},
		{"output-bounds-tightened", Output, Compatible, "", "A length, count or number keeps to narrower bounds.", []fact{tightened}},
		{"output-form-changed", Output, Breaking, reader, "The text no longer has the pattern or format that it had.", []fact{formDropped, formChanged}},
		{"output-form-added", Output, Compatible, "", "The text has a declared pattern or format.", []fact{formAdded}},
		{"output-openness-changed", Output, Compatible, "", "Whether results may have undeclared properties has changed.", []fact{opened, closed}},
		{"output-unjudged", Output, Breaking, reader, "The schema changed in a way that no rule can call harmless.", []fact{unjudged}},
		{"output-words", Output, Words, "", "The words about a property of results read differently.", []fact{reworded, defaultAdded, defaultChanged, defaultRemoved}},
	}
}

func questionRules() []Rule {
	return []Rule{
		{"question-added", Question, Breaking, host, "The tool may ask one thing more that has no default: calls fail where nobody can answer.", nil},
		{"question-added-with-default", Question, Compatible, "", "The tool may ask one thing more; where nobody can answer, its default is taken.", nil},
		{"question-removed", Question, Compatible, "", "The tool no longer asks.", nil},
		{"question-renamed", Question, Breaking, host, "The question seems to have another id: answers given or remembered by the old one are lost.", nil},
		{"question-kind-changed", Question, Breaking, host, "The question wants another kind of answer: what was given or remembered is refused.", nil},
		{"answer-added", Question, Compatible, "", "There is one more answer to choose.", []fact{valuesAdded}},
		{"answer-removed", Question, Breaking, host, "An answer is gone: a host that gives or remembers it is refused.", []fact{valuesRemoved}},
		{"answer-narrowed", Question, Breaking, host, "An answer that was taken is refused.", []fact{
			typeChanged, typeNarrowed, tightened, formAdded, formChanged, closed, unjudged, addedRequired, removed, renamed, becameRequired,
		}},
		{"answer-widened", Question, Compatible, "", "More answers are taken.", []fact{typeWidened, loosened, formDropped, opened, added, becameOptional}},
		{"question-default-added", Question, Compatible, "", "Where nobody can answer, there is a default now.", []fact{defaultAdded}},
		{"question-default-changed", Question, Breaking, host, "Where nobody can answer, another answer is taken.", []fact{defaultChanged}},
		{"question-default-removed", Question, Breaking, host, "Where nobody can answer, calls fail now.", []fact{defaultRemoved}},
		{"question-exclusive", Question, Breaking, host, "Only a person may answer now: what a configuration or a model answered is not used.", nil},
		{"question-not-exclusive", Question, Compatible, "", "A configuration or a model may answer now, too.", nil},
		{"question-words", Question, Words, "", "The words about a question or an answer read differently.", []fact{reworded}},
	}
}

func optionRules() []Rule {
	return []Rule{
		{"option-added", Option, Compatible, "", "There is one more option.", []fact{added}},
		{"option-added-required", Option, Breaking, user, "There is one more option, and nothing works until the user sets it.", []fact{addedRequired}},
		{"option-removed", Option, Breaking, user, "The option is gone: a configuration that sets it is refused, or has no effect.", []fact{removed}},
		{"option-renamed", Option, Breaking, user, "The option seems to have another name: a configuration that sets the old one is refused, or has no effect.", []fact{renamed}},
		{"option-required", Option, Breaking, user, "The option could be left out, and now has to be set.", []fact{becameRequired}},
		{"option-optional", Option, Compatible, "", "The option may now be left out.", []fact{becameOptional}},
		{"option-narrowed", Option, Breaking, user, "A value that could be configured is refused.", []fact{
			typeChanged, typeNarrowed, valuesRemoved, tightened, formAdded, formChanged, closed, unjudged,
		}},
		{"option-widened", Option, Compatible, "", "More values can be configured.", []fact{typeWidened, valuesAdded, loosened, formDropped, opened}},
		{"option-default-added", Option, Compatible, "", "What holds when the option is not set is now declared.", []fact{defaultAdded}},
		{"option-default-changed", Option, Breaking, user, "Something else holds when the option is not set.", []fact{defaultChanged}},
		{"option-default-removed", Option, Breaking, user, "What holds when the option is not set is no longer declared.", []fact{defaultRemoved}},
		{"option-words", Option, Words, "", "The words or examples about an option read differently.", []fact{reworded}},
	}
}

func codeRules() []Rule {
	return []Rule{
		{"code-added", Code, Breaking, caller, "The tool may fail with a code that no caller of it handles.", nil},
		{"code-removed", Code, Compatible, "", "The tool no longer fails with the code.", nil},
		{"server-code-added", Code, Compatible, "", "The server declares one more code; tools that fail with it say so themselves.", nil},
		{"server-code-removed", Code, Compatible, "", "The server declares the code no longer; tools that failed with it say so themselves.", nil},
		{"code-words", Code, Words, "", "The meaning of a code reads differently.", nil},
	}
}

func hintRules() []Rule {
	return []Rule{
		{"read-only-lost", Hint, Breaking, host, "The tool was declared to change nothing: hosts that call it unasked must ask.", nil},
		{"read-only-gained", Hint, Compatible, "", "The tool is declared to change nothing.", nil},
		{"destructive-gained", Hint, Breaking, host, "The tool may destroy something, which it did not: hosts that call it unasked must ask.", nil},
		{"destructive-lost", Hint, Compatible, "", "The tool is declared to destroy nothing.", nil},
		{"idempotent-lost", Hint, Breaking, host, "A second call may do more than the first: hosts that repeat calls must not.", nil},
		{"idempotent-gained", Hint, Compatible, "", "A second call does no more than the first.", nil},
		{"open-world-gained", Hint, Breaking, host, "The tool may reach beyond its own data, which it did not: hosts that trust it to stay inside must ask.", nil},
		{"open-world-lost", Hint, Compatible, "", "The tool is declared to stay with its own data.", nil},
		{"mutates-gained", Hint, Compatible, "", "The result tells the state after a change.", nil},
		{"mutates-lost", Hint, Breaking, reader, "The result no longer tells the state after a change.", nil},
		{"files-gained", Hint, Compatible, "", "The tool works with files: a host may have to be configured anew, so that it starts the server with --root.", nil},
		{"files-lost", Hint, Compatible, "", "The tool no longer works with files.", nil},
		{"hint-restated", Hint, Compatible, "", "An annotation says what was assumed without it, or no longer does.", nil},
	}
}
