package elicit

import (
	"context"
	"encoding/json"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/gen/question"
)

// A Confirm is a yes-or-no question.
type Confirm struct{ base[Confirm, bool] }

// A Choice is a question whose answer is one of the declared constants of T.
type Choice[T ~string] struct{ base[Choice[T], T] }

// A Several is a question whose answer is a list of declared constants of T, each at most once. The
// jsonschema tag can limit their number with minItems and maxItems.
type Several[T ~string] struct{ base[Several[T], []T] }

// A Text is a question whose answer is a string. The jsonschema tag can limit its length and require a
// pattern or a format: email, uri, date or date-time.
type Text struct{ base[Text, string] }

// A Number is a question whose answer is a number.
type Number struct{ base[Number, float64] }

// A Pick is a question whose answer is one value from a list that is built at run time.
type Pick struct{ base[Pick, string] }

// A Secret is a question whose answer is a string that must stay between the user and the tool, such as a
// password. It is asked only where the answer is neither echoed nor seen by a model: by a program that calls
// the tool in its own process, and by JP if the server is started with --jp. MCP forbids forms that ask
// for a secret (use a [Visit]), and other protocols show the answer. There, Ask fails with input_unavailable,
// unless the host sends the answer with the call. A local tool of JP gets its answers on the command line, which
// other programs can read, so it does not accept a secret there. This module keeps the answer out of its logs and
// errors; the handler must do the same.
type Secret struct{ base[Secret, string] }

// A Visit is a question that sends the user to a web page, for input that must not pass through the client: a
// password, an authorization or a payment. The author's program serves the page. The answer is true and means
// only that the user agreed to open the page.
//
//	page := ask.SignIn.At(url)
//	if _, err := page.Ask(ctx, "Sign in to %s.", account); err != nil {
//		return err
//	}
//	token, err := pages.Wait(ctx, state) // your own code
//	page.Done(ctx)
//
// The page must verify that the user who finishes is the user who made the call, because a link can be shared. A
// visit is asked by a program that calls the tool in its own process, and by MCP clients with URL mode
// elicitation (since 2025-11-25). Elsewhere, Ask fails with input_unavailable, unless the host sends the answer
// with the call: a message with the URL would show it to a model, which could follow or change it.
type Visit struct{ base[Visit, bool] }

// A Form is a question whose answer is a flat struct of strings, constants, numbers and booleans. If the
// protocol has no forms, each field is asked separately. The id of such a question is the id of the form, a
// dash and the name of the field.
//
// Hosts fill in the default of a field (MCP 2025-11-25, Elicitation). It is also the value of a field
// that the answer omits. The form itself has no default: without a user to ask, Ask fails.
type Form[T any] struct{ base[Form[T], T] }

// A Part is a question and the variable for its answer; see [Together].
type Part struct{ part question.Part }

// Together asks questions that do not depend on each other: in one response if the protocol supports it (MCP
// since 2026-07-28, JP RFD 058), otherwise one at a time.
//
//	var name string
//	var guests float64
//	err := elicit.Together(ctx,
//		ask.Name.Into(&name, "Who is it for?"),
//		ask.Guests.Into(&guests, "How many guests?"),
//	)
//
// Each question is asked as its Ask method would ask it, under its own id, and only if its answer is not known.
// Together joins the errors of all unanswered questions, in the order of the parts, and sets the variables of
// the answered ones. A handler that continues without some of the answers calls [Acknowledge]. Asking one of the
// questions again, with the same message, returns its own answer or error. If one of the questions cannot be
// asked, Together asks no question.
func Together(ctx context.Context, parts ...Part) error {
	all := make([]question.Part, len(parts))
	for i, p := range parts {
		all[i] = p.part
	}
	return question.Ask(ctx, all...)
}

// base implements the methods of all question types; Q is the question type, T the answer.
type base[Q, T any] struct {
	q    question.Question
	read func(json.RawMessage) (T, error)
}

// Bound returns q as a question of type Q whose answers are decoded by read. It is for
// sdk/gen/bind.
func Bound[Q, T any](q question.Question, read func(json.RawMessage) (T, error)) Q {
	return as[Q](base[Q, T]{q, read})
}

// as returns b as a question of type Q, which embeds base.
func as[Q, T any](b base[Q, T]) (out Q) {
	any(&out).(interface{ set(base[Q, T]) }).set(b)
	return out
}

func (b *base[Q, T]) set(other base[Q, T]) { *b = other }

// Ask asks the user and returns the answer. The message is formatted with [fmt.Sprintf] and
// folded to one line.
//
// The error is a fault. If the user did not answer, its code is input_declined, and it wraps [ErrDeclined] or
// [ErrCanceled]. If there is no user to ask and no default is declared, its code is input_unavailable. Return
// the error. A [Confirm] without an answer ends the call with that error even if the handler drops it, unless
// the handler calls [Acknowledge].
//
// A user who gives an invalid answer is asked again, at most twice, with the reason in the message.
//
// If the answer will arrive in a later run, Ask does not return: it ends the goroutine as [runtime.Goexit]
// does, so that nothing after it happens before the user has answered. Deferred functions run. Ask also ends
// the goroutine if the answer is invalid, if ctx or the call has ended, or if the question is not permitted. A
// question is not permitted if the tool does not declare it, if it is asked from a goroutine other than the
// handler's, or if it is asked twice in one run with different messages. In a tool without questions, Ask
// returns the fault instead, and the call ends with it.
func (b base[Q, T]) Ask(ctx context.Context, format string, args ...any) (T, error) {
	var answer T
	err := question.Ask(ctx, b.part(&answer, b.q.Put(format, args...)))
	return answer, err
}

// Into returns a part that makes [Together] ask the question and store the answer in *answer. The format and args
// form the message, as in Ask.
func (b base[Q, T]) Into(answer *T, format string, args ...any) Part {
	return Part{b.part(answer, b.q.Put(format, args...))}
}

func (b base[Q, T]) part(answer *T, q question.Question) question.Part {
	return question.Part{Question: q, Read: func(content json.RawMessage) error {
		got, err := b.read(content)
		if err == nil {
			*answer = got
		}
		return err
	}}
}

// For returns a copy of the question for one of several subjects, with a separate id. JP hosts store answers by
// tool and id, so consent for one subject would otherwise apply to the next. The id consists of the
// question's id, a dash and the subject. If the subject is not valid in an id, a digest replaces it. With the
// tag `ask:",subjects"`, a configured answer under the question's id applies to every subject that has no
// separate answer. JP since 2026-08-24 does not send such an answer.
func (b base[Q, T]) For(subject string) Q {
	b.q = b.q.For(subject)
	return as[Q](b)
}

// Preamble returns a copy of the question with text to show before the message. Hosts may omit it, so
// the message must be complete without it.
func (b base[Q, T]) Preamble(text string) Q {
	b.q.Preamble = text
	return as[Q](b)
}

// Show returns a copy of the question with content blocks to show before the message. Hosts that do not support
// blocks show the text of the blocks as the preamble.
func (b base[Q, T]) Show(blocks ...content.Block) Q {
	b.q.Context = blocks
	return as[Q](b)
}

// Among returns a copy of the question that accepts the given values, in display order. There must be at least
// one, and the values must be distinct and not empty.
func (p Pick) Among(values ...string) Pick {
	p.q.Options = make([]question.Option, len(values))
	for i, v := range values {
		p.q.Options[i] = question.Option{Value: v}
	}
	return p
}

// Offer returns a copy of the question that accepts the given values and shows their titles, in display order.
// There must be at least one, and values and titles must be distinct. The user chooses a title, and the answer
// is its value.
//
//	ask.Note.Offer(elicit.Option{Value: note.ID, Title: note.Title}, ...)
func (p Pick) Offer(options ...Option) Pick {
	p.q.Options = options
	return p
}

// Default returns a copy of the question with an answer to use if there is no user to ask.
func (p Pick) Default(value string) Pick {
	p.q.Spec.Default = string(rawjson.Quote(value))
	return p
}

// At returns a copy of the question with the URL of the page to open. The URL must use https, or http on a
// loopback address, and have no user name or password. The message names the host. The URL must be the same in
// every run of a call; to use a new URL for each call, create it with tool.Once.
func (v Visit) At(url string) Visit {
	v.q.URL = url
	return v
}

// Done tells the client that the user has finished on the page.
func (v Visit) Done(ctx context.Context) { question.Done(ctx, v.q) }

// ErrDeclined is wrapped by the error that Ask returns if the user declined to answer.
var ErrDeclined = question.ErrDeclined

// ErrCanceled is wrapped by the error that Ask returns if the user dismissed the question.
var ErrCanceled = question.ErrCanceled

// Acknowledge reports whether err is the error from a question that was declined or canceled, or that could not be
// asked. If so, the handler may continue without the answer, even to a [Confirm].
//
//	ok, err := ask.Overwrite.Ask(ctx, "Overwrite %s?", name)
//	if elicit.Acknowledge(err) {
//		return "kept " + name, nil
//	}
func Acknowledge(err error) bool { return question.Acknowledge(err) }
