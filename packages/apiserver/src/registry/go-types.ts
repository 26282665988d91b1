import { readGoTypes } from './cluster-data.js';

/** The type of a value as the server's own program declares it, with the name that its error texts have for it. */
export type GoType =
  | { readonly kind: 'string' | 'bool' | 'int' | 'float' | 'bytes' | 'any' | 'read'; readonly name: string }
  | { readonly kind: 'list' | 'map'; readonly name: string; readonly of: GoType }
  | { readonly kind: 'struct'; readonly name: string; readonly key: string };

/** A field of a struct. */
export interface GoField {
  readonly type: GoType;
  /** The embedded structs on the way to the field, which error texts name before it. */
  readonly within: readonly string[];
  /** An empty value is the same as none. */
  readonly omitsEmpty: boolean;
}

interface Declarations {
  readonly kinds: Readonly<Record<string, string>>;
  readonly structs: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

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
  #declarations: Declarations | undefined;

  /** The type of a kind's objects; undefined when the data does not have it. */
  kind(apiVersion: string, kind: string): GoType | undefined {
    const key = this.#read().kinds[`${apiVersion}/${kind}`];
    return key === undefined ? undefined : typeOf(`@${key}`);
  }

  /** The fields of a struct. */
  fields(key: string): ReadonlyMap<string, GoField> {
    const known = this.#fields.get(key);
    if (known !== undefined) return known;
    const declared = Object.entries(this.#read().structs[key] ?? {});
    const fields = new Map(declared.map(([name, text]) => [name, fieldOf(text)]));
    this.#fields.set(key, fields);
    return fields;
  }

  #read(): Declarations {
    this.#declarations ??= readGoTypes() as Declarations;
    return this.#declarations;
  }
}

/** Reads `type`, `?type` of one that omits what is empty, and `Embedded>type`. */
function fieldOf(text: string): GoField {
  const omitsEmpty = text.startsWith('?');
  const rest = omitsEmpty ? text.slice(1) : text;
  const arrow = rest.indexOf('>');
  return {
    type: typeOf(rest.slice(arrow + 1)),
    within: arrow === -1 ? [] : rest.slice(0, arrow).split('.'),
    omitsEmpty,
  };
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
