// Command go-types writes how Kubernetes' own program declares the kinds of its API, as JSON: the name of the struct of
// each kind that it knows, and the fields of the structs of the kinds in the versions that its arguments name, such as
// v1 and apps/v1. A field is one text, in the order of the declaration:
//
//	1 name? string v1.PullPolicy
//
// These are its number in protobuf (0: none), its name in JSON, when it is written (?: not when it is empty; =null: always,
// as null when nothing is set; nothing: when it is set), and its type. A struct whose fields stand in this one is
// `2 >core/v1.ProbeHandler`. Types are: string, bool, int32, int64, float64, any and bytes, after which the name of a
// derived type may follow; @folder/version.Struct; !package.Type, which has a form of its own in JSON; []T and
// [package.Type]T, {}T and {package.Type}T for lists and maps by string, where a name is that of a derived type.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

type declarations struct {
	Kinds   map[string]string   `json:"kinds"`
	Structs map[string][]string `json:"structs"`
}

var (
	marshaler   = reflect.TypeFor[json.Marshaler]()
	unmarshaler = reflect.TypeFor[json.Unmarshaler]()
	typeMeta    = reflect.TypeFor[meta.TypeMeta]()
)

func main() {
	full := map[string]bool{}
	for _, version := range os.Args[1:] {
		full[version] = true
	}
	found := declarations{Kinds: map[string]string{}, Structs: map[string][]string{}}
	for kind, t := range knownTypes() {
		found.Kinds[kind] = structName(t)
		if full[kind[:strings.LastIndex(kind, "/")]] {
			found.declare(t)
		}
	}
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	if err := out.Encode(found); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// knownTypes are the structs of the kinds that can be sent as bodies, by apiVersion/kind.
func knownTypes() map[string]reflect.Type {
	types := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{scheme.AddToScheme, apiextensions.AddToScheme, apiregistration.AddToScheme} {
		if err := add(types); err != nil {
			panic(err)
		}
	}
	known := map[string]reflect.Type{"v1/DeleteOptions": reflect.TypeFor[meta.DeleteOptions]()}
	for kind, t := range types.AllKnownTypes() {
		switch {
		case kind.Version == runtime.APIVersionInternal, kind.Kind == "WatchEvent":
		case strings.HasSuffix(kind.Kind, "List"), strings.HasSuffix(kind.Kind, "Options"):
		default:
			known[kind.GroupVersion().String()+"/"+kind.Kind] = t
		}
	}
	return known
}

// declare adds a struct, and those that its fields are of.
func (d declarations) declare(t reflect.Type) {
	name := structName(t)
	if _, ok := d.Structs[name]; ok {
		return
	}
	d.Structs[name] = nil
	fields := []string{}
	for i := range t.NumField() {
		if text := d.field(t.Field(i)); text != "" {
			fields = append(fields, text)
		}
	}
	d.Structs[name] = fields
}

// field is the text of a field; "" for what is not written, and for the kind and its version, which every kind has.
func (d declarations) field(f reflect.StructField) string {
	tag := strings.Split(f.Tag.Get("json"), ",")
	name, options := tag[0], tag[1:]
	if name == "-" || !f.IsExported() || f.Type == typeMeta {
		return ""
	}
	number := protobufNumber(f)
	if name == "" && f.Anonymous {
		d.declare(f.Type)
		return fmt.Sprintf("%d >%s", number, structName(f.Type))
	}
	if name == "" {
		name = f.Name
	}
	return fmt.Sprintf("%d %s%s %s", number, name, written(f.Type, options), d.typeText(f.Type))
}

func protobufNumber(f reflect.StructField) int {
	parts := strings.Split(f.Tag.Get("protobuf"), ",")
	if len(parts) < 2 {
		return 0
	}
	number, err := strconv.Atoi(parts[1])
	if err != nil {
		panic(err)
	}
	return number
}

// written says when a field is: "?" not when it is empty, "=" and a value always, "" when it is set.
func written(t reflect.Type, options []string) string {
	omitEmpty, omitZero := slices.Contains(options, "omitempty"), slices.Contains(options, "omitzero")
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface:
		if omitEmpty || omitZero {
			return ""
		}
	case reflect.Struct: // A struct is never empty to Go.
		if omitZero {
			return "?"
		}
	default:
		if omitEmpty || omitZero {
			return "?"
		}
	}
	return "=" + zeroText(t)
}

// zeroText is how an unset value is written. A struct is written as {}: its own fields say what stands in it.
func zeroText(t reflect.Type) string {
	if t.Kind() == reflect.Struct && !implements(t, marshaler) {
		return "{}"
	}
	text, err := json.Marshal(reflect.New(t).Interface())
	if err != nil {
		panic(err)
	}
	return string(text)
}

func (d declarations) typeText(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		return d.typeText(t.Elem())
	}
	if implements(t, unmarshaler) {
		return "!" + t.String()
	}
	switch t.Kind() {
	case reflect.Struct:
		d.declare(t)
		return "@" + structName(t)
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "bytes"
		}
		return "[" + derivedName(t) + "]" + d.typeText(t.Elem())
	case reflect.Map:
		return "{" + derivedName(t) + "}" + d.typeText(t.Elem())
	case reflect.Interface:
		return "any"
	}
	if t.Name() != t.Kind().String() {
		return t.Kind().String() + " " + t.String()
	}
	return t.Kind().String()
}

// derivedName is what Go's messages call a list or a map when that is not made of the name of its elements.
func derivedName(t reflect.Type) string {
	plainKey := t.Kind() != reflect.Map || t.Key() == reflect.TypeFor[string]()
	if t.Name() == "" && plainKey {
		return ""
	}
	return t.String()
}

// structName is the folder, the version and the name, as in core/v1.Pod.
func structName(t reflect.Type) string {
	path := strings.Split(t.PkgPath(), "/")
	return strings.Join(path[len(path)-2:], "/") + "." + t.Name()
}

func implements(t, method reflect.Type) bool {
	return t.Implements(method) || reflect.PointerTo(t).Implements(method)
}
