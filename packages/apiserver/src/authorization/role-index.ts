import { append } from '@kubewright/api/json';
import type { JsonObject } from '../registry/objects/api-object.js';
import { objectsAt, stringAt } from '../registry/objects/json-object.js';
import { serviceAccountUserName, type User } from '../registry/requests/user.js';
import type { Store } from '../storage/store.js';
import type { ApiObject } from '../storage/api-object.js';
import { type PolicyRule, rulesOf } from './policy-rule.js';

const group = 'rbac.authorization.k8s.io';
const buckets = {
  roles: `${group}/roles`,
  clusterRoles: `${group}/clusterroles`,
  roleBindings: `${group}/rolebindings`,
  clusterRoleBindings: `${group}/clusterrolebindings`,
} as const;
/**
 * The maximum size of the cache: the characters of its keys, plus the number of its rules and missing roles. If the size would exceed the
 * maximum, the index clears the cache.
 */
const maxCached = 1_000_000;

/** A granted rule, and a description of its source. */
export interface GrantedRule {
  readonly rule: PolicyRule;
  readonly source: string;
}

/** The rules of a user in a namespace, and the roles that do not exist. */
export interface Grants {
  readonly rules: readonly GrantedRule[];
  /** The bound roles that do not exist, in the format of messages, such as `role.rbac.authorization.k8s.io "a"`. */
  readonly missing: readonly string[];
}

/** The role that a binding references. */
export interface RoleReference {
  readonly kind: string;
  readonly name: string;
}

interface Binding {
  readonly namespace: string;
  readonly name: string;
  readonly order: number;
  readonly role: RoleReference;
  /** The subject in the format of messages. */
  readonly subject: string;
}

/**
 * Indexes rules by subject. The index is built on first use and cleared after each change of a role or binding, so that a decision takes a
 * lookup and a scan of the rules of one user.
 */
export class RoleIndex {
  readonly #store: Store;
  readonly #grants = new Map<string, Grants>();
  #kept = 0;
  /** The rules of each binding. The users of a binding share these rules. */
  readonly #granted = new Map<Binding, readonly GrantedRule[] | undefined>();
  #bindings: ReadonlyMap<string, readonly Binding[]> | undefined;

  constructor(store: Store) {
    this.#store = store;
    for (const bucket of Object.values(buckets)) {
      store.watch(bucket, { from: store.resourceVersion }, () => this.#forget());
    }
  }

  /** Returns the rules of the user in the namespace, '' for the cluster scope. The rules of cluster bindings precede other rules. */
  grants({ name, groups }: Pick<User, 'name' | 'groups'>, namespace: string): Grants {
    const key = JSON.stringify([namespace, name, groups]);
    const known = this.#grants.get(key);
    if (known !== undefined) return known;
    const found = this.#resolve(this.#bindingsOf(name, groups, namespace));
    const size = key.length + found.rules.length + found.missing.length;
    if (this.#kept + size > maxCached) {
      this.#grants.clear();
      this.#kept = 0;
    }
    if (size > maxCached) return found;
    this.#grants.set(key, found);
    this.#kept += size;
    return found;
  }

  /** Returns the rules of the role that a binding in the namespace references, or undefined if the role does not exist. */
  rules({ kind, name }: RoleReference, namespace: string): readonly PolicyRule[] | undefined {
    const role =
      kind === 'Role'
        ? this.#store.get(buckets.roles, { namespace, name })
        : this.#store.get(buckets.clusterRoles, { name });
    return role === undefined ? undefined : rulesOf(role);
  }

  #resolve(bindings: readonly Binding[]): Grants {
    const rules: GrantedRule[] = [];
    const missing = new Set<string>();
    for (const binding of bindings) {
      const found = this.#grantedBy(binding);
      if (found === undefined) missing.add(`${binding.role.kind.toLowerCase()}.${group} "${binding.role.name}"`);
      else append(rules, found);
    }
    return { rules, missing: [...missing] };
  }

  #grantedBy(binding: Binding): readonly GrantedRule[] | undefined {
    if (this.#granted.has(binding)) return this.#granted.get(binding);
    const source = described(binding);
    const granted = this.rules(binding.role, binding.namespace)?.map((rule) => ({ rule, source }));
    this.#granted.set(binding, granted);
    return granted;
  }

  /** Returns the matching bindings, cluster bindings first. Each binding occurs once, with its first matching subject. */
  #bindingsOf(name: string, groups: readonly string[], namespace: string): readonly Binding[] {
    this.#bindings ??= this.#index();
    const subjects = [`User ${name}`, ...groups.map((each) => `Group ${each}`)];
    const selected = new Map<string, Binding>();
    for (const subject of subjects) {
      for (const binding of this.#bindings.get(subject) ?? []) {
        if (binding.namespace !== '' && binding.namespace !== namespace) continue;
        const key = `${binding.namespace}/${binding.name}`;
        const known = selected.get(key);
        if (known === undefined || binding.order < known.order) selected.set(key, binding);
      }
    }
    return [...selected.values()].toSorted(byScopeAndName);
  }

  #index(): ReadonlyMap<string, readonly Binding[]> {
    const bySubject = new Map<string, Binding[]>();
    const stored = [...this.#store.list(buckets.clusterRoleBindings), ...this.#store.list(buckets.roleBindings)];
    for (const object of stored) {
      for (const [key, binding] of entries(object)) {
        const known = bySubject.get(key);
        if (known === undefined) bySubject.set(key, [binding]);
        else known.push(binding);
      }
    }
    return bySubject;
  }

  #forget(): void {
    this.#bindings = undefined;
    this.#grants.clear();
    this.#granted.clear();
    this.#kept = 0;
  }
}

function entries(object: ApiObject): readonly (readonly [string, Binding])[] {
  const { name, namespace = '' } = object.metadata;
  const role = { kind: stringAt(object, 'roleRef', 'kind'), name: stringAt(object, 'roleRef', 'name') };
  return objectsAt(object, 'subjects').flatMap((subject, order) => {
    const key = subjectKey(subject, namespace);
    if (key === undefined) return [];
    return [[key, { name, namespace, order, role, subject: shownSubject(subject, namespace) }] as const];
  });
}

/**
 * Returns the key of a subject, or undefined for a subject that cannot be a user or a group. The key of a ServiceAccount is the key of its
 * user.
 */
function subjectKey(subject: JsonObject, bindingNamespace: string): string | undefined {
  const { kind, name } = subject;
  if (kind === 'User' || kind === 'Group') return `${kind} ${String(name)}`;
  const namespace = stringAt(subject, 'namespace') || bindingNamespace;
  if (kind !== 'ServiceAccount' || namespace === '') return undefined;
  return `User ${serviceAccountUserName(namespace, String(name))}`;
}

function shownSubject(subject: JsonObject, bindingNamespace: string): string {
  const kind = stringAt(subject, 'kind');
  const name = stringAt(subject, 'name');
  if (kind !== 'ServiceAccount') return `${kind} ${JSON.stringify(name)}`;
  return `${kind} ${JSON.stringify(`${name}/${stringAt(subject, 'namespace') || bindingNamespace}`)}`;
}

function described({ namespace, name, role, subject }: Binding): string {
  const binding = namespace === '' ? `ClusterRoleBinding "${name}"` : `RoleBinding "${name}/${namespace}"`;
  return `${binding} of ${role.kind} "${role.name}" to ${subject}`;
}

function byScopeAndName(a: Binding, b: Binding): number {
  return Number(a.namespace !== '') - Number(b.namespace !== '') || (a.name < b.name ? -1 : Number(a.name > b.name));
}
