import type { KindInfo } from '../metadata/kind-info.js';
import type { StructuralSchema } from '../schema/structural-schema.js';

/** The discovery data of a built-in kind. */
export interface BuiltInNames {
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly status?: true;
}
interface DefinitionsInit {
  readonly group: string;
  readonly version: string;
  readonly kinds: Readonly<Record<string, BuiltInNames>>;
  /** Schemas by name, as JSON. A `$ref` is a name in the same text, or `folder/version#Name`. */
  readonly text: string;
  readonly uses: Readonly<Record<string, Definitions>>;
}
type Raw = Readonly<Record<string, unknown>>;
/** How the definitions of another Kubernetes version differ. */
interface DefinitionsChange {
  /** Returns the changed definitions by name. */
  readonly change: (raw: object) => object;
  /** Returns the definitions of the other version by their path, such as `core/v1`. */
  readonly find: (path: string) => Definitions | undefined;
}

/** The schemas of one built-in group-version. The text is parsed once, on first use. Each schema is resolved once. */
export class Definitions {
  readonly group: string;
  readonly version: string;
  readonly apiVersion: string;
  readonly #init: DefinitionsInit;
  readonly #changed: DefinitionsChange | undefined;
  readonly #resolved = new Map<string, StructuralSchema>();
  #raw: Readonly<Record<string, Raw>> | undefined;

  constructor(init: DefinitionsInit, changed?: DefinitionsChange) {
    this.group = init.group;
    this.version = init.version;
    this.apiVersion = init.group === '' ? init.version : `${init.group}/${init.version}`;
    this.#init = init;
    this.#changed = changed;
  }

  /** The kinds of the group-version that have a resource. */
  get kinds(): readonly string[] {
    return Object.keys(this.#init.kinds);
  }

  /** Returns the discovery data of a kind, or undefined if the group-version has no resource for the kind. */
  kindInfo(kind: string): KindInfo | undefined {
    const names = Object.hasOwn(this.#init.kinds, kind) ? this.#init.kinds[kind] : undefined;
    if (names === undefined) return undefined;
    const { plural, singular, namespaced, shortNames = [], categories = [], status = false } = names;
    const { group, version, apiVersion } = this;
    const named = { group, version, apiVersion, kind, plural, singular, shortNames, categories };
    return Object.freeze({ ...named, namespaced, hasStatus: status, dynamic: false, builtIn: true });
  }

  /** Returns the schema of the given name with every reference resolved, or undefined. Returns the same object for every call. */
  schema(name: string): StructuralSchema | undefined {
    const known = this.#resolved.get(name);
    if (known !== undefined) return known;
    this.#raw ??= this.#read();
    const raw = Object.hasOwn(this.#raw, name) ? this.#raw[name] : undefined;
    if (raw === undefined) return undefined;
    const schema: StructuralSchema = {};
    this.#resolved.set(name, schema);
    return Object.assign(schema, this.#resolve(raw));
  }

  /** Returns the definitions of another Kubernetes version. `change` and `find` are called when a schema is first used. */
  changedBy(change: DefinitionsChange['change'], find: DefinitionsChange['find']): Definitions {
    return new Definitions(this.#init, { change, find });
  }

  #read(): Readonly<Record<string, Raw>> {
    const own = JSON.parse(this.#init.text) as object;
    return (this.#changed?.change(own) ?? own) as Readonly<Record<string, Raw>>;
  }

  #resolve(raw: Raw): StructuralSchema {
    const { $ref, properties, items, additionalProperties, ...plain } = raw;
    if (typeof $ref === 'string') {
      const target = this.#target($ref);
      return Object.keys(plain).length === 0 ? target : { ...target, ...plain };
    }
    return {
      ...plain,
      ...(properties === undefined ? {} : { properties: this.#resolveAll(properties as Record<string, Raw>) }),
      ...(items === undefined ? {} : { items: this.#resolve(items as Raw) }),
      ...(additionalProperties === undefined
        ? {}
        : { additionalProperties: this.#resolve(additionalProperties as Raw) }),
    };
  }

  #resolveAll(properties: Readonly<Record<string, Raw>>): Record<string, StructuralSchema> {
    return Object.fromEntries(Object.entries(properties).map(([name, raw]) => [name, this.#resolve(raw)]));
  }

  #target(reference: string): StructuralSchema {
    const [where = '', foreign] = reference.split('#');
    const target = foreign === undefined ? this.schema(where) : this.#used(where)?.schema(foreign);
    if (target === undefined) throw new TypeError(`${this.apiVersion} does not contain the definition ${reference}`);
    return target;
  }

  #used(path: string): Definitions | undefined {
    return this.#changed === undefined ? this.#init.uses[path] : this.#changed.find(path);
  }
}
