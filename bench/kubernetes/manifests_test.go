// Package kubernetes checks the manifests of docs/operating.md. It is a module of its own because of its dependencies.
package kubernetes

import (
	"os"
	"regexp"
	"strings"
	"testing"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

func TestManifests(t *testing.T) {
	page, err := os.ReadFile("../../docs/operating.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)<!-- kubernetes -->\n```yaml\n(.*?)```\n").FindSubmatch(page)
	if block == nil {
		t.Fatal("the page has no manifests")
	}
	manifests := strings.Split(string(block[1]), "\n---\n")
	if len(manifests) != 2 {
		t.Fatalf("the page has %d manifests", len(manifests))
	}
	var d apps.Deployment
	if err := yaml.UnmarshalStrict([]byte(manifests[0]), &d); err != nil {
		t.Error(err)
	}
	var s core.Service
	if err := yaml.UnmarshalStrict([]byte(manifests[1]), &s); err != nil {
		t.Error(err)
	}
	pod := d.Spec.Template
	for name, value := range s.Spec.Selector {
		if pod.Labels[name] != value || d.Spec.Selector.MatchLabels[name] != value {
			t.Errorf("the service selects %s=%s, which the pods do not have", name, value)
		}
	}
	if c := pod.Spec.SecurityContext; c == nil || c.RunAsNonRoot == nil || !*c.RunAsNonRoot {
		t.Error("the container may run as root")
	}
	c := pod.Spec.Containers[0]
	if x := c.SecurityContext; x == nil || x.ReadOnlyRootFilesystem == nil || !*x.ReadOnlyRootFilesystem ||
		x.AllowPrivilegeEscalation == nil || *x.AllowPrivilegeEscalation || len(x.Capabilities.Drop) != 1 {
		t.Error("the container has more rights than it needs")
	}
	if c.ReadinessProbe.HTTPGet.Path != "/readyz" || c.LivenessProbe.HTTPGet.Path != "/livez" {
		t.Error("the probes have other paths")
	}
	args := strings.Join(c.Args, " ")
	if !strings.Contains(args, "--http 0.0.0.0:8080 ") || c.Ports[0].ContainerPort != 8080 || s.Spec.Ports[0].TargetPort.StrVal != c.Ports[0].Name {
		t.Errorf("the ports do not match: %s", args)
	}
	// The grace, the drain and the last export must fit into the time before Kubernetes kills the container.
	if !strings.Contains(args, "--http-drain-grace 10s") || *pod.Spec.TerminationGracePeriodSeconds < 13 {
		t.Error("the pod is killed before it has drained")
	}
	if c.VolumeMounts[0].Name != pod.Spec.Volumes[0].Name {
		t.Error("the token is not mounted")
	}
}
