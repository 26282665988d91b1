import { setField } from '@kubewright/api/json';
import type { GoType } from './go-types.js';
import { isObject, type JsonDraft } from '../json-object.js';
import type { ResourceDefinition } from '../resource-definition.js';

/**
 * What a patch makes of a live object, with its keys in the order in which the server's own program has them: by name
 * where the patch goes through, as the types declare them where it leaves them alone. What a JSON patch brings along
 * (`raw`) stays as it is.
 */
export function patchedInGoOrder(
  patched: unknown,
  live: unknown,
  { definition, raw }: { readonly definition: ResourceDefinition; readonly raw: boolean },
): unknown {
  return new PatchedOrder(definition, raw).of(patched, live);
}

class PatchedOrder {
  readonly #definition: ResourceDefinition;
  readonly #raw: boolean;

  constructor(definition: ResourceDefinition, raw: boolean) {
    this.#definition = definition;
    this.#raw = raw;
  }

  of(patched: unknown, live: unknown): unknown {
    const { goTypes, apiVersion, kind } = this.#definition;
    return this.#value(patched, live, goTypes?.kind(apiVersion, kind));
  }

  #value(patched: unknown, live: unknown, type: GoType | undefined): unknown {
    if (patched === live) return this.#declared(patched, type);
    if (!isObject(patched)) return patched;
    if (!isObject(live)) return this.#raw ? patched : byName(patched);
    return mapped(patched, Object.keys(patched).toSorted(), (key) =>
      this.#value(patched[key], live[key], this.#typeOf(type, key)),
    );
  }

  /** What nobody has touched. */
  #declared(value: unknown, type: GoType | undefined): unknown {
    if (Array.isArray(value)) {
      const item = type?.kind === 'list' ? type.of : undefined;
      return value.map((each) => this.#declared(each, item));
    }
    if (!isObject(value)) return value;
    const declared = type?.kind === 'struct' ? this.#definition.goTypes?.fields(type.key) : undefined;
    const known = [...(declared?.keys() ?? [])].filter((key) => Object.hasOwn(value, key));
    const others = Object.keys(value).filter((key) => declared?.has(key) !== true);
    return mapped(value, [...known, ...others.toSorted()], (key) =>
      this.#declared(value[key], this.#typeOf(type, key)),
    );
  }

  #typeOf(type: GoType | undefined, key: string): GoType | undefined {
    if (type?.kind === 'map') return type.of;
    return type?.kind === 'struct' ? this.#definition.goTypes?.fields(type.key).get(key)?.type : undefined;
  }
}

function byName(value: unknown): unknown {
  return isObject(value) ? mapped(value, Object.keys(value).toSorted(), (key) => byName(value[key])) : value;
}

function mapped(object: JsonDraft, keys: readonly string[], change: (key: string) => unknown): JsonDraft {
  const result: JsonDraft = {};
  for (const key of keys) if (object[key] !== undefined) setField(result, key, change(key));
  return result;
}
