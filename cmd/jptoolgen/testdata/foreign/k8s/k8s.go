// Package k8s has tools with types of another module.
package k8s

import (
	"context"
	"encoding/json"

	"k8s.io/api/core/v1"
)

// S serves.
//
//jp:server name=k8s
//jp:foreign v1.* reason="Its module documents its API."
type S struct{}

// Value and Option are the result and the arguments.
var (
	Value  *v1.Pod
	Option v1.Pod
)

// Get0 gets.
//
//jp:tool
func (S) Get0(ctx context.Context) (*v1.Pod, error) { return Value, nil }

// Put0 puts.
//
//jp:tool
func (S) Put0(ctx context.Context, in v1.Pod) (string, error) {
	data, err := json.Marshal(&in)
	return string(data), err
}

// Sample returns a pod whose enums have valid values.
func Sample() *v1.Pod {
	always := v1.ContainerRestartPolicyAlways
	return &v1.Pod{Spec: v1.PodSpec{
		Containers: []v1.Container{{
			Name: "a", Image: "b", RestartPolicy: &always,
			Env: []v1.EnvVar{{Name: "A", Value: "1"}},
		}},
		RestartPolicy: v1.RestartPolicyNever,
	}}
}
