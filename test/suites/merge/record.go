// Recorder of the test cases of structured-merge-diff: while they run as ever, each case is written as a line of JSON
// with its schema, the objects that were updated and applied, and what came of them. It is compiled into the module's
// package fixture, in which the functions that it wraps have another name.
package fixture

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/merge"
	"sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// step is an operation with its outcome.
type step struct {
	Operation string `json:"operation"`
	Manager   string `json:"manager,omitempty"`
	Version   string `json:"version,omitempty"`
	Force     bool   `json:"force,omitempty"`
	Object    any    `json:"object"`
	// Schema is of a change of the schema alone.
	Schema any `json:"schema,omitempty"`
	// Error of another kind than a conflict.
	Error string `json:"error,omitempty"`
	// Conflicts by manager, their fields as in managed fields.
	Conflicts map[string]json.RawMessage `json:"conflicts,omitempty"`
	// Live object and managed fields after the operation.
	Live    any                        `json:"live"`
	Managed map[string]json.RawMessage `json:"managed"`
}

type testCase struct {
	Schema any `json:"schema"`
	// Without is what the case has and a server has not.
	Without string  `json:"without,omitempty"`
	Steps   []*step `json:"steps"`
}

var current *testCase

// TestWithConverter runs the case and writes it.
func (tc TestCase) TestWithConverter(parser Parser, converter merge.Converter) error {
	current = &testCase{Schema: schemaOf(parser, tc)}
	if tc.IgnoreFilter != nil || tc.IgnoredFields != nil {
		current.Without = "fields that are ignored"
	}
	err := tc.testWithConverter(parser, watched{converter})
	text, fault := json.Marshal(current)
	if fault != nil {
		panic(fault)
	}
	current = nil
	fmt.Fprintf(os.Stdout, "\nRECORDED %s\n", text)
	return err
}

// watched notes if a converter changes objects: servers without a webhook do not.
type watched struct{ merge.Converter }

func (w watched) Convert(tv *typed.TypedValue, version fieldpath.APIVersion) (*typed.TypedValue, error) {
	converted, err := w.Converter.Convert(tv, version)
	if err != nil || !value.Equals(converted.AsValue(), tv.AsValue()) {
		current.Without = "versions between which objects are converted"
	}
	return converted, err
}

func schemaOf(parser Parser, tc TestCase) any {
	version := tc.APIVersion
	for _, op := range tc.Ops {
		switch o := op.(type) {
		case Apply:
			version = o.APIVersion
		case ForceApply:
			version = o.APIVersion
		case Update:
			version = o.APIVersion
		case ExtractApply:
			version = o.APIVersion
		default:
			continue
		}
		break
	}
	return schemaOfType(parser.Type(string(version)))
}

func schemaOfType(t typed.ParseableType) any {
	return openAPI(t.Schema, t.TypeRef, 0)
}

// UpdateObject is recorded.
func (s *State) UpdateObject(tv *typed.TypedValue, version fieldpath.APIVersion, manager string) error {
	err := s.updateObject(tv, version, manager)
	s.record(&step{Operation: "update", Manager: manager, Version: string(version), Object: plain(tv)}, err)
	return err
}

// ApplyObject is recorded.
func (s *State) ApplyObject(tv *typed.TypedValue, version fieldpath.APIVersion, manager string, force bool) error {
	err := s.applyObject(tv, version, manager, force)
	s.record(&step{Operation: "apply", Manager: manager, Version: string(version), Force: force, Object: plain(tv)}, err)
	return err
}

func (cs ChangeParser) run(state *State) error {
	err := cs.change(state)
	state.record(&step{Operation: "change", Schema: schemaOfType(typed.ParseableType{Schema: &cs.Parser.Schema, TypeRef: state.Live.TypeRef()})}, err)
	return err
}

func (s *State) record(done *step, err error) {
	if current == nil {
		return
	}
	var conflicts merge.Conflicts
	if errors.As(err, &conflicts) {
		sets := map[string]*fieldpath.Set{}
		for _, c := range conflicts {
			if sets[c.Manager] == nil {
				sets[c.Manager] = fieldpath.NewSet()
			}
			sets[c.Manager].Insert(c.Path)
		}
		done.Conflicts = map[string]json.RawMessage{}
		for manager, set := range sets {
			done.Conflicts[manager] = fields(set)
		}
	} else if err != nil {
		done.Error = err.Error()
	}
	if s.Live != nil {
		done.Live = plain(s.Live)
	}
	done.Managed = map[string]json.RawMessage{}
	for manager, set := range s.Managers {
		done.Managed[manager] = fields(set.Set())
	}
	current.Steps = append(current.Steps, done)
}

func fields(set *fieldpath.Set) json.RawMessage {
	text, err := set.ToJSON()
	if err != nil {
		panic(err)
	}
	return text
}

func plain(tv *typed.TypedValue) any {
	return convertMapAnyToMapString(tv.AsValue().Unstructured())
}

// depth is how often types that contain themselves are written out.
const depth = 8

// openAPI gives the schema of a custom resource for a type.
func openAPI(s *schema.Schema, ref schema.TypeRef, nested int) any {
	unknown := map[string]any{"x-kubernetes-preserve-unknown-fields": true}
	atom, ok := s.Resolve(ref)
	if !ok || nested > depth {
		return unknown
	}
	deduced := 0
	for _, has := range []bool{atom.Scalar != nil, atom.List != nil, atom.Map != nil} {
		if has {
			deduced++
		}
	}
	if deduced > 1 {
		return unknown
	}
	switch {
	case atom.Scalar != nil:
		kind, known := map[schema.Scalar]string{schema.Numeric: "number", schema.String: "string", schema.Boolean: "boolean"}[*atom.Scalar]
		if !known {
			return unknown
		}
		return map[string]any{"type": kind}
	case atom.List != nil:
		return openAPIOfList(s, atom.List, nested)
	case atom.Map != nil:
		return openAPIOfMap(s, atom.Map, nested)
	}
	return unknown
}

func openAPIOfList(s *schema.Schema, list *schema.List, nested int) any {
	items := openAPI(s, list.ElementType, nested+1)
	out := map[string]any{"type": "array", "items": items, "x-kubernetes-list-type": "atomic"}
	if list.ElementRelationship != schema.Associative {
		return out
	}
	if len(list.Keys) == 0 {
		out["x-kubernetes-list-type"] = "set"
		return out
	}
	out["x-kubernetes-list-type"] = "map"
	out["x-kubernetes-list-map-keys"] = list.Keys
	if element, ok := items.(map[string]any); ok {
		properties, _ := element["properties"].(map[string]any)
		var required []string
		for _, key := range list.Keys {
			if p, _ := properties[key].(map[string]any); p != nil && p["default"] == nil {
				required = append(required, key)
			}
		}
		if len(required) > 0 {
			element["required"] = required
		}
	}
	return out
}

func openAPIOfMap(s *schema.Schema, m *schema.Map, nested int) any {
	out := map[string]any{"type": "object"}
	if m.ElementRelationship == schema.Atomic {
		out["x-kubernetes-map-type"] = "atomic"
	}
	ofElements := m.ElementType.NamedType != nil || m.ElementType.Inlined != (schema.Atom{})
	if len(m.Fields) == 0 {
		if ofElements {
			out["additionalProperties"] = openAPI(s, m.ElementType, nested+1)
		} else {
			out["x-kubernetes-preserve-unknown-fields"] = true
		}
		return out
	}
	properties := map[string]any{}
	for _, f := range m.Fields {
		p, _ := openAPI(s, f.Type, nested+1).(map[string]any)
		if f.Default != nil {
			p["default"] = f.Default
		}
		properties[f.Name] = p
	}
	out["properties"] = properties
	if ofElements {
		out["x-kubernetes-preserve-unknown-fields"] = true
	}
	return out
}
