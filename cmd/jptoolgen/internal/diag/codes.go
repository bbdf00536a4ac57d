package diag

// A Code identifies a kind of finding. Codes are stable, because scripts and baselines contain them. The first
// digit is the group:
//   - 0: Go itself and the generated files
//   - 1: directives
//   - 2: types and schemas
//   - 3: questions and options
//   - 4: servers and tools
//   - 5: documentation
//   - 6: conventions that a server opts into
//   - 7: the behavior of handlers, which package jpvet reports
type Code string

// The codes of findings.
const (
	GoError   Code = "JP001"
	StaleCode Code = "JP002"

	UnknownDirective Code = "JP101"
	UnknownArgument  Code = "JP102"
	BadArgument      Code = "JP103"
	MisplacedLine    Code = "JP104"
	Repeated         Code = "JP105"
	MissingArgument  Code = "JP106"
	IdleArgument     Code = "JP107"

	UnsupportedType   Code = "JP201"
	RecursiveType     Code = "JP202"
	NestedParameter   Code = "JP203"
	BadFieldName      Code = "JP204"
	DuplicateField    Code = "JP205"
	UnknownConstraint Code = "JP206"
	IdleConstraint    Code = "JP207"
	BadConstraint     Code = "JP208"
	BadDefault        Code = "JP209"
	UnsupportedTag    Code = "JP210"
	OpaqueType        Code = "JP211"
	RepeatedValue     Code = "JP212"
	Misfit            Code = "JP213"
	WideSchema        Code = "JP214"
	BadSchema         Code = "JP215"
	UnclearEnum       Code = "JP216"

	NotAQuestion      Code = "JP301"
	BadQuestionID     Code = "JP302"
	DuplicateQuestion Code = "JP303"
	BadAnswer         Code = "JP304"
	NoChoice          Code = "JP305"
	RiskyDefault      Code = "JP306"
	BadRelay          Code = "JP307"

	BadServerName  Code = "JP401"
	BadToolName    Code = "JP402"
	DuplicateName  Code = "JP403"
	BadSignature   Code = "JP404"
	NoReceiver     Code = "JP405"
	UnknownFault   Code = "JP406"
	NoServer       Code = "JP407"
	TakenName      Code = "JP408"
	NoTools        Code = "JP409"
	BadAlias       Code = "JP410"
	NoStateAfter   Code = "JP411"
	NotBuilt       Code = "JP412"
	ReservedImport Code = "JP413"
	LongList       Code = "JP414"
	BadURI         Code = "JP415"
	BadVariable    Code = "JP416"
	AmbiguousURI   Code = "JP417"
	UnknownPart    Code = "JP418"
	BadSkill       Code = "JP420"
	StraySkill     Code = "JP421"

	MissingDoc     Code = "JP501"
	LongDoc        Code = "JP502"
	UnreadableDocs Code = "JP503"

	NoEnvelope     Code = "JP601"
	LateSubject    Code = "JP602"
	SilentOptional Code = "JP603"
	NumberedChoice Code = "JP604"
	RequiredLabel  Code = "JP605"
	UntoldChange   Code = "JP606"
	MagicString    Code = "JP607"

	UnreadError      Code = "JP701"
	StrayQuestion    Code = "JP702"
	EarlyEffect      Code = "JP704"
	UndeclaredFault  Code = "JP705"
	IdleFault        Code = "JP706"
	IdleQuestion     Code = "JP707"
	IdleOption       Code = "JP708"
	PastAlias        Code = "JP709"
	IdleAllow        Code = "JP710"
	LostError        Code = "JP711"
	MadeUpAnswer     Code = "JP712"
	RepeatedQuestion Code = "JP713"
	UnstableQuestion Code = "JP714"
	ReadOnlyEffect   Code = "JP715"
	FormatEffect     Code = "JP716"
	ClosedWorld      Code = "JP717"
	UncheckedInput   Code = "JP718"
	UnknownWord      Code = "JP719"
	UncodedError     Code = "JP720"
	ComputedCode     Code = "JP721"
	KeptQuestion     Code = "JP722"
	ReplacedQuestion Code = "JP723"
	ForeignContext   Code = "JP724"
	UnusedAnswer     Code = "JP727"
	LockedQuestion   Code = "JP728"
	WrittenURI       Code = "JP729"
	TaskEffect       Code = "JP730"
)

// A Kind is a code and its title.
type Kind struct {
	Code  Code
	Title string
}

// Kinds returns all codes in order.
func Kinds() []Kind {
	return []Kind{
		{GoError, "source does not compile"},
		{StaleCode, "generated code out of date"},

		{UnknownDirective, "unknown directive"},
		{UnknownArgument, "unknown argument of a directive"},
		{BadArgument, "invalid argument of a directive"},
		{MisplacedLine, "directive in the wrong place"},
		{Repeated, "duplicate directive or argument"},
		{MissingArgument, "missing argument of a directive"},
		{IdleArgument, "argument of a directive without effect"},

		{UnsupportedType, "unsupported type"},
		{RecursiveType, "recursive type"},
		{NestedParameter, "unsupported nesting"},
		{BadFieldName, "invalid field name"},
		{DuplicateField, "duplicate field name"},
		{UnknownConstraint, "unknown constraint"},
		{IdleConstraint, "constraint that does not apply"},
		{BadConstraint, "invalid constraint"},
		{BadDefault, "invalid default"},
		{UnsupportedTag, "unsupported struct tag"},
		{OpaqueType, "type with custom JSON"},
		{RepeatedValue, "duplicate constant value"},
		{Misfit, "type that does not fit its exact schema"},
		{WideSchema, "schema that some clients do not support"},
		{BadSchema, "invalid schema"},
		{UnclearEnum, "type with constants that may have other values"},

		{NotAQuestion, "field that is not a question"},
		{BadQuestionID, "invalid question id"},
		{DuplicateQuestion, "duplicate question id"},
		{BadAnswer, "invalid default of a question"},
		{NoChoice, "choice without values"},
		{RiskyDefault, "destructive action confirmed by default"},
		{BadRelay, "answer that a model cannot relay"},

		{BadServerName, "invalid server name"},
		{BadToolName, "invalid name"},
		{DuplicateName, "duplicate name"},
		{BadSignature, "invalid signature"},
		{NoReceiver, "method without a server"},
		{UnknownFault, "unknown error code"},
		{NoServer, "no server in the package"},
		{TakenName, "name declared by the generated file"},
		{NoTools, "server without tools, resources and prompts"},
		{BadAlias, "invalid former name of a tool"},
		{NoStateAfter, "mutating tool without state_after"},
		{NotBuilt, "declaration in a file that is not built"},
		{ReservedImport, "import reserved for generated code"},
		{LongList, "list of tools over its budget"},
		{BadURI, "invalid URI of a resource"},
		{BadVariable, "variable without a suitable field"},
		{AmbiguousURI, "two resources that match the same URI"},
		{UnknownPart, "list, watch or complete without a resource or prompt"},
		{BadSkill, "invalid skill"},
		{StraySkill, "name or URI in a skill that the server does not have"},

		{MissingDoc, "missing comment"},
		{LongDoc, "comment too long"},
		{UnreadableDocs, "unreadable comments"},

		{NoEnvelope, "results without an envelope"},
		{LateSubject, "id that is not the first parameter"},
		{SilentOptional, "optional parameter that cannot be null"},
		{NumberedChoice, "numeric choice"},
		{RequiredLabel, "required label"},
		{UntoldChange, "tool without readonly or mutates"},
		{MagicString, "argument compared with a value that its schema does not list"},

		{UnreadError, "answer used without checking its error"},
		{StrayQuestion, "question in a goroutine"},
		{EarlyEffect, "side effect before a question"},
		{UndeclaredFault, "undeclared error code"},
		{IdleFault, "declared error code that is not used"},
		{IdleQuestion, "declared question that is not asked"},
		{IdleOption, "declared option that is not read"},
		{PastAlias, "expired former name"},
		{IdleAllow, "unused //jp:allow"},
		{LostError, "lost error from a question"},
		{MadeUpAnswer, "answer set although the question was not answered"},
		{RepeatedQuestion, "question asked repeatedly without For"},
		{UnstableQuestion, "question that differs between runs"},
		{ReadOnlyEffect, "side effect in a read-only tool"},
		{FormatEffect, "side effect in a Format method"},
		{ClosedWorld, "network access in a closed-world tool"},
		{UncheckedInput, "argument used as a path, program or host"},
		{UnknownWord, "value that is not a constant of its type"},
		{UncodedError, "error without a code"},
		{ComputedCode, "error code computed at run time"},
		{KeptQuestion, "question that outlives its call"},
		{ReplacedQuestion, "question replaced or not declared"},
		{ForeignContext, "question asked with a different context"},
		{UnusedAnswer, "unused answer to a Confirm"},
		{LockedQuestion, "question asked while a lock is held"},
		{WrittenURI, "URI of a resource written by hand"},
		{TaskEffect, "side effect outside tool.Once in a tool with tasks"},
	}
}

// Title returns a short description of c, or "" for an unknown code.
func (c Code) Title() string {
	for _, k := range Kinds() {
		if k.Code == c {
			return k.Title
		}
	}
	return ""
}

// Removed returns what the server does about the fault that a rule of earlier versions found, or "" for other codes.
func (c Code) Removed() string {
	switch c {
	case "JP703":
		return "a call that asks a question with a context from tool.Branch fails with the code internal"
	case "JP725":
		return "a call that asks a Pick without values, or with an empty or repeated one, fails with the code internal"
	case "JP726":
		return "a call that asks a Visit without a URL fails with the code internal"
	}
	return ""
}
