package auth

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/jptool/jptool/sdk"
)

// Tokens is a [sdk.Verifier] for tokens that do not change.
type Tokens struct {
	byDigest map[[sha256.Size]byte]sdk.Identity
}

const (
	leastToken = 16      // characters
	mostFile   = 1 << 20 // bytes
	digestMark = "sha256:"
)

// ReadTokens reads a file with one caller a line: its name, its token, and its scopes, separated by spaces. A token of
// the form sha256:HEX is the SHA-256 digest of the token that the caller sends. Lines that start with # are ignored.
func ReadTokens(file string) (*Tokens, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("--auth-tokens: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostFile+1))
	if err != nil {
		return nil, fmt.Errorf("--auth-tokens: %w", err)
	}
	if len(text) > mostFile {
		return nil, fmt.Errorf("--auth-tokens %q: the file is longer than %d bytes", file, mostFile)
	}
	t := &Tokens{map[[sha256.Size]byte]sdk.Identity{}}
	number := 0
	for line := range strings.Lines(strings.TrimPrefix(string(text), "\ufeff")) {
		number++
		if err := t.add(line); err != nil {
			return nil, fmt.Errorf("--auth-tokens %q: line %d: %w", file, number, err)
		}
	}
	if len(t.byDigest) == 0 {
		return nil, fmt.Errorf("--auth-tokens %q: the file contains no tokens; write a line such as: alice TOKEN notes:read", file)
	}
	return t, nil
}

// add adds the caller in a line. The error does not contain the token.
func (t *Tokens) add(line string) error {
	words := strings.Fields(line)
	if len(words) == 0 || strings.HasPrefix(words[0], "#") {
		return nil
	}
	if len(words) == 1 {
		return fmt.Errorf("the caller %q has no token; write NAME TOKEN SCOPE", words[0])
	}
	digest := sha256.Sum256([]byte(words[1]))
	if text, ok := strings.CutPrefix(words[1], digestMark); ok {
		bytes, err := hex.DecodeString(text)
		if err != nil || len(bytes) != len(digest) {
			return fmt.Errorf("the digest of the caller %q must be %s and %d hexadecimal digits", words[0], digestMark, 2*len(digest))
		}
		digest = [sha256.Size]byte(bytes)
	} else if len(words[1]) < leastToken {
		return fmt.Errorf("the token of the caller %q is shorter than %d characters", words[0], leastToken)
	}
	if _, twice := t.byDigest[digest]; twice {
		return fmt.Errorf("the token of the caller %q occurs on an earlier line", words[0])
	}
	t.byDigest[digest] = sdk.Identity{Subject: words[0], Scopes: slices.Clone(words[2:])}
	return nil
}

// Verify returns the caller with the token. The digests in the map do not let callers learn a token from the time that
// Verify takes.
func (t *Tokens) Verify(_ context.Context, token string) (*sdk.Identity, error) {
	who, ok := t.byDigest[sha256.Sum256([]byte(token))]
	if !ok {
		return nil, fmt.Errorf("%w: it is not in the file of tokens", sdk.ErrToken)
	}
	return &who, nil
}

// either knows tokens in a file and JWTs.
type either struct {
	known *Tokens
	jwt   sdk.Verifier
}

func (e either) Verify(ctx context.Context, token string) (*sdk.Identity, error) {
	if who, err := e.known.Verify(ctx, token); err == nil {
		return who, nil
	}
	return e.jwt.Verify(ctx, token)
}
