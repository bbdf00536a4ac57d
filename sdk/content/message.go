package content

// A Message is a part of a prompt. A prompt with one text for the user can also return a string.
type Message struct {
	Role  Role
	Block Block // a [Text], [Image], [Audio], [Resource] or [Link]
}

// Messages is the result of a prompt, in the order of the conversation.
type Messages []Message

// Say returns a message with a text.
func Say(role Role, text string) Message { return Message{role, Text{Text: text}} }
