// Command go-types writes the Go declarations of the Kubernetes API kinds as JSON: the struct name of each known kind, and
// the fields of the structs of the kinds in the versions that the arguments name, for example v1 and apps/v1. Each field is
// one string, in the order of the declaration:
//
//	1 name? string v1.PullPolicy
//
// A field string consists of these parts:
//
//   - The protobuf number. 0 means that the field has no number.
//   - The JSON name.
//   - A mark that says when Go writes the field. "?": unless the field is empty. "=null": always, as null if the field is
//     unset. No mark: only if the field is set.
//   - The type.
//
// A struct that is embedded in this struct is written as `2 >core/v1.ProbeHandler`. The types are:
//
//   - string, bool, int32, int64, float64, any, and bytes, optionally followed by the name of a derived type.
//   - @folder/version.Struct for a struct.
//   - !package.Type for a type with a custom JSON form.
//   - []T and [package.Type]T for lists. The name is the name of a derived type.
//   - {}T and {package.Type}T for maps with string keys. The name is the name of a derived type.
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

// knownTypes returns the structs of the kinds that can be sent as request bodies, by apiVersion/kind.
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

// declare adds a struct and the structs of its fields.
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

// field returns the string of a field. It returns "" for a field that is not written and for the TypeMeta of a kind.
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

// written returns the mark of a field: "?" if Go writes the field unless it is empty, "=" and the JSON of the unset value if
// Go always writes the field, and "" if Go writes the field only if it is set.
func written(t reflect.Type, options []string) string {
	omitEmpty, omitZero := slices.Contains(options, "omitempty"), slices.Contains(options, "omitzero")
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface:
		if omitEmpty || omitZero {
			return ""
		}
	case reflect.Struct: // Go never treats a struct as empty.
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

// zeroText returns the JSON of an unset value. It returns {} for a struct, whose fields are declared separately.
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

// derivedName returns the name of a list or map in Go's messages if the name does not follow from the name of the elements.
func derivedName(t reflect.Type) string {
	plainKey := t.Kind() != reflect.Map || t.Key() == reflect.TypeFor[string]()
	if t.Name() == "" && plainKey {
		return ""
	}
	return t.String()
}

// structName returns the folder, the version, and the name, for example core/v1.Pod.
func structName(t reflect.Type) string {
	path := strings.Split(t.PkgPath(), "/")
	return strings.Join(path[len(path)-2:], "/") + "." + t.Name()
}

func implements(t, method reflect.Type) bool {
	return t.Implements(method) || reflect.PointerTo(t).Implements(method)
}
