import { type ClusterData, defaultData, type GoDeclarations } from './cluster-data.js';

/** A Go type as kube-apiserver declares it, with its name in error texts. */
export type GoType =
  | { readonly kind: 'string' | 'bool' | 'int' | 'float' | 'bytes' | 'any' | 'read'; readonly name: string }
  | { readonly kind: 'list' | 'map'; readonly name: string; readonly of: GoType }
  | { readonly kind: 'struct'; readonly name: string; readonly key: string };

/** The type of an OpenAPI schema. The types of `items` and `additionalProperties` have their own JSON decoders and contain schemas. */
export const schemaProps: GoType = {
  kind: 'struct',
  name: 'v1.JSONSchemaProps',
  key: 'apiextensions/v1.JSONSchemaProps',
};

/** A field of a struct. */
export interface GoField {
  readonly type: GoType;
  /** The embedded structs that lead to the field. In error texts, the names of these structs precede the name of the field. */
  readonly within: readonly string[];
  /** Whether an empty value is omitted from the JSON. */
  readonly omitsEmpty: boolean;
  /** The value that kube-apiserver writes if the field is unset; undefined if kube-apiserver omits the field. */
  readonly zero: unknown;
}

/** A numbered member of a protobuf message: a field of the object's JSON, or an embedded struct. */
export type GoMember =
  | { readonly name: string; readonly embeds?: undefined }
  | { readonly embeds: string; readonly name?: undefined };

/** A member of a struct declaration: a field, or an embedded struct. */
type Declared =
  | { readonly number: number; readonly name: string; readonly field: GoField; readonly embeds?: undefined }
  | { readonly number: number; readonly embeds: string };

const declaration = /^(\d+) (?:>(\S+)|([^ ?=]+)(?:(\?)|=(\S+))? (.+))$/;

const scalars: Readonly<Record<string, 'string' | 'bool' | 'int' | 'float'>> = {
  string: 'string',
  bool: 'bool',
  int32: 'int',
  int64: 'int',
  int: 'int',
  float64: 'float',
};

/** The declared types of the built-in kinds, read from the data on first use. */
export class GoTypes {
  readonly #data: Pick<ClusterData, 'goTypes'>;
  readonly #fields = new Map<string, ReadonlyMap<string, GoField>>();
  readonly #members = new Map<string, ReadonlyMap<number, GoMember>>();

  constructor(data: Pick<ClusterData, 'goTypes'> = defaultData) {
    this.#data = data;
  }

  /** Returns the type of a kind. Returns undefined for a kind without declared types. */
  kind(apiVersion: string, kind: string): GoType | undefined {
    const key = this.#data.goTypes.kinds[`${apiVersion}/${kind}`];
    return key === undefined ? undefined : typeOf(`@${key}`);
  }

  /** The type of the metadata of all objects. */
  get objectMeta(): GoType {
    return typeOf('@meta/v1.ObjectMeta');
  }

  /** Returns the fields of a struct and of its embedded structs, in declaration order. */
  fields(key: string): ReadonlyMap<string, GoField> {
    const known = this.#fields.get(key);
    if (known !== undefined) return known;
    const fields = new Map<string, GoField>();
    for (const declared of declaredIn(this.#data.goTypes, key)) {
      if (declared.embeds === undefined) fields.set(declared.name, declared.field);
      else this.#embed(fields, declared.embeds);
    }
    this.#fields.set(key, fields);
    return fields;
  }

  /** Returns the protobuf members of a struct, by their numbers. */
  members(key: string): ReadonlyMap<number, GoMember> {
    const known = this.#members.get(key);
    if (known !== undefined) return known;
    const numbered = declaredIn(this.#data.goTypes, key).filter(({ number }) => number !== 0);
    const members = new Map(numbered.map(({ number, ...member }) => [number, member]));
    this.#members.set(key, members);
    return members;
  }

  /** Adds the fields of an embedded struct. A field of the embedding struct hides an embedded field of the same name. */
  #embed(fields: Map<string, GoField>, embedded: string): void {
    for (const [name, field] of this.fields(embedded)) {
      if (fields.has(name)) continue;
      fields.set(name, { ...field, within: [embedded.slice(embedded.indexOf('.') + 1), ...field.within] });
    }
  }
}

function declaredIn({ structs }: GoDeclarations, key: string): readonly Declared[] {
  return (structs[key] ?? []).map(declaredAs);
}

/**
 * Parses a declaration. A declaration begins with the protobuf number of the field, or with 0. `1 name type` declares a field.
 * `1 name? type` declares a field that omits empty values. `1 name=null type` declares a field that is written as `null` if the field is
 * unset. `1 >folder/version.Struct` declares an embedded struct.
 */
function declaredAs(text: string): Declared {
  const [, number, embeds, name = '', omits, zero, type = ''] = declaration.exec(text) ?? [];
  if (embeds !== undefined) return { number: Number(number), embeds };
  const field = {
    type: typeOf(type),
    within: [],
    omitsEmpty: omits !== undefined,
    zero: zero === undefined ? undefined : (JSON.parse(zero) as unknown),
  };
  return { number: Number(number), name, field };
}

/**
 * Parses a type. `[]T` and `{}T` are lists and maps, and `[name]T` and `{name}T` are named lists and maps. `@folder/version.Struct` is a
 * struct, and `!Name` is a type with its own decoder. `bytes`, and texts such as `string` and `string v1.Name`, are scalars. Any other text
 * is a type that accepts all values.
 */
function typeOf(text: string): GoType {
  if (text.startsWith('@')) return { kind: 'struct', key: text.slice(1), name: structName(text) };
  if (text.startsWith('!')) return { kind: 'read', name: text.slice(1) };
  if (text === 'bytes') return { kind: 'bytes', name: '[]uint8' };
  if (text.startsWith('[')) return collection('list', text, ']');
  if (text.startsWith('{')) return collection('map', text, '}');
  const [base = '', name = base] = text.split(' ');
  const kind = scalars[base];
  return kind === undefined ? { kind: 'any', name } : { kind, name };
}

function collection(kind: 'list' | 'map', text: string, end: string): GoType {
  const close = text.indexOf(end);
  const of = typeOf(text.slice(close + 1));
  const plain = kind === 'list' ? `[]${of.name}` : `map[string]${of.name}`;
  return { kind, of, name: text.slice(1, close) || plain };
}

/** Returns the Go name of a struct: `v1.PodSpec` for `@core/v1.PodSpec`. */
function structName(text: string): string {
  return text.slice(text.lastIndexOf('/') + 1);
}
