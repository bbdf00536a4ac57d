// Package other does things for another package.
package other

import (
	"net/http"
	"os"
)

// Save writes a file.
func Save(path string) error { return os.WriteFile(path, nil, 0o600) }

// Cache writes a cache.
//
//jp:allow JP715 reason="a cache"
func Cache(path string) error { return os.WriteFile(path, nil, 0o600) }

// Fetch contacts another machine.
func Fetch(url string) error {
	answer, err := http.Get(url)
	if err != nil {
		return err
	}
	return answer.Body.Close()
}

// Input counts how often it is shown.
type Input struct {
	// Name of the file.
	Name string `json:"name" jsonschema:"pattern=^[a-z]+$"`
}

// Format writes a file.
func (in Input) Format() string {
	_ = Save("shown")
	return in.Name
}
