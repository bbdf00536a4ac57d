package breaking

// A Rule classifies one kind of change.
type Rule struct {
	// ID names the rule in reports and in allow-lists.
	ID    string `json:"id"`
	Part  Part   `json:"part"`
	Level Level  `json:"level"`
	// Hurts is the role that the change affects, or "" if it affects no role.
	Hurts string `json:"hurts,omitempty"`
	// Says is a sentence that describes the change and its effect.
	Says string `json:"says"`
	// facts are the differences between schemas that the rule covers.
	facts []fact
}

// A Level is the severity of a change for the users of the server.
type Level int

// The levels, in ascending order.
const (
	// None means no change.
	None Level = iota
	// Words means that only text for people and models changed.
	Words
	// Compatible means that existing users do not have to change anything.
	Compatible
	// Breaking means that existing users may have to change something.
	Breaking
)

// levels holds the names of the levels, and the minimum version increment for a release with such a change
// (semver.org, 2.0.0).
var levels = [...]struct{ name, release, sarif string }{
	None:       {"none", "none", "none"},
	Words:      {"words", "patch", "none"},
	Compatible: {"compatible", "minor", "note"},
	Breaking:   {"breaking", "major", "error"},
}

// String returns the name of l as used in reports.
func (l Level) String() string { return levels[l].name }

// MarshalText returns the name of l.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// Release returns the release that a change requires: "major", "minor", "patch", or "none".
func (l Level) Release() string { return levels[l].release }

// sarif returns the level of l in SARIF.
func (l Level) sarif() string { return levels[l].sarif }

// A Part is the part of a contract that a rule is about.
type Part string

// The parts of a contract.
const (
	Server   Part = "server"
	Names    Part = "names"
	Input    Part = "input"
	Output   Part = "output"
	Question Part = "question"
	Option   Part = "option"
	Code     Part = "code"
	Hint     Part = "annotation"
	Resource Part = "resource"
	Prompt   Part = "prompt"
	Access   Part = "access"
	Skill    Part = "skill"
)

// The roles that a change can affect.
const (
	caller = "caller" // sends arguments: a model, a script, a recorded call
	reader = "reader" // reads results
	host   = "host"   // answers questions, and approves or retries calls
	user   = "user"   // configures options
)

// Rules returns all rules, sorted by part. Whether a change is breaking depends on the direction of the values:
// a server may accept more arguments, options and answers than before, but must not return results of a new kind.
func Rules() []Rule {
	var all []Rule
	for _, s := range sections() {
		all = append(all, s.rules...)
	}
	return all
}

// A section holds the rules for one part of a contract, and their heading.
type section struct {
	title string
	rules []Rule
}

func sections() []section {
	return []section{
		{"The server", []Rule{
			{"server-renamed", Server, Breaking, host, "The name of the server changed. Hosts lose the data that they stored under the old name.", nil},
			{"clients-left-jp", Server, Breaking, host, "The contract no longer says that JP supports the schemas. A JP host from before August 24, 2026 may drop arguments that are maps or have no type.", nil},
			{"clients-joined-jp", Server, Compatible, "", "The contract now says that JP supports the schemas, as all contracts of later versions of jptoolgen do.", nil},
			{"unknown-rejected", Server, Breaking, caller, "Undeclared arguments were ignored and are now rejected.", nil},
			{"unknown-ignored", Server, Compatible, "", "Undeclared arguments were rejected and are now ignored.", nil},
			{"envelope-changed", Server, Breaking, reader, "Structured content is now wrapped in {success, data, error}, or is no longer wrapped.", nil},
			{"server-words", Server, Words, "", "The description of the server changed.", nil},
			{"outputs-listed", Server, Compatible, "", "The list of tools now contains output schemas.", nil},
			{"outputs-unlisted", Server, Breaking, reader, "The list of tools contains output schemas only for clients that ask for them.", nil},
			{"respelled", Server, Words, "", "The order of entries, the notation of a schema, or the budget for the list of tools changed. No other rule applies.", nil},
		}},
		{"Tools and their names", []Rule{
			{"tool-added", Names, Compatible, "", "A tool was added.", nil},
			{"tool-removed", Names, Breaking, caller, "The tool was removed. Calls to it fail.", nil},
			{"tool-renamed", Names, Breaking, caller, "The tool was renamed. Calls with the old name fail. Declare the old name as an alias.", nil},
			{"tool-renamed-with-alias", Names, Compatible, "", "The tool was renamed. The old name still works.", nil},
			{"alias-added", Names, Compatible, "", "An alias of the tool was added.", nil},
			{"alias-removed", Names, Breaking, caller, "An alias of the tool was removed. Calls with that name fail.", nil},
			{"alias-end-changed", Names, Compatible, "", "The expiry date of an alias changed.", nil},
			{"tool-version-changed", Names, Compatible, "", "The version of the tool changed.", nil},
			{"tool-words", Names, Words, "", "The title or description of the tool changed.", nil},
			{"tool-meta", Names, Words, "", "The icon or the declared _meta of the tool changed.", nil},
			{"task-required", Names, Breaking, caller, "Only clients that support tasks can call the tool.", nil},
			{"task-not-required", Names, Compatible, "", "Clients that do not support tasks can now call the tool.", nil},
			{"task-gained", Names, Compatible, "", "A call now becomes a task if the client supports tasks.", nil},
			{"task-lost", Names, Compatible, "", "Calls no longer become tasks. Every client receives the result of the call.", nil},
			{"task-times", Names, Compatible, "", "The time after which a call becomes a task changed, or the time for which the server keeps a task. A task states how long it is kept.", nil},
			{"task-poll", Names, Words, "", "The interval at which clients should ask for the state of a task changed. A task states it.", nil},
			{"execution-changed", Names, Breaking, host, "The tool has other requirements for tasks. Hosts may have to call it in another way.", nil},
		}},
		{"Arguments", []Rule{
			{"input-added", Input, Compatible, "", "An optional argument was added.", []fact{added}},
			{"input-added-required", Input, Breaking, caller, "A required argument was added. Calls without it fail.", []fact{addedRequired}},
			{"input-removed", Input, Breaking, caller, "The argument was removed. Calls that pass it fail, or the argument is ignored.", []fact{removed}},
			{"input-renamed", Input, Breaking, caller, "The argument seems to have been renamed. Calls with the old name fail, or the old name is ignored.", []fact{renamed}},
			{"input-required", Input, Breaking, caller, "The argument was optional and is now required. Calls without it fail.", []fact{becameRequired}},
			{"input-optional", Input, Compatible, "", "The argument is now optional.", []fact{becameOptional}},
			{"input-type-changed", Input, Breaking, caller, "Values of a type that was accepted are now rejected.", []fact{typeChanged, typeNarrowed}},
			{"input-type-widened", Input, Compatible, "", "The argument accepts more types of values.", []fact{typeWidened}},
			{"input-value-removed", Input, Breaking, caller, "A value that was accepted is now rejected.", []fact{valuesRemoved}},
			{"input-value-added", Input, Compatible, "", "The argument accepts more values.", []fact{valuesAdded}},
			{"input-bounds-tightened", Input, Breaking, caller, "A length, count or number that was accepted is now out of bounds.", []fact{tightened}},
			{"input-bounds-loosened", Input, Compatible, "", "A length, count or number has wider bounds.", []fact{loosened}},
			{"input-safe-integers", Input, Compatible, "", "The schema of an integer now has, or no longer has, the bounds of ±(2^53-1). Clients that use floats round other numbers; a string of digits is exact.", []fact{safeAdded, safeDropped}},
			{"input-form-changed", Input, Breaking, caller, "A string must match a new pattern or format.", []fact{formAdded, formChanged}},
			{"input-form-dropped", Input, Compatible, "", "A string no longer has to match a pattern or format.", []fact{formDropped}},
			{"input-default-added", Input, Compatible, "", "The default of the argument is now declared.", []fact{defaultAdded}},
			{"input-default-changed", Input, Breaking, caller, "The default of the argument changed. Calls without the argument have a different effect.", []fact{defaultChanged}},
			{"input-default-removed", Input, Breaking, caller, "The default of the argument is no longer declared.", []fact{defaultRemoved}},
			{"input-closed", Input, Breaking, caller, "Undeclared members were accepted and are now rejected.", []fact{closed}},
			{"input-opened", Input, Compatible, "", "Undeclared members are now accepted.", []fact{opened}},
			{"input-unjudged", Input, Breaking, caller, "The schema changed in a way that the rules do not cover.", []fact{unjudged}},
			{"input-words", Input, Words, "", "The description or the examples of an argument changed.", []fact{reworded}},
		}},
		{"Results", []Rule{
			{"output-declared", Output, Compatible, "", "Results now have a schema.", nil},
			{"output-withdrawn", Output, Breaking, reader, "Results no longer have a schema or structured content.", nil},
			{"output-added", Output, Compatible, "", "A property was added to results.", []fact{added, addedRequired}},
			{"output-removed", Output, Breaking, reader, "A property was removed from results.", []fact{removed}},
			{"output-renamed", Output, Breaking, reader, "A result property seems to have been renamed.", []fact{renamed}},
			{"output-optional", Output, Breaking, reader, "A property was in every result and is now optional.", []fact{becameOptional}},
			{"output-required", Output, Compatible, "", "A property was optional and is now in every result.", []fact{becameRequired}},
			{"output-type-changed", Output, Breaking, reader, "A property can have a new type.", []fact{typeChanged, typeWidened}},
			{"output-type-narrowed", Output, Compatible, "", "A property has fewer possible types.", []fact{typeNarrowed}},
			{"output-value-added", Output, Breaking, reader, "A property can have a new value that readers might not handle.", []fact{valuesAdded}},
			{"output-value-removed", Output, Compatible, "", "A property has fewer possible values.", []fact{valuesRemoved}},
			{"output-bounds-loosened", Output, Breaking, reader, "A length, count or number can exceed its previous bounds.", []fact{loosened, safeDropped}},
			{"output-bounds-tightened", Output, Compatible, "", "A length, count or number has narrower bounds.", []fact{tightened, safeAdded}},
			{"output-form-changed", Output, Breaking, reader, "A string no longer follows its previous pattern or format.", []fact{formDropped, formChanged}},
			{"output-form-added", Output, Compatible, "", "A pattern or format of a string is now declared.", []fact{formAdded}},
			{"output-openness-changed", Output, Compatible, "", "Results can now contain undeclared properties, or can no longer contain them.", []fact{opened, closed}},
			{"budget-raised", Output, Breaking, reader, "Results can be longer than before.", nil},
			{"budget-lowered", Output, Compatible, "", "The maximum size of results is smaller. Longer results are truncated.", nil},
			{"output-unjudged", Output, Breaking, reader, "The schema changed in a way that the rules do not cover.", []fact{unjudged}},
			{"output-words", Output, Words, "", "The description or the default of a result property changed.", []fact{reworded, defaultAdded, defaultChanged, defaultRemoved}},
		}},
		{"Questions", []Rule{
			{"question-added", Question, Breaking, host, "A question without a default was added. Calls fail if it cannot be answered.", nil},
			{"question-added-with-default", Question, Compatible, "", "A question with a default was added. The default is used if the question cannot be answered.", nil},
			{"question-removed", Question, Compatible, "", "The question is no longer asked.", nil},
			{"question-renamed", Question, Breaking, host, "The ID of the question seems to have changed. Answers configured or stored under the old ID are lost.", nil},
			{"question-kind-changed", Question, Breaking, host, "The kind of answer changed. Configured or stored answers are rejected.", nil},
			{"answer-added", Question, Compatible, "", "An answer was added to the choices.", []fact{valuesAdded}},
			{"answer-removed", Question, Breaking, host, "An answer was removed. If a host still sends it, it is rejected.", []fact{valuesRemoved}},
			{"answer-narrowed", Question, Breaking, host, "An answer that was accepted is now rejected.", []fact{
				typeChanged, typeNarrowed, tightened, formAdded, formChanged, closed, unjudged, addedRequired, removed, renamed, becameRequired,
			}},
			{"answer-widened", Question, Compatible, "", "More answers are accepted.", []fact{typeWidened, loosened, formDropped, opened, added, becameOptional}},
			{"answer-safe-integers", Question, Compatible, "", "An integer in the answer now has, or no longer has, the bounds of ±(2^53-1). A string of digits is exact.", []fact{safeAdded, safeDropped}},
			{"question-default-added", Question, Compatible, "", "The question now has a default, which is used if the question cannot be answered.", []fact{defaultAdded}},
			{"question-default-changed", Question, Breaking, host, "The default of the question changed. The default is used if the question cannot be answered.", []fact{defaultChanged}},
			{"question-default-removed", Question, Breaking, host, "The default of the question was removed. Calls fail if the question cannot be answered.", []fact{defaultRemoved}},
			{"question-exclusive", Question, Breaking, host, "A person must now answer the question. Answers from a configuration or a model are not used.", nil},
			{"question-not-exclusive", Question, Compatible, "", "A configuration or a model may now also answer the question.", nil},
			{"question-subjects", Question, Compatible, "", "An answer with the ID of the question now applies to all subjects.", nil},
			{"question-no-subjects", Question, Breaking, host, "An answer with the ID of the question no longer applies to all subjects. The tool asks about each subject.", nil},
			{"question-per-subject", Question, Breaking, host, "The question now has a separate ID for each subject. An answer with the ID of the question is not used.", nil},
			{"question-not-per-subject", Question, Compatible, "", "The tool can now also ask the question without a subject.", nil},
			{"question-relayed", Question, Compatible, "", "If the client cannot ask its user, the model may now pass the user's answer as an argument.", nil},
			{"question-not-relayed", Question, Breaking, caller, "The model can no longer pass the user's answer as an argument. If the client cannot ask its user, calls fail.", nil},
			{"question-words", Question, Words, "", "The description of the question or of an answer changed.", []fact{reworded}},
		}},
		{"Options", []Rule{
			{"option-added", Option, Compatible, "", "An option was added.", []fact{added}},
			{"option-added-required", Option, Breaking, user, "A required option was added. Calls fail until the option is set.", []fact{addedRequired}},
			{"option-removed", Option, Breaking, user, "The option was removed. A configuration that sets it is rejected, or the value is ignored.", []fact{removed}},
			{"option-renamed", Option, Breaking, user, "The option seems to have been renamed. A configuration that sets the old name is rejected, or the value is ignored.", []fact{renamed}},
			{"option-required", Option, Breaking, user, "The option was optional and is now required.", []fact{becameRequired}},
			{"option-optional", Option, Compatible, "", "The option is now optional.", []fact{becameOptional}},
			{"option-narrowed", Option, Breaking, user, "A value that could be configured is now rejected.", []fact{
				typeChanged, typeNarrowed, valuesRemoved, tightened, formAdded, formChanged, closed, unjudged,
			}},
			{"option-widened", Option, Compatible, "", "The option accepts more values.", []fact{typeWidened, valuesAdded, loosened, formDropped, opened}},
			{"option-safe-integers", Option, Compatible, "", "An integer now has, or no longer has, the bounds of ±(2^53-1). A string of digits is exact.", []fact{safeAdded, safeDropped}},
			{"option-default-added", Option, Compatible, "", "The default of the option is now declared.", []fact{defaultAdded}},
			{"option-default-changed", Option, Breaking, user, "The default of the option changed.", []fact{defaultChanged}},
			{"option-default-removed", Option, Breaking, user, "The default of the option is no longer declared.", []fact{defaultRemoved}},
			{"option-scope", Option, Breaking, user, "The option was set for each tool and is now set once for all tools, or vice versa. Its environment variable and flag have new names.", nil},
			{"option-words", Option, Words, "", "The description or the examples of an option changed.", []fact{reworded}},
		}},
		{"Error codes", []Rule{
			{"code-added", Code, Breaking, caller, "Calls can fail with a new code that callers might not handle.", nil},
			{"code-removed", Code, Compatible, "", "Calls no longer fail with the code.", nil},
			{"server-code-added", Code, Compatible, "", "The server declares a new code. Tools that fail with it are reported separately.", nil},
			{"server-code-removed", Code, Compatible, "", "The server no longer declares the code. Tools that failed with it are reported separately.", nil},
			{"code-words", Code, Words, "", "The description of a code changed.", nil},
		}},
		{"Annotations", []Rule{
			{"read-only-lost", Hint, Breaking, host, "The tool is no longer declared as read-only. Hosts that call it without approval must now ask the user.", nil},
			{"read-only-gained", Hint, Compatible, "", "The tool is now declared as read-only.", nil},
			{"destructive-gained", Hint, Breaking, host, "The tool may now destroy data. Hosts that call it without approval must now ask the user.", nil},
			{"destructive-lost", Hint, Compatible, "", "The tool is now declared as not destructive.", nil},
			{"idempotent-lost", Hint, Breaking, host, "A repeated call may now have an additional effect. Hosts must not retry calls.", nil},
			{"idempotent-gained", Hint, Compatible, "", "A repeated call now has no additional effect.", nil},
			{"open-world-gained", Hint, Breaking, host, "The tool may now access external systems. Hosts that rely on the old declaration must now ask the user.", nil},
			{"open-world-lost", Hint, Compatible, "", "The tool is now declared not to access external systems.", nil},
			{"mutates-gained", Hint, Compatible, "", "The result now reports the state after a change.", nil},
			{"mutates-lost", Hint, Breaking, reader, "The result no longer reports the state after a change.", nil},
			{"files-gained", Hint, Compatible, "", "The tool now works with files. Hosts may have to start the server with --root.", nil},
			{"files-lost", Hint, Compatible, "", "The tool no longer works with files.", nil},
			{"hint-restated", Hint, Compatible, "", "An annotation with its default value was added or removed. The meaning is the same.", nil},
		}},
		{"Toolsets and scopes", []Rule{
			{"toolset-added", Access, Compatible, "", "A toolset was added.", nil},
			{"toolset-removed", Access, Breaking, user, "The toolset was removed. Servers and clients that select it report an error.", nil},
			{"toolset-default-gained", Access, Compatible, "", "The toolset is now on by default.", nil},
			{"toolset-default-lost", Access, Breaking, caller, "The toolset is no longer on by default. Callers that select nothing no longer see what belongs to it.", nil},
			{"toolset-words", Access, Words, "", "The text of the toolset changed.", nil},
			{"tool-toolset-changed", Access, Breaking, user, "The tool moved to another toolset. Servers and clients that select the old one no longer offer it.", nil},
			{"resource-toolset-changed", Access, Breaking, user, "The resource moved to another toolset. Servers and clients that select the old one no longer offer it.", nil},
			{"prompt-toolset-changed", Access, Breaking, user, "The prompt moved to another toolset. Servers and clients that select the old one no longer offer it.", nil},
			{"scope-required", Access, Breaking, caller, "Callers need a scope that they did not need. Requests with a token without it are refused.", nil},
			{"scope-not-required", Access, Compatible, "", "Callers no longer need the scope.", nil},
			{"scope-implied", Access, Compatible, "", "The scope now implies another scope.", nil},
			{"scope-not-implied", Access, Breaking, caller, "The scope no longer implies another scope. Requests with a token that only has the first are refused.", nil},
		}},
		{"Resources", []Rule{
			{"resource-added", Resource, Compatible, "", "A resource or a template was added.", nil},
			{"resource-removed", Resource, Breaking, caller, "The resource or the template was removed. A stored URI can no longer be read.", nil},
			{"resource-renamed", Resource, Breaking, caller, "The URI of the resource or the template seems to have changed. A stored URI can no longer be read.", nil},
			{"resource-type-changed", Resource, Breaking, reader, "The MIME type of the resource changed, or is no longer declared.", nil},
			{"resource-type-added", Resource, Compatible, "", "The MIME type of the resource is now declared.", nil},
			{"resource-words", Resource, Words, "", "The name, the title or the description of the resource, or the description of a variable, changed.", []fact{reworded}},
			{"resource-meta", Resource, Words, "", "The icon or the declared _meta of the resource changed.", nil},
			{"resource-ttl", Resource, Compatible, "", "The time for which clients may cache the content changed.", nil},
			{"resource-listed", Resource, Compatible, "", "The list of resources now contains the resources of the template.", nil},
			{"resource-unlisted", Resource, Breaking, host, "The list of resources no longer contains the resources of the template.", nil},
			{"resource-watched", Resource, Compatible, "", "Clients can now subscribe to changes of the resource.", nil},
			{"resource-unwatched", Resource, Breaking, host, "Clients can no longer subscribe to changes of the resource.", nil},
			{"directory-gained", Resource, Compatible, "", "The template now has the files of a directory.", nil},
			{"directory-lost", Resource, Breaking, reader, "The template no longer has the files of a directory.", nil},
			{"variable-added", Resource, Compatible, "", "An optional variable was added to the template. URIs without it are still valid.", []fact{added}},
			{"variable-added-required", Resource, Breaking, caller, "A required variable was added to the template. URIs without it cannot be read.", []fact{addedRequired}},
			{"variable-removed", Resource, Breaking, caller, "A variable was removed from the template. Clients that fill it in make URIs that cannot be read.", []fact{removed}},
			{"variable-renamed", Resource, Breaking, caller, "A variable of the template seems to have been renamed. Clients that fill in the old name make URIs that cannot be read.", []fact{renamed}},
			{"variable-required", Resource, Breaking, caller, "The variable was optional and is now required. URIs without it cannot be read.", []fact{becameRequired}},
			{"variable-optional", Resource, Compatible, "", "The variable is now optional.", []fact{becameOptional}},
			{"variable-narrowed", Resource, Breaking, caller, "A value of the variable that was accepted is now rejected.", []fact{
				typeChanged, typeNarrowed, valuesRemoved, tightened, formAdded, formChanged, closed, unjudged,
			}},
			{"variable-widened", Resource, Compatible, "", "The variable accepts more values.", []fact{typeWidened, valuesAdded, loosened, formDropped, opened}},
			{"variable-safe-integers", Resource, Compatible, "", "The schema of an integer now has, or no longer has, the bounds of ±(2^53-1). URIs contain all digits.", []fact{safeAdded, safeDropped}},
			{"variable-default-added", Resource, Compatible, "", "The default of the variable is now declared.", []fact{defaultAdded}},
			{"variable-default-changed", Resource, Breaking, caller, "The default of the variable changed. URIs without it have other content.", []fact{defaultChanged}},
			{"variable-default-removed", Resource, Breaking, caller, "The default of the variable is no longer declared.", []fact{defaultRemoved}},
			{"completion-added", Resource, Compatible, "", "The server now completes the value of the variable or argument.", nil},
			{"completion-removed", Resource, Breaking, host, "The server no longer completes the value of the variable or argument.", nil},
		}},
		{"Prompts", []Rule{
			{"prompt-added", Prompt, Compatible, "", "A prompt was added.", nil},
			{"prompt-removed", Prompt, Breaking, caller, "The prompt was removed.", nil},
			{"prompt-renamed", Prompt, Breaking, caller, "The name of the prompt seems to have changed.", nil},
			{"prompt-argument-added", Prompt, Compatible, "", "An optional argument was added.", []fact{added}},
			{"prompt-argument-added-required", Prompt, Breaking, caller, "A required argument was added. Requests without it fail.", []fact{addedRequired}},
			{"prompt-argument-removed", Prompt, Breaking, caller, "The argument was removed. Requests that pass it fail, or the argument is ignored.", []fact{removed}},
			{"prompt-argument-renamed", Prompt, Breaking, caller, "The argument seems to have been renamed. Requests with the old name fail, or the old name is ignored.", []fact{renamed}},
			{"prompt-argument-required", Prompt, Breaking, caller, "The argument was optional and is now required.", []fact{becameRequired}},
			{"prompt-argument-optional", Prompt, Compatible, "", "The argument is now optional.", []fact{becameOptional}},
			{"prompt-argument-narrowed", Prompt, Breaking, caller, "A value of the argument that was accepted is now rejected.", []fact{
				typeChanged, typeNarrowed, valuesRemoved, tightened, formAdded, formChanged, closed, unjudged,
			}},
			{"prompt-argument-widened", Prompt, Compatible, "", "The argument accepts more values.", []fact{typeWidened, valuesAdded, loosened, formDropped, opened}},
			{"prompt-argument-safe-integers", Prompt, Compatible, "", "The schema of an integer now has, or no longer has, the bounds of ±(2^53-1). Requests contain all digits.", []fact{safeAdded, safeDropped}},
			{"prompt-argument-default-added", Prompt, Compatible, "", "The default of the argument is now declared.", []fact{defaultAdded}},
			{"prompt-argument-default-changed", Prompt, Breaking, caller, "The default of the argument changed. Requests without it have a different effect.", []fact{defaultChanged}},
			{"prompt-argument-default-removed", Prompt, Breaking, caller, "The default of the argument is no longer declared.", []fact{defaultRemoved}},
			{"prompt-words", Prompt, Words, "", "The title or the description of the prompt, or the description of an argument, changed.", []fact{reworded}},
			{"prompt-meta", Prompt, Words, "", "The icon or the declared _meta of the prompt changed.", nil},
		}},
		{"Skills", []Rule{
			{"skill-added", Skill, Compatible, "", "A skill was added.", nil},
			{"skill-removed", Skill, Breaking, host, "The skill was removed. Hosts that have its URI can no longer load it.", nil},
			{"skill-content", Skill, Words, "", "A file of the skill was changed, added or removed. Users may have to approve the skill again.", nil},
		}},
	}
}

// A fact is a difference between two schemas, named after its effect on the set of allowed values. Whether a
// fact is breaking depends on whether the server receives or sends the values, so each part of a contract has its
// own rule for the fact.
type fact int

const (
	added          fact = iota + 1 // an optional property was added
	addedRequired                  // a required property was added
	removed                        // a property was removed
	renamed                        // a property was renamed
	becameRequired                 // a property became required
	becameOptional                 // a property became optional
	typeNarrowed
	typeWidened
	typeChanged // some types were removed, and others added
	valuesRemoved
	valuesAdded
	tightened // a bound of a length, count or number became stricter
	loosened
	safeAdded // an integer got a bound of 2^53-1, beyond which a float64 is not exact
	safeDropped
	formAdded // a pattern, format or encoding was added
	formDropped
	formChanged
	defaultAdded
	defaultChanged
	defaultRemoved
	closed // undeclared names are no longer allowed
	opened
	unjudged // another keyword changed
	reworded
)
