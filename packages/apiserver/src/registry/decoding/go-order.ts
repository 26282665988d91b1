import { Breaks, type Steps } from '@kubewright/api/apply';
import { setField } from '@kubewright/api/json';
import type { GoType } from '../cluster-data/go-types.js';
import type { JsonDraft } from '../objects/api-object.js';
import { isObject } from '../objects/json-object.js';
import type { ResourceDefinition } from '../definitions/resource-definition.js';

/**
 * Returns the result of a patch in steps, with the key order of kube-apiserver. The keys of objects that the patch changes are sorted by
 * name. The keys of unchanged objects have the order of the type declaration. Objects in changed lists keep their key order. With `raw`,
 * new objects also keep their key order, as for a JSON patch.
 */
export function patchedInGoOrder(
  patched: unknown,
  live: unknown,
  { definition, raw }: { readonly definition: ResourceDefinition; readonly raw: boolean },
): Steps<unknown> {
  return new PatchedOrder(definition, raw).of(patched, live);
}

class PatchedOrder {
  readonly #definition: ResourceDefinition;
  readonly #raw: boolean;
  readonly #breaks = new Breaks();

  constructor(definition: ResourceDefinition, raw: boolean) {
    this.#definition = definition;
    this.#raw = raw;
  }

  of(patched: unknown, live: unknown): Steps<unknown> {
    const { goTypes, apiVersion, kind } = this.#definition;
    return this.#value(patched, live, goTypes?.kind(apiVersion, kind));
  }

  *#value(patched: unknown, live: unknown, type: GoType | undefined): Steps<unknown> {
    if (patched === live) return yield* this.#declared(patched, type);
    if (!isObject(patched)) return patched;
    if (!isObject(live)) return this.#raw ? patched : yield* this.#byName(patched);
    return yield* this.#mapped(patched, Object.keys(patched).toSorted(), (key) =>
      this.#value(patched[key], live[key], this.#typeOf(type, key)),
    );
  }

  /** Orders a value that the patch does not change. */
  *#declared(value: unknown, type: GoType | undefined): Steps<unknown> {
    if (Array.isArray(value)) {
      const item = type?.kind === 'list' ? type.of : undefined;
      const items: unknown[] = [];
      for (const each of value) {
        items.push(typeof each === 'object' ? yield* this.#declared(each, item) : each);
        if (this.#breaks.isDue()) yield;
      }
      return items;
    }
    if (!isObject(value)) return value;
    const declared = type?.kind === 'struct' ? this.#definition.goTypes?.fields(type.key) : undefined;
    const known = [...(declared?.keys() ?? [])].filter((key) => Object.hasOwn(value, key));
    const others = Object.keys(value).filter((key) => declared?.has(key) !== true);
    return yield* this.#mapped(value, [...known, ...others.toSorted()], (key) =>
      this.#declared(value[key], this.#typeOf(type, key)),
    );
  }

  *#byName(value: unknown): Steps<unknown> {
    if (!isObject(value)) return value;
    return yield* this.#mapped(value, Object.keys(value).toSorted(), (key) => this.#byName(value[key]));
  }

  *#mapped(object: JsonDraft, keys: readonly string[], change: (key: string) => Steps<unknown>): Steps<JsonDraft> {
    const result: JsonDraft = {};
    for (const key of keys) {
      const value = object[key];
      if (value === undefined) continue;
      setField(result, key, typeof value === 'object' ? yield* change(key) : value);
      if (this.#breaks.isDue()) yield;
    }
    return result;
  }

  #typeOf(type: GoType | undefined, key: string): GoType | undefined {
    if (type?.kind === 'map') return type.of;
    return type?.kind === 'struct' ? this.#definition.goTypes?.fields(type.key).get(key)?.type : undefined;
  }
}
