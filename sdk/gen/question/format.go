package question

import (
	"net/mail"
	"net/url"
	"time"
)

// Formats returns the names of text formats, as in MCP's forms (MCP 2025-06-18, Elicitation).
func Formats() []string { return []string{"email", "uri", "date", "date-time"} }

// formatNoun describes text in a format, or returns "" if there is no format.
func formatNoun(format string) string {
	switch format {
	case "email":
		return "an email address"
	case "uri":
		return "a URI such as https://example.com/"
	case "date":
		return "a date such as " + time.DateOnly
	case "date-time":
		return "a time such as 2006-01-02T15:04:05Z"
	}
	return ""
}

// formatFits reports whether s has the given format.
func formatFits(format, s string) bool {
	var err error
	switch format {
	case "email":
		var a *mail.Address
		a, err = mail.ParseAddress(s)
		return err == nil && a.Address == s
	case "uri":
		var u *url.URL
		u, err = url.Parse(s)
		return err == nil && u.IsAbs() && (u.Host != "" || u.Opaque != "" || u.Path != "")
	case "date":
		_, err = time.Parse(time.DateOnly, s)
	case "date-time":
		_, err = time.Parse(time.RFC3339, s)
	}
	return err == nil
}
