// Prints the default roles of a release of Kubernetes as JSON: the rules of each by its place, `namespace/name` or
// `/name`, each with the feature gates that it needs. Roles that aggregate others have no rules of their own. It is
// built with the release's own modules, in a folder of its own; see role-facts.ts.
package main

import (
	"encoding/json"
	"os"
	"sort"

	rbac "k8s.io/api/rbac/v1"
	"k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
	_ "k8s.io/kubernetes/pkg/features"
	"k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac/bootstrappolicy"
)

// switchboard stands in for the feature gates of the release: all are on but one, whatever they need, and those asked
// for are noted.
type switchboard struct {
	featuregate.FeatureGate
	asked map[string]bool
	off   string
	// Only the defaults count.
	byDefault bool
}

func (s *switchboard) Enabled(key featuregate.Feature) bool {
	s.asked[string(key)] = true
	if s.byDefault {
		return s.FeatureGate.Enabled(key)
	}
	return string(key) != s.off
}

type rule struct {
	rbac.PolicyRule
	Gates []string `json:"gates,omitempty"`
}

// texts returns the rules of all roles as JSON.
func texts() map[string][]string {
	found := map[string][]string{}
	add := func(place string, rules []rbac.PolicyRule) {
		found[place] = []string{}
		for _, each := range rules {
			text, err := json.Marshal(each)
			if err != nil {
				panic(err)
			}
			found[place] = append(found[place], string(text))
		}
	}
	for _, role := range append(bootstrappolicy.ClusterRoles(), bootstrappolicy.ControllerRoles()...) {
		if role.AggregationRule == nil {
			add("/"+role.Name, role.Rules)
		}
	}
	for namespace, roles := range bootstrappolicy.NamespaceRoles() {
		for _, role := range roles {
			add(namespace+"/"+role.Name, role.Rules)
		}
	}
	return found
}

func has(list []string, text string) bool {
	for _, each := range list {
		if each == text {
			return true
		}
	}
	return false
}

// growing reports whether a role has, with a gate off, a rule that it does not have with all gates on: then the gates
// change a rule rather than add one, and the role is as it is by default.
func growing(all, without []string) bool {
	for _, text := range without {
		if !has(all, text) {
			return true
		}
	}
	return false
}

func main() {
	gates := &switchboard{FeatureGate: feature.DefaultFeatureGate, asked: map[string]bool{}}
	feature.DefaultFeatureGate = gates
	all := texts()
	names := []string{}
	for name := range gates.asked {
		names = append(names, name)
	}
	sort.Strings(names)
	needs := map[string]map[string][]string{}
	asByDefault := map[string]bool{}
	for _, name := range names {
		gates.off = name
		without := texts()
		for place, rules := range all {
			if growing(rules, without[place]) {
				asByDefault[place] = true
			}
			for _, text := range rules {
				if has(without[place], text) {
					continue
				}
				if needs[place] == nil {
					needs[place] = map[string][]string{}
				}
				if !has(needs[place][text], name) {
					needs[place][text] = append(needs[place][text], name)
				}
			}
		}
	}
	gates.off, gates.byDefault = "", true
	standard := texts()
	printed := map[string][]rule{}
	for place, rules := range all {
		list := rules
		if asByDefault[place] {
			list = standard[place]
		}
		printed[place] = []rule{}
		for _, text := range list {
			var each rule
			if err := json.Unmarshal([]byte(text), &each.PolicyRule); err != nil {
				panic(err)
			}
			if !asByDefault[place] {
				each.Gates = needs[place][text]
			}
			printed[place] = append(printed[place], each)
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(printed); err != nil {
		panic(err)
	}
}
