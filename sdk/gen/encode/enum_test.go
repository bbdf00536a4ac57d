package encode_test

import (
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/encode"
)

type color string

const (
	red  color = "red"
	none color = ""
)

type level int8

const (
	low  level = -1
	high level = 1
)

type paint struct {
	Color  color
	Colors []color
	Level  level
}

// encodePaint is what jptoolgen would generate for optional members.
func encodePaint(o *encode.Object, p *paint) {
	encode.Omit(o, p.Color == "", "color", &p.Color, encode.Enum(red))
	encode.Omit(o, len(p.Colors) == 0, "colors", &p.Colors, encode.List[[]color](encode.Enum(red, none)))
	encode.Omit(o, p.Level == 0, "level", &p.Level, encode.IntEnum(low, high))
}

func TestValuesOutsideOfTheirConstants(t *testing.T) {
	for _, tc := range []struct {
		name string
		run  func() (string, error)
		want string
	}{
		{"another string", value(color("green"), encode.Enum(red, none)), "\n" + `"green" is not one of "red", ""`},
		{"another case", value(color("Red"), encode.Enum(red)), "\n" + `"Red" is not "red"`},
		{"no string", value(color(""), encode.Enum(red)), "\n" + `"" is not "red"`},
		{"a long string", value(color(strings.Repeat("x", 100)), encode.Enum(red)), "\n" + `"` + strings.Repeat("x", 60) + `…" is not "red"`},
		{"no values", value(red, encode.Enum[color]()), "\n" + `"red" is not one of `},
		{"another integer", value(level(0), encode.IntEnum(low, high)), "\n0 is not one of -1, 1"},
		{"another unsigned", value(uint8(7), encode.IntEnum[uint8](8)), "\n7 is not 8"},
		{"another bit", value(uint8(7), encode.Flags[uint8]([]string{"read", "write"}, 1, 4)), "\n7 has bits that are no flags: 2"},
		{"every member", func() (string, error) {
			return encode.From(&paint{Color: "tan", Colors: []color{red, "tan"}, Level: 3}, encodePaint)
		}, "\ncolor: \"tan\" is not \"red\"\ncolors[1]: \"tan\" is not one of \"red\", \"\"\nlevel: 3 is not one of -1, 1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			data, err := tc.run()
			if data != "" || fault.CodeOf(err) != fault.Internal || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %s, %v, want an internal fault with %q", data, err, tc.want)
			}
		})
	}
}

func TestConstants(t *testing.T) {
	for _, tc := range []struct {
		paint paint
		want  string
	}{
		{paint{}, `{}`},
		{paint{Color: red, Colors: []color{none, red}, Level: low}, `{"color":"red","colors":["","red"],"level":-1}`},
		{paint{Level: high}, `{"level":1}`},
	} {
		if got, err := encode.From(&tc.paint, encodePaint); err != nil || string(got) != tc.want {
			t.Errorf("%+v: got %s, %v, want %s", tc.paint, got, err, tc.want)
		}
	}
}
