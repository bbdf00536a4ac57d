package model

import (
	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
)

// Check finds conflicts between servers, and lists of tools that exceed their budget. It needs servers without
// findings to count tokens.
func Check(servers []*Server, list *diag.List) {
	sound := list.Len() == 0
	first := map[string]*Server{}
	for _, s := range servers {
		if other, taken := first[s.Name]; taken {
			list.Add(s.Pos, diag.DuplicateName, "server name %s is already used at %s", s.Name, list.Place(other.Pos)).
				Suggest("add name= to //jp:server")
			continue
		}
		first[s.Name] = s
		if sound {
			checkListBudget(s, list)
		}
	}
}
