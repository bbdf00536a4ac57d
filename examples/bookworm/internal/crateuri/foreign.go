package crateuri

import (
	"fmt"
	"net/url"
	"strings"
)

// translate returns the crate:// URI of a page on docs.rs, crates.io or lib.rs. It returns false for other URLs.
func translate(address string) (string, bool) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" {
		return "", false
	}
	parts := strings.Split(strings.Trim(u.EscapedPath(), "/"), "/")
	if parts[0] == "" {
		return "", false
	}
	target := ""
	switch u.Host {
	case "docs.rs":
		target = docsRS(parts)
		if text := u.Query().Get("search"); text != "" && len(parts) > 1 && parts[0] != "crate" {
			return scheme + parts[0] + "/" + parts[1] + "/" + string(Items) + "?q=" + url.QueryEscape(text), true
		}
	case "crates.io", "lib.rs":
		if parts[0] == "crates" && len(parts) > 1 {
			target = scheme + strings.Join(parts[1:min(len(parts), 3)], "/")
		}
	}
	if target == "" {
		return "", false
	}
	if u.Fragment != "" {
		target += "#" + u.EscapedFragment()
	}
	return target, true
}

// docsRS returns the URI of a page on docs.rs, or "" if the page has none.
func docsRS(parts []string) string {
	if parts[0] == "crate" {
		if len(parts) == 1 {
			return ""
		}
		release := scheme + strings.Join(parts[1:min(len(parts), 3)], "/")
		if len(parts) > 5 && parts[3] == "source" && parts[4] == "src" {
			return release + "/src/" + library(parts[1]) + "/" + strings.Join(parts[5:], "/")
		}
		return release
	}
	name, version, page := parts[0], latest, []string{library(parts[0])}
	if len(parts) > 1 {
		version = parts[1]
	}
	if len(parts) > 2 {
		page = parts[2:]
	}
	if strings.Count(page[0], "-") > 1 && len(page) > 1 { // the name of a target, such as x86_64-pc-windows-msvc
		page = page[1:]
	}
	root := string(Items) + "/"
	if page[0] == string(Sources) {
		root = ""
	}
	return scheme + name + "/" + version + "/" + root + strings.Join(page, "/")
}

// library returns the usual name of a crate's library.
func library(crate string) string { return strings.ReplaceAll(crate, "-", "_") }

// instead returns an error for a URL that is not the URI of a crate. The error suggests a tool or a
// URI to use instead.
func instead(address string) error {
	name, version := Meant(address)
	_, path, _ := strings.Cut(address, "::")
	if u, err := parse(scheme + address); err == nil && u.Version != "" && u.Root != "" {
		return fmt.Errorf("use %q", u.String()) // only the scheme is missing
	}
	switch {
	case name == "":
		return fmt.Errorf("use a URI such as %sserde/latest/readme", scheme)
	case strings.Contains(address, "://"):
		return fmt.Errorf("use crates_search with query %q, or %s%s", name, scheme, name)
	case path != "":
		return fmt.Errorf("use %q", URI{Crate: name, Version: latest, Root: Items, Path: library(name) + "::" + path}.String())
	}
	return fmt.Errorf("use %q", Of(name, version).String())
}

// Meant returns the name of the crate that text probably means, and the version if text contains one. text may
// be a name with a version, a path in the crate, or a URL. Meant returns "" if text contains no name.
func Meant(text string) (name, version string) {
	text = strings.TrimSpace(text)
	if translated, ok := translate(text); ok {
		text = translated
	}
	if strings.HasPrefix(text, scheme) {
		if u, err := parse(text); err == nil {
			return u.Crate, u.Version
		}
	}
	if u, err := url.Parse(text); err == nil && (u.Scheme == "https" || u.Scheme == "http") {
		text = strings.TrimSuffix(strings.Trim(u.Path, "/"), ".git")
		text = text[strings.LastIndexByte(text, '/')+1:]
	}
	text = strings.TrimLeft(strings.TrimPrefix(text, "crate:"), "/")
	if strings.Contains(text, "://") {
		return "", ""
	}
	end := strings.IndexFunc(text, func(r rune) bool { return strings.ContainsRune("@:/ =?#<", r) })
	if end < 0 {
		end = len(text)
	}
	name, version = text[:end], strings.TrimLeft(text[end:], "@/ =")
	if Name(name) != nil {
		return "", ""
	}
	version, _, _ = strings.Cut(strings.TrimPrefix(version, "v"), "/")
	if isVersion(version) && strings.ContainsAny(version, "0123456789*") {
		return name, version
	}
	if end < len(text) && text[end] == ' ' { // the text is a sentence, not a name
		return "", ""
	}
	return name, ""
}
