// Package reserved imports a package that is reserved for generated code.
package reserved

import (
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/gen/bind"     // want `JP413: package github.com/jptool/jptool/sdk/gen/bind is reserved for generated code; declare questions in a struct parameter of the tool`
	"github.com/jptool/jptool/sdk/gen/question" // want `JP413: package github.com/jptool/jptool/sdk/gen/question is reserved for generated code`
)

// Made is a question that is in no contract.
func Made() elicit.Confirm {
	return bind.Confirm(&question.Set{}, question.Spec{ID: "smuggled"})
}
