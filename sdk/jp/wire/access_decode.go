package wire

import (
	"strconv"
	"strings"
)

var (
	accessLayout = layout{fields: []string{"fs", "net", "env"}}
	fsLayout     = layout{fields: []string{"lexical_path", "external", "approved_target",
		"read", "write", "create", "update", "delete", "execute"}, positional: 1}
	netLayout = layout{fields: []string{"host", "scheme", "port", "path_prefix", "allow"}, positional: 1}
	envLayout = layout{fields: []string{"name", "read"}, positional: 1}
)

// ReadAccess reads a policy as jp_tool does: sections may be missing but not null, unknown ones
// are ignored, and lists are never nil after it. Every error is an [*Error].
func ReadAccess(data []byte) (AccessPolicy, error) {
	v, err := parse(data)
	if err != nil {
		return AccessPolicy{}, err
	}
	p, err := readAccess(v, "")
	if err != nil {
		return AccessPolicy{}, err
	}
	return p, nil
}

func readAccess(v value, key string) (AccessPolicy, error) {
	r := accessLayout.read(v, key)
	p := AccessPolicy{
		FS:  get(r, "fs", listOf(readFSRule)),
		Net: get(r, "net", listOf(readNetRule)),
		Env: get(r, "env", listOf(readEnvRule)),
	}
	return p, r.err
}

// listOf reads a list that is empty when absent.
func listOf[T any](read func(value, string) (T, error)) func(value, string) ([]T, error) {
	return func(v value, key string) ([]T, error) {
		list := []T{}
		if v.absent() {
			return list, nil
		}
		if v.kind() != '[' {
			return nil, v.wrongType(key, "an array")
		}
		for i, item := range v.elements() {
			rule, err := read(item, join(key, strconv.Itoa(i)))
			if err != nil {
				return nil, err
			}
			list = append(list, rule)
		}
		return list, nil
	}
}

func readFSRule(v value, key string) (FSRule, error) {
	r := fsLayout.read(v, key)
	rule := FSRule{
		LexicalPath:    r.str("lexical_path"),
		External:       r.flag("external"),
		ApprovedTarget: r.optString("approved_target"),
		Read:           r.optBool("read"),
		Write:          r.optBool("write"),
		Create:         r.optBool("create"),
		Update:         r.optBool("update"),
		Delete:         r.optBool("delete"),
		Execute:        r.optBool("execute"),
	}
	return rule, r.err
}

func readNetRule(v value, key string) (NetRule, error) {
	r := netLayout.read(v, key)
	rule := NetRule{
		Host:       r.str("host"),
		Scheme:     r.optString("scheme"),
		Port:       opt(r, "port", asUint16),
		PathPrefix: r.optString("path_prefix"),
		Allow:      r.flag("allow"),
	}
	return rule, r.err
}

func readEnvRule(v value, key string) (EnvRule, error) {
	r := envLayout.read(v, key)
	rule := EnvRule{Name: r.str("name"), Read: r.flag("read")}
	return rule, r.err
}

// asUint16 takes digits alone: 80.0 and 8e1 are floats to serde.
func asUint16(v value, key string) (uint16, error) {
	const want = "an integer from 0 to 65535"
	if v.kind() != '0' {
		return 0, v.wrongType(key, want)
	}
	text := strings.TrimSpace(string(v))
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return 0, &Error{Code: CodeType, Key: key, Want: want, Got: shorten(text)}
	}
	return uint16(n), nil
}
