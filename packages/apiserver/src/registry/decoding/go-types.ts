import { readGoTypes } from '../cluster-data.js';

/** The type of a value as the server's own program declares it, with the name that its error texts have for it. */
export type GoType =
  | { readonly kind: 'string' | 'bool' | 'int' | 'float' | 'bytes' | 'any' | 'read'; readonly name: string }
  | { readonly kind: 'list' | 'map'; readonly name: string; readonly of: GoType }
  | { readonly kind: 'struct'; readonly name: string; readonly key: string };

/** A schema, which types that read themselves may hold. */
export const schemaProps: GoType = {
  kind: 'struct',
  name: 'v1.JSONSchemaProps',
  key: 'apiextensions/v1.JSONSchemaProps',
};

/** A field of a struct. */
export interface GoField {
  readonly type: GoType;
  /** The embedded structs on the way to the field, which error texts name before it. */
  readonly within: readonly string[];
  /** It is not written when it is empty. */
  readonly omitsEmpty: boolean;
  /** What is written when nothing is set; undefined when nothing is. */
  readonly zero: unknown;
}

/** What has a number in a message: a field of the object's JSON, or a struct whose fields stand in the object itself. */
export type GoMember =
  | { readonly name: string; readonly embeds?: undefined }
  | { readonly embeds: string; readonly name?: undefined };

/** What stands in a declaration: a field, or a struct whose fields are fields of this one. */
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

/** The declared types of the built-in kinds, read from the data when first asked for. */
export class GoTypes {
  readonly #fields = new Map<string, ReadonlyMap<string, GoField>>();
  readonly #members = new Map<string, ReadonlyMap<number, GoMember>>();

  /** The type of a kind's objects; undefined when the data does not have it. */
  kind(apiVersion: string, kind: string): GoType | undefined {
    const key = readGoTypes().kinds[`${apiVersion}/${kind}`];
    return key === undefined ? undefined : typeOf(`@${key}`);
  }

  /** The type of the metadata that every object has. */
  get objectMeta(): GoType {
    return typeOf('@meta/v1.ObjectMeta');
  }

  /** The fields of a struct and of those that it embeds, in the order in which they are declared. */
  fields(key: string): ReadonlyMap<string, GoField> {
    const known = this.#fields.get(key);
    if (known !== undefined) return known;
    const fields = new Map<string, GoField>();
    for (const declared of declaredIn(key)) {
      if (declared.embeds === undefined) fields.set(declared.name, declared.field);
      else this.#embed(fields, declared.embeds);
    }
    this.#fields.set(key, fields);
    return fields;
  }

  /** What a struct has in protobuf, by its numbers. */
  members(key: string): ReadonlyMap<number, GoMember> {
    const known = this.#members.get(key);
    if (known !== undefined) return known;
    const numbered = declaredIn(key).filter(({ number }) => number !== 0);
    const members = new Map(numbered.map(({ number, ...member }) => [number, member]));
    this.#members.set(key, members);
    return members;
  }

  /** A field of the struct's own comes before one of the same name in a struct that it embeds. */
  #embed(fields: Map<string, GoField>, embedded: string): void {
    for (const [name, field] of this.fields(embedded)) {
      if (fields.has(name)) continue;
      fields.set(name, { ...field, within: [embedded.slice(embedded.indexOf('.') + 1), ...field.within] });
    }
  }
}

function declaredIn(key: string): readonly Declared[] {
  return (readGoTypes().structs[key] ?? []).map(declaredAs);
}

/** Reads `1 name type`, `1 name? type` of one that omits what is empty, `1 name=null type`, and `1 >folder/version.Struct`. */
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

/** Reads `[]T`, `{}T`, `[name]T`, `{name}T`, `@folder/version.Struct`, `!read by its own rule`, `string its.Name`. */
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

/** `@core/v1.PodSpec` is `v1.PodSpec` to the program. */
function structName(text: string): string {
  return text.slice(text.lastIndexOf('/') + 1);
}
