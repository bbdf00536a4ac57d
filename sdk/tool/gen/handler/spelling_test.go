package handler_test

import (
	"context"
	"testing"
	"time"

	"github.com/jptool/jptool/internal/uris"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/decode"
	"github.com/jptool/jptool/sdk/gen/encode"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/tool"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

type level string

type inner struct {
	Deep *bool `json:"deep,omitempty"`
}

type reading struct {
	inner
	Inner
	X     float64       `json:"x"`
	When  time.Time     `json:"when"`
	Wait  time.Duration `json:"wait"`
	Level level         `json:"level"`
	Count uint8         `json:"count"`
}

// Inner is a part of the variables.
type Inner struct {
	Done bool `json:"done,omitempty"`
}

func decodeReading(o *decode.Object, in *reading) {
	decode.Field(o, "x", &in.X, decode.Float)
	decode.Field(o, "when", &in.When, decode.Time)
	decode.Field(o, "wait", &in.Wait, decode.Duration)
	decode.Field(o, "level", &in.Level, decode.Enum(level("low"), level("high")))
	decode.Field(o, "count", &in.Count, decode.Uint)
	decode.Field(o, "done", &in.Done, decode.Bool)
}

func encodeReading(o *encode.Object, in *reading) {
	encode.Field(o, "x", &in.X, encode.Float)
	encode.Field(o, "when", &in.When, encode.Time)
	encode.Field(o, "wait", &in.Wait, encode.Duration)
	encode.Field(o, "level", &in.Level, encode.Enum(level("low"), level("high")))
	encode.Field(o, "count", &in.Count, encode.Uint)
	encode.Omit(o, !in.Done, "done", &in.Done, encode.Bool)
}

const readingTemplate = "r://{x}/{when}/{wait}/{level}/{count}{?done}"

// read returns the error of a read.
func read(t *testing.T, uri string) error {
	t.Helper()
	template, err := uris.Parse(readingTemplate)
	if err != nil {
		t.Fatal(err)
	}
	values, ok := template.Match(uri)
	if !ok {
		t.Fatalf("%s does not match", uri)
	}
	arguments := "{"
	for i, v := range values {
		if i > 0 {
			arguments += ","
		}
		arguments += `"` + v.Variable + `":"` + v.Text + `"`
	}
	one := handler.New("reading", handler.Codec[reading, handler.None, handler.None, string]{
		Kind: handler.Resource, Input: decodeReading, Result: handler.Text[string],
	}, func(context.Context, *tool.Call, reading, handler.None, handler.None) (string, error) {
		return "ok", nil
	})
	contract := &manifest.Resource{Name: "reading", URITemplate: readingTemplate}
	_, err = one.Run(t.Context(), &handler.Run{
		Contract: contract.AsTool(), Arguments: []byte(arguments + "}"),
		Offer: &handler.Offer{Kind: handler.Resource, URI: uri, Resource: contract, Values: values},
	})
	return err
}

// Each value has a single spelling, which is that of the generated helpers.
func TestSpelling(t *testing.T) {
	const good = "r://1.5/2026-01-02T03%3A04%3A05Z/1m30s/high/7"
	for uri, want := range map[string]string{
		good:                 "",
		good + "?done=true":  "",
		good + "?done=false": "",
		"r://1.50/2026-01-02T03%3A04%3A05Z/1m30s/high/7":             good,
		"r://15e-1/2026-01-02T03%3A04%3A05Z/1m30s/high/7":            good,
		"r://1.5/2026-01-02T03%3A04%3A05.0Z/1m30s/high/7":            good,
		"r://1.5/2026-01-02T03%3A04%3A05Z/90s/high/7?done=true":      good + "?done=true",
		"r://1.5/2026-01-02T03%3A04%3A05Z/1m30s/HIGH/7":              good,
		"r://1.5/2026-01-02T03%3A04%3A05Z/1m30s/high/7.0":            good,
		"r://1.5/2026-01-02T03%3A04%3A05Z/1m30s/high/7?done=True":    "",
		"r://1.5/2026-01-02T03%3A04%3A05Z/1m30s/high/7?done=%20true": good + "?done=true",
	} {
		err := read(t, uri)
		f := fault.From(err)
		switch {
		case err == nil && want == "":
		case err == nil:
			t.Errorf("%s is read like %s", uri, want)
		case f.Code == fault.InvalidInput && want != good: // it cannot be decoded
		case f.Code != fault.NotFound || f.Details["nearest"] != want:
			t.Errorf("%s: %v %v, want %s", uri, err, f.Details, want)
		}
	}
	for _, x := range []float64{0, -1, 0.1, 1e-7, 1e21, 123456789012, 1.0 / 3} {
		for _, when := range []time.Time{{}, time.Date(2026, 1, 2, 3, 4, 5, 600, time.FixedZone("", 3600))} {
			uri := handler.URI(readingTemplate, encodeReading, reading{X: x, When: when, Wait: 90 * time.Second, Level: "low"})
			if err := read(t, uri); err != nil {
				t.Errorf("%s: %v", uri, err)
			}
		}
	}
}
