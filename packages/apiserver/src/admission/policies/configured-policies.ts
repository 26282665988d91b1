import type { Store } from '../../storage/store.js';
import type { ApiObject } from '../../registry/objects/api-object.js';
import { stringAt } from '../../registry/objects/json-object.js';

/** A policy with its bindings. */
export interface ConfiguredPolicy<Compiled> {
  readonly policy: ApiObject;
  /** The bindings of the policy, sorted by name. */
  readonly bindings: readonly ApiObject[];
  /** Returns the compiled expressions of the policy. */
  readonly compiled: () => Compiled;
}

/** The storage buckets of the policies of one kind and of their bindings. */
export interface PolicyBuckets {
  readonly policies: string;
  readonly bindings: string;
}

/** The buckets of both kinds of policies. */
export const policyBuckets = {
  validating: bucketsOf('validating'),
  mutating: bucketsOf('mutating'),
} as const;

function bucketsOf(kind: 'validating' | 'mutating'): PolicyBuckets {
  const group = 'admissionregistration.k8s.io';
  return { policies: `${group}/${kind}admissionpolicies`, bindings: `${group}/${kind}admissionpolicybindings` };
}

/** The stored policies of one kind that have bindings, sorted by name. Compiles each version of a policy once, when a request matches. */
export class ConfiguredPolicies<Compiled> {
  readonly #buckets: PolicyBuckets;
  readonly #compile: (policy: ApiObject) => Compiled;
  readonly #known = new WeakMap<ApiObject, Compiled>();
  #stored: { readonly policies: readonly ApiObject[]; readonly bindings: readonly ApiObject[] } | undefined;
  #configured: readonly ConfiguredPolicy<Compiled>[] = [];

  constructor(buckets: PolicyBuckets, compile: (policy: ApiObject) => Compiled) {
    this.#buckets = buckets;
    this.#compile = compile;
  }

  /** Returns the currently stored policies that have bindings. */
  in(store: Store): readonly ConfiguredPolicy<Compiled>[] {
    const policies = store.list(this.#buckets.policies);
    const bindings = store.list(this.#buckets.bindings);
    if (this.#stored?.policies === policies && this.#stored.bindings === bindings) return this.#configured;
    this.#stored = { policies, bindings };
    this.#configured = policies.flatMap((policy) => this.#configuration(policy, bindings));
    return this.#configured;
  }

  #configuration(policy: ApiObject, all: readonly ApiObject[]): readonly ConfiguredPolicy<Compiled>[] {
    const bindings = all.filter((binding) => stringAt(binding, 'spec', 'policyName') === policy.metadata.name);
    return bindings.length === 0 ? [] : [{ policy, bindings, compiled: () => this.#compiled(policy) }];
  }

  #compiled(policy: ApiObject): Compiled {
    const known = this.#known.get(policy);
    if (known !== undefined) return known;
    const compiled = this.#compile(policy);
    this.#known.set(policy, compiled);
    return compiled;
  }
}
