// Facts of the Go packages that declare Kubernetes' API types, as JSON: what `npm run kubernetes` reads of a release.
// Only what the sources say is written, without interpretation: types with their fields, struct tags and markers,
// constants of named strings, and the lifecycle methods that Kubernetes generates. The meaning of markers is known to
// the scripts that read this output.
//
//	go run . MODULE@VERSION/PACKAGE=DIR ...
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"strconv"
	"strings"
)

// goType is a declared type. A struct has fields; another type has the type that it names.
type goType struct {
	Markers   []string          `json:"markers,omitempty"`
	Type      string            `json:"type,omitempty"`
	Struct    bool              `json:"struct,omitempty"`
	Alias     bool              `json:"alias,omitempty"`
	Fields    []field           `json:"fields,omitempty"`
	Values    []string          `json:"values,omitempty"`
	Lifecycle map[string]string `json:"lifecycle,omitempty"`
	// Methods that give a type a form of its own in JSON.
	Marshals bool `json:"marshals,omitempty"`
}

type field struct {
	Name          string   `json:"name"`
	Type          string   `json:"type"`
	Embedded      bool     `json:"embedded,omitempty"`
	JSON          string   `json:"json,omitempty"`
	Protobuf      string   `json:"protobuf,omitempty"`
	PatchStrategy string   `json:"patchStrategy,omitempty"`
	PatchMergeKey string   `json:"patchMergeKey,omitempty"`
	Markers       []string `json:"markers,omitempty"`
	// Nothing is said of it.
	Bare bool `json:"bare,omitempty"`
}

type goPackage struct {
	Group   string             `json:"group"`
	Markers []string           `json:"markers,omitempty"`
	Types   map[string]*goType `json:"types"`
	// Constants that are text, by name.
	Constants map[string]string `json:"constants"`
}

func main() {
	packages := map[string]*goPackage{}
	for _, argument := range os.Args[1:] {
		path, dir, found := strings.Cut(argument, "=")
		if !found {
			fail(fmt.Errorf("%q is not PACKAGE=DIR", argument))
		}
		packages[path] = readPackage(dir)
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(packages); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// reader reads the files of one package.
type reader struct {
	files *token.FileSet
	out   *goPackage
	// The values of constants, by the named type that they have; =path.Name for a constant of another package.
	values map[string][]string
	// The named types of constants, by their names, and the constants that take theirs from another one.
	types   map[string]string
	aliases []string
}

func readPackage(dir string) *goPackage {
	r := &reader{files: token.NewFileSet(), out: &goPackage{Types: map[string]*goType{}, Constants: map[string]string{}}, values: map[string][]string{}, types: map[string]string{}}
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		fail(err)
	}
	sort.Strings(names)
	var parsed []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(r.files, name, nil, parser.ParseComments)
		if err != nil {
			fail(err)
		}
		parsed = append(parsed, file)
		r.markersOfPackage(file)
		r.declarations(file)
	}
	// Methods come after all types.
	for _, file := range parsed {
		r.methods(file)
	}
	for _, name := range r.aliases {
		if named := r.types[name]; named != "" {
			r.values[named] = append(r.values[named], "="+name)
		}
	}
	for name, values := range r.values {
		if declared := r.out.Types[name]; declared != nil {
			declared.Values = values
		}
	}
	return r.out
}

func (r *reader) markersOfPackage(file *ast.File) {
	for _, comments := range file.Comments {
		if comments.Pos() < file.Name.Pos() {
			r.out.Markers = append(r.out.Markers, markers(comments)...)
		}
	}
}

func (r *reader) declarations(file *ast.File) {
	for _, declaration := range file.Decls {
		general, ok := declaration.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range general.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				r.constants(file, general.Tok, spec)
			case *ast.TypeSpec:
				doc := spec.Doc
				if doc == nil {
					doc = general.Doc
				}
				r.declare(file, spec, append(r.markersAbove(file, doc, general.Pos()), markers(doc)...))
			}
		}
	}
}

// markersAbove returns the markers of a comment that a blank line separates from the declaration: generators of
// Kubernetes read them too.
func (r *reader) markersAbove(file *ast.File, doc *ast.CommentGroup, pos token.Pos) []string {
	if doc != nil {
		pos = doc.Pos()
	}
	line := r.files.Position(pos).Line
	for _, comments := range file.Comments {
		if r.files.Position(comments.End()).Line == line-2 {
			return markers(comments)
		}
	}
	return nil
}

func (r *reader) constants(file *ast.File, kind token.Token, spec *ast.ValueSpec) {
	for i, value := range spec.Values {
		name, named := spec.Names[min(i, len(spec.Names)-1)].Name, ""
		if id, ok := spec.Type.(*ast.Ident); ok {
			named = id.Name
		}
		if call, ok := value.(*ast.CallExpr); ok && len(call.Args) == 1 { // Kind("text")
			if id, ok := call.Fun.(*ast.Ident); ok {
				named, value = id.Name, call.Args[0]
			}
		}
		text, ok := constantText(file, value)
		if !ok {
			continue
		}
		r.out.Constants[name] = text
		if name == "GroupName" {
			r.out.Group = text
		}
		if kind == token.CONST && named != "" {
			r.values[named] = append(r.values[named], text)
			r.types[name] = named
		} else if id, ok := value.(*ast.Ident); ok && kind == token.CONST {
			r.aliases = append(r.aliases, id.Name)
		}
	}
}

func constantText(file *ast.File, value ast.Expr) (string, bool) {
	switch value := value.(type) {
	case *ast.BasicLit:
		if value.Kind == token.STRING {
			text, _ := strconv.Unquote(value.Value)
			return text, true
		}
	case *ast.Ident:
		return "=" + value.Name, true
	case *ast.SelectorExpr:
		if id, ok := value.X.(*ast.Ident); ok {
			return "=" + importPath(file, id.Name) + "." + value.Sel.Name, true
		}
	}
	return "", false
}

func (r *reader) declare(file *ast.File, spec *ast.TypeSpec, comments []string) {
	out := &goType{Markers: comments, Alias: spec.Assign.IsValid()}
	r.out.Types[spec.Name.Name] = out
	structure, ok := spec.Type.(*ast.StructType)
	if !ok {
		out.Type = typeText(file, spec.Type)
		return
	}
	out.Struct = true
	for _, each := range structure.Fields.List {
		out.Fields = append(out.Fields, fieldsOf(file, each)...)
	}
}

func fieldsOf(file *ast.File, declared *ast.Field) []field {
	tag := reflect.StructTag("")
	if declared.Tag != nil {
		text, _ := strconv.Unquote(declared.Tag.Value)
		tag = reflect.StructTag(text)
	}
	base := field{
		Type:          typeText(file, declared.Type),
		JSON:          tag.Get("json"),
		Protobuf:      tag.Get("protobuf"),
		PatchStrategy: tag.Get("patchStrategy"),
		PatchMergeKey: tag.Get("patchMergeKey"),
		Markers:       markers(declared.Doc),
		Bare:          !hasText(declared.Doc),
	}
	if len(declared.Names) == 0 {
		base.Embedded = true
		base.Name = base.Type[strings.LastIndexAny(base.Type, ".*")+1:]
		return []field{base}
	}
	var out []field
	for _, name := range declared.Names {
		if ast.IsExported(name.Name) {
			each := base
			each.Name = name.Name
			out = append(out, each)
		}
	}
	return out
}

// typeText writes a type with the import paths of its packages: []k8s.io/api/core/v1.Container.
func typeText(file *ast.File, expression ast.Expr) string {
	switch e := expression.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.StarExpr:
		return "*" + typeText(file, e.X)
	case *ast.ArrayType:
		return "[]" + typeText(file, e.Elt)
	case *ast.MapType:
		return "map[" + typeText(file, e.Key) + "]" + typeText(file, e.Value)
	case *ast.SelectorExpr:
		if id, ok := e.X.(*ast.Ident); ok {
			return importPath(file, id.Name) + "." + e.Sel.Name
		}
	case *ast.InterfaceType:
		return "interface{}"
	}
	return fmt.Sprintf("%T", expression)
}

func importPath(file *ast.File, name string) string {
	for _, each := range file.Imports {
		path, _ := strconv.Unquote(each.Path.Value)
		if each.Name != nil && each.Name.Name == name || each.Name == nil && strings.HasSuffix("/"+path, "/"+name) {
			return path
		}
	}
	return name
}

// methods reads the methods that say when an API was introduced, deprecated and removed, and notes forms of their own.
func (r *reader) methods(file *ast.File) {
	for _, declaration := range file.Decls {
		method, ok := declaration.(*ast.FuncDecl)
		if !ok || method.Recv == nil || method.Body == nil {
			continue
		}
		receiver := method.Recv.List[0].Type
		if star, ok := receiver.(*ast.StarExpr); ok {
			receiver = star.X
		}
		id, ok := receiver.(*ast.Ident)
		if !ok || r.out.Types[id.Name] == nil {
			continue
		}
		declared := r.out.Types[id.Name]
		if method.Name.Name == "MarshalJSON" {
			declared.Marshals = true
		}
		what, isLifecycle := strings.CutPrefix(method.Name.Name, "APILifecycle")
		if !isLifecycle || len(method.Body.List) != 1 {
			continue
		}
		if result, ok := method.Body.List[0].(*ast.ReturnStmt); ok {
			if declared.Lifecycle == nil {
				declared.Lifecycle = map[string]string{}
			}
			declared.Lifecycle[strings.ToLower(what)] = lifecycleValue(result)
		}
	}
}

// lifecycleValue is a release, 1.34, or the kind that replaces this one, group/version/Kind.
func lifecycleValue(result *ast.ReturnStmt) string {
	var parts []string
	for _, each := range result.Results {
		switch each := each.(type) {
		case *ast.BasicLit:
			parts = append(parts, each.Value)
		case *ast.CompositeLit:
			named := map[string]string{}
			for _, element := range each.Elts {
				if pair, ok := element.(*ast.KeyValueExpr); ok {
					text, _ := strconv.Unquote(pair.Value.(*ast.BasicLit).Value)
					named[pair.Key.(*ast.Ident).Name] = text
				}
			}
			return strings.TrimPrefix(named["Group"]+"/"+named["Version"]+"/"+named["Kind"], "/")
		}
	}
	return strings.Join(parts, ".")
}

// markers returns the lines of a comment that address a program: those that begin with a plus sign.
func markers(comments *ast.CommentGroup) []string {
	var out []string
	if comments == nil {
		return out
	}
	for _, each := range comments.List {
		for _, line := range strings.Split(each.Text, "\n") {
			line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "//"))
			if strings.HasPrefix(line, "+") {
				out = append(out, line)
			}
		}
	}
	return out
}

// hasText reports whether a comment has a line that generators of Kubernetes take as a description.
func hasText(comments *ast.CommentGroup) bool {
	if comments == nil {
		return false
	}
	for _, line := range strings.Split(comments.Text(), "\n") {
		line = strings.TrimSpace(line)
		if line == "---" {
			return false
		}
		if line != "" && !strings.HasPrefix(line, "+") && !strings.HasPrefix(line, "TODO") {
			return true
		}
	}
	return false
}
