import { covers } from '@kubewright/api/rbac';
import type { PolicyRule } from './policy-rule.js';

/** The maximum work of one search, in text comparisons. This work takes about 50 ms. */
const mostWork = 500_000;
/** The work for one rule before its first comparison. */
const workPerRule = 20;
/** The work to index one value. */
const workPerValue = 3;
/** The work to compare two URLs, in addition to the work for their characters. */
const workPerUrl = 5;
/** The number of characters of a held URL that increase the work of a comparison by 1. */
const charactersPerWork = 32;
/** The maximum number of missing rules that one search returns. */
const mostParts = 1000;
/** The maximum number of characters in the missing rules that one search returns. */
const mostCharacters = 1024 * 1024;

const none: readonly HeldRule[] = [];

/** The permissions that one list of rules grants and another list does not grant. */
export interface UncoveredRules {
  /** The missing permissions as rules. Each rule has the missing verbs on one resource or one named object, or one verb on one URL. */
  readonly rules: readonly PolicyRule[];
  /** Whether all missing permissions were found. If this is false, the search ended at a limit, and `rules` can be empty. */
  readonly isComplete: boolean;
}

/**
 * Returns the permissions of `desired` that `held` does not grant. The search takes at most about 50 ms and returns at most 1,000 rules.
 */
export function uncoveredRules(held: readonly PolicyRule[], desired: readonly PolicyRule[]): UncoveredRules {
  const search = new Search(held);
  for (const rule of desired) {
    if (!search.isComplete) break;
    search.add(rule);
  }
  return search;
}

/** A rule of `held`, with sets for fast lookups. `at` is the index of the rule in `held`. */
interface HeldRule {
  readonly at: number;
  readonly verbs: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  readonly urls: readonly string[];
}

/** Values of one field that the same held rules accept. */
interface Alike<T> {
  readonly values: T[];
  readonly held: readonly HeldRule[];
}

/**
 * A rule allows all combinations of its verbs, groups, resources and names. The search does not build these combinations. If the same held
 * rules accept several values, the search compares these values once.
 */
class Search implements UncoveredRules {
  readonly rules: PolicyRule[] = [];
  #work = mostWork;
  #characters = mostCharacters;
  readonly #byResource = new Map<string, HeldRule[]>();
  readonly #withUrls: HeldRule[] = [];

  constructor(held: readonly PolicyRule[]) {
    for (const [at, rule] of held.entries()) {
      const { verbs, apiGroups, resources, resourceNames, nonResourceURLs: urls } = rule;
      const values = verbs.length + apiGroups.length + resources.length + resourceNames.length + urls.length;
      this.#work -= workPerRule + values * workPerValue;
      if (!this.isComplete) return;
      const sets = { verbs: new Set(verbs), groups: new Set(apiGroups), names: new Set(resourceNames) };
      this.#index({ at, ...sets, urls }, resources);
    }
  }

  get isComplete(): boolean {
    return this.#work >= 0 && this.#characters >= 0;
  }

  /** Adds the missing permissions of one rule. */
  add(rule: PolicyRule): void {
    this.#work -= workPerRule;
    for (const { values: urls, held } of this.#alike(rule.nonResourceURLs, (url) => this.#allowingUrl(url))) {
      this.#report(urlParts(urls, this.#missingVerbs(rule.verbs, held)));
    }
    for (const { values, held } of this.#alike(rule.resources, (resource) => this.#allowingResource(resource))) {
      this.#addResources({ ...rule, resources: values }, held);
    }
  }

  /** Adds the missing permissions of a rule. `allowingResource` contains the held rules that accept every resource of the rule. */
  #addResources(
    { verbs, apiGroups, resources, resourceNames }: PolicyRule,
    allowingResource: readonly HeldRule[],
  ): void {
    const allNames = resourceNames.length === 0 ? [undefined] : resourceNames;
    const allowingGroup = (group: string): readonly HeldRule[] =>
      this.#filter(allowingResource, (rule) => rule.groups.has('*') || rule.groups.has(group));
    for (const { values: groups, held } of this.#alike(apiGroups, allowingGroup)) {
      const allowingName = (name: string | undefined): readonly HeldRule[] =>
        this.#filter(held, (rule) => rule.names.size === 0 || (name !== undefined && rule.names.has(name)));
      for (const { values: names, held: allowing } of this.#alike(allNames, allowingName)) {
        this.#report(resourceParts({ groups, resources, names, verbs: this.#missingVerbs(verbs, allowing) }));
      }
    }
  }

  #index(rule: HeldRule, resources: readonly string[]): void {
    if (rule.urls.length > 0) this.#withUrls.push(rule);
    for (const resource of new Set(resources)) {
      const known = this.#byResource.get(resource);
      if (known === undefined) this.#byResource.set(resource, [rule]);
      else known.push(rule);
    }
  }

  /** Groups values by the held rules that accept them. Returns an empty result when the work limit is reached. */
  #alike<T>(values: readonly T[], accepting: (value: T) => readonly HeldRule[]): readonly Alike<T>[] {
    const groups = new Map<string, Alike<T>>();
    for (const value of values) {
      const held = accepting(value);
      this.#work -= 1 + held.length;
      if (!this.isComplete) return [];
      if (values.length === 1) return [{ values: [value], held }];
      const key = held.length === 1 ? String(held[0]?.at) : held.map(({ at }) => at).join();
      const known = groups.get(key);
      if (known === undefined) groups.set(key, { values: [value], held });
      else known.values.push(value);
    }
    return [...groups.values()];
  }

  /** Returns the rules whose resources cover the resource, as defined by `covers`. */
  #allowingResource(resource: string): readonly HeldRule[] {
    const named = this.#byResource.get(resource) ?? none;
    const slash = resource.indexOf('/');
    const ofAll = slash < 0 ? none : (this.#byResource.get(`*${resource.slice(slash)}`) ?? none);
    const all = this.#byResource.get('*') ?? none;
    return ofAll.length + all.length === 0 ? named : [...new Set([...named, ...ofAll, ...all])];
  }

  #allowingUrl(url: string): readonly HeldRule[] {
    return this.#filter(this.#withUrls, ({ urls }) =>
      urls.some((wide) => {
        this.#work -= workPerUrl + wide.length / charactersPerWork;
        return this.isComplete && covers({ verb: '*', url: wide }, { verb: '*', url });
      }),
    );
  }

  #filter(held: readonly HeldRule[], accepts: (rule: HeldRule) => boolean): readonly HeldRule[] {
    this.#work -= held.length;
    return this.isComplete ? held.filter(accepts) : [];
  }

  #missingVerbs(verbs: readonly string[], held: readonly HeldRule[]): readonly string[] {
    if (held.some((rule) => rule.verbs.has('*'))) return [];
    this.#work -= verbs.length;
    return verbs.filter((verb) => {
      if (!this.isComplete) return false;
      return !held.some((rule) => {
        this.#work -= 1;
        return rule.verbs.has(verb);
      });
    });
  }

  #report(parts: Iterable<PolicyRule>): void {
    if (!this.isComplete) return;
    for (const part of parts) {
      for (const values of Object.values(part)) this.#characters -= charactersIn(values);
      if (this.rules.length === mostParts) this.#characters = -1;
      if (!this.isComplete) return;
      this.rules.push(part);
    }
  }
}

function* resourceParts(values: {
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  readonly names: readonly (string | undefined)[];
  readonly verbs: readonly string[];
}): Generator<PolicyRule> {
  const { verbs } = values;
  if (verbs.length === 0) return;
  for (const group of values.groups) {
    for (const resource of values.resources) {
      for (const name of values.names) {
        const resourceNames = name === undefined ? [] : [name];
        yield { verbs, apiGroups: [group], resources: [resource], resourceNames, nonResourceURLs: [] };
      }
    }
  }
}

function* urlParts(urls: readonly string[], verbs: readonly string[]): Generator<PolicyRule> {
  for (const url of urls) {
    for (const verb of verbs) {
      yield { verbs: [verb], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [url] };
    }
  }
}

function charactersIn(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length + 1, 0);
}
