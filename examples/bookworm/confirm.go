package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
)

// overwrite asks whether to replace the file at path (question confirm-overwrite). If there is no terminal, or
// if the user does not say yes, it returns an error that mentions --force.
func overwrite(ctx context.Context, c console, path string, force bool) error {
	if _, err := os.Lstat(path); force || errors.Is(err, os.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	refused := fmt.Errorf("%s already exists; use --force to replace it", path)
	if !isTerminal(c.in) {
		return refused
	}
	fmt.Fprintf(c.err, "%s already exists. Replace it? [y/N] ", path)
	answer := make(chan string, 1)
	go func() { // if the user does not answer, the goroutine ends with the process
		line, _ := bufio.NewReader(c.in).ReadString('\n')
		answer <- line
	}()
	select {
	case line := <-answer:
		if word := strings.ToLower(strings.TrimSpace(line)); word == "y" || word == "yes" {
			return nil
		}
		return refused
	case <-ctx.Done():
		return ctx.Err()
	}
}
