package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/examples/bookworm/internal/library"
	"github.com/jptool/jptool/examples/bookworm/internal/registry"
	"github.com/jptool/jptool/examples/internal/loglevel"
)

// settings are the flags of all commands that use the network or the cache.
type settings struct {
	config library.Config
	flags  *pflag.FlagSet
}

// variables are the environment variables for flags that are not on the command line.
var variables = map[string]string{
	"crates-io-url": "BOOKWORM_CRATES_IO_URL", "docs-rs-url": "BOOKWORM_DOCS_RS_URL", "cache": "BOOKWORM_CACHE_DIR", "offline": "BOOKWORM_OFFLINE",
	"max-cache": "BOOKWORM_MAX_CACHE", "fresh": "BOOKWORM_FRESH", "timeout": "BOOKWORM_TIMEOUT", "download-timeout": "BOOKWORM_DOWNLOAD_TIMEOUT",
}

// define defines the flags.
func (s *settings) define(f *pflag.FlagSet) {
	s.flags = f
	s.config.Version = strings.Trim(version(), "()")
	limit := byteSize(4 << 30)
	s.config.CacheBytes = int64(limit)
	text := func(flag, usage string) string { return usage + " ($" + variables[flag] + ")" }
	f.StringVar(&s.config.CratesIO, "crates-io-url", library.CratesIO, text("crates-io-url", "`URL` of crates.io"))
	f.StringVar(&s.config.DocsRS, "docs-rs-url", library.DocsRS, text("docs-rs-url", "`URL` of docs.rs"))
	f.StringVar(&s.config.Cache, "cache", "", text("cache", "`directory` of the cache (default bookworm in the user's cache directory)"))
	f.BoolVar(&s.config.Offline, "offline", false, text("offline", "use only the cache"))
	f.Var((*byteSize)(&s.config.CacheBytes), "max-cache", text("max-cache", "maximum size of the cache, e.g. 500MiB; 0 means no limit"))
	f.DurationVar(&s.config.Fresh, "fresh", registry.FreshFor, text("fresh", "how long to use a response from crates.io without checking it again"))
	f.DurationVar(&s.config.Timeout, "timeout", 30*time.Second, text("timeout", "maximum duration of a request; a download may stall for half of this time"))
	f.DurationVar(&s.config.Download, "download-timeout", 10*time.Minute, text("download-timeout", "maximum duration of a download"))
}

// environment sets the flags that are not on the command line from environment variables.
func (s *settings) environment() error {
	for flag, variable := range variables {
		value, ok := os.LookupEnv(variable)
		if f := s.flags.Lookup(flag); !ok || value == "" || f == nil || f.Changed {
			continue
		}
		if err := s.flags.Set(flag, value); err != nil {
			return usagef("$%s: %v", variable, err)
		}
	}
	for flag, d := range map[string]time.Duration{"fresh": s.config.Fresh + 1, "timeout": s.config.Timeout, "download-timeout": s.config.Download} {
		if d <= 0 {
			return usagef("--%s must be positive, e.g. 30s", flag)
		}
	}
	return nil
}

// open opens the library with these settings.
func (s *settings) open() (*library.Library, error) {
	if err := s.environment(); err != nil {
		return nil, err
	}
	l, err := library.Open(s.config)
	if err != nil {
		return nil, &usageError{err.Error()}
	}
	return l, nil
}

// byteSize is a number of bytes.
type byteSize int64

var units = []struct {
	name string
	size int64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}, {"", 1}}

// Set parses a number with or without a unit.
func (b *byteSize) Set(text string) error {
	for _, u := range units {
		number, ok := strings.CutSuffix(text, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
		if err != nil || n < 0 || n > (1<<62)/u.size {
			break
		}
		*b = byteSize(n * u.size)
		return nil
	}
	return fmt.Errorf("invalid size %q: must be a number of bytes, or a size such as 500MiB or 4GiB", text)
}

// String formats the size in the largest unit that divides it.
func (b *byteSize) String() string {
	for _, u := range units {
		if n := int64(*b); n >= u.size && n%u.size == 0 {
			return fmt.Sprintf("%d%s", n/u.size, u.name)
		}
	}
	return "0"
}

// Type returns the type of the value for help texts.
func (*byteSize) Type() string { return "size" }

// logging is the log configuration from the environment.
type logging struct {
	level string
	to    io.WriteCloser // nil for standard error
}

// readLogging reads WRM_LOG (see [loglevel.FromEnv]) and WRM_LOG_FILE. It ignores a file whose directory does
// not exist.
func readLogging() (logging, error) {
	level, err := loglevel.FromEnv("WRM_LOG")
	if err != nil {
		return logging{}, &usageError{err.Error()}
	}
	l := logging{level: level}
	if path := os.Getenv("WRM_LOG_FILE"); path != "" {
		if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
			return l, nil
		}
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
		if err != nil {
			return l, usagef("$WRM_LOG_FILE: %v", err)
		}
		l.to = f
	}
	return l, nil
}

// start makes the configured log the default log.
func (l logging) start(standard io.Writer) error {
	var level slog.Level
	if err := level.UnmarshalText([]byte(l.level)); err != nil {
		return err
	}
	if l.to != nil {
		standard = l.to
	}
	slog.SetDefault(slog.New(slog.NewTextHandler(standard, &slog.HandlerOptions{Level: level})))
	return nil
}
