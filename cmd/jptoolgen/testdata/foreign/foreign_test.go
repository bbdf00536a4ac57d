// Package foreign tests tools that use the types of well-known modules as they are.
package foreign

import (
	"math/rand/v2"
	"testing"

	"github.com/jptool/jptool/sdk"

	"example.com/foreign/compare"
	"example.com/foreign/drive"
	"example.com/foreign/github"
	"example.com/foreign/gitlab"
	"example.com/foreign/k8s"
	"example.com/foreign/s3"
	"example.com/foreign/slack"
	"example.com/foreign/stripe"
)

// A call in and a call out equal encoding/json, except for the differences that compare lists.
func TestTypesOfOtherModules(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	check := func(name string, server *sdk.Server, n int, value, option any) {
		compare.Package(name)
		wrong := compare.Wrong()
		for range 3 {
			compare.Fill(r, value)
			compare.Result(server, n, value)
			compare.Fill(r, option)
			compare.Arguments(server, n, option)
		}
		t.Logf("%s, tool %d: %s so far", name, n, compare.Summary())
		if compare.Wrong() > wrong {
			t.Errorf("%s, tool %d: wrong", name, n)
		}
	}
	servers := map[string]*sdk.Server{
		"drive": drive.NewServer(&drive.S{}), "gitlab": gitlab.NewServer(&gitlab.S{}), "k8s": k8s.NewServer(&k8s.S{}),
		"s3": s3.NewServer(&s3.S{}), "slack": slack.NewServer(&slack.S{}), "stripe": stripe.NewServer(&stripe.S{}),
	}
	check("drive", servers["drive"], 0, &drive.Value, &drive.Option)
	check("gitlab", servers["gitlab"], 0, &gitlab.Value, &gitlab.Option)
	check("k8s", servers["k8s"], 0, &k8s.Value, &k8s.Option)
	check("s3", servers["s3"], 0, &s3.Value, &s3.Option)
	check("slack", servers["slack"], 0, &slack.Value, &slack.Option)
	check("stripe", servers["stripe"], 0, &stripe.Value, &stripe.Option)
	k8s.Value, k8s.Option = k8s.Sample(), *k8s.Sample() // random strings are not constants of its enums
	compare.Result(servers["k8s"], 0, &k8s.Value)
	compare.Arguments(servers["k8s"], 0, &k8s.Option)
	if compare.Wrong() > 0 {
		t.Error("a sample of k8s is wrong")
	}
	server := github.NewServer(&github.S{})
	github.Each(func(n int, value, option any) { check("github", server, n, value, option) })
}
