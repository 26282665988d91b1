import { createRequire } from 'node:module';
import { ruleAllows } from '@kubewright/api/rbac';
import { type ClusterData, defaultData } from '../registry/cluster-data/cluster-data.js';
import { mastersGroup, nodeNameOf, type User } from '../registry/requests/user.js';
import type { Store } from '../storage/store.js';
import { type Attributes, permissionOf } from './attributes.js';
import type { NodeAuthorizer } from './node-authorizer.js';
import type { PolicyRule } from './policy-rule.js';
import { type Grants, RoleIndex, type RoleReference } from './role-index.js';
import { describedRules, quoted } from './described-rules.js';
import { uncoveredRules } from './uncovered-rules.js';

const load = createRequire(import.meta.url);
/** The last line of a refusal whose list of permissions is incomplete. A kube-apiserver compares and lists all permissions. */
const tooMany = 'too many combinations of verbs, groups, resources and names; split the role into smaller roles';

/** Whether an action is allowed, and the reason. */
export interface Decision {
  readonly allowed: boolean;
  /** The reason; '' if there is none. */
  readonly reason: string;
}

/** Authorizes requests with the current roles and bindings in the store, and the requests of kubelets with the Pods on their nodes. */
export class Authorizer {
  readonly #roles: RoleIndex;
  readonly #store: Store;
  readonly #data: ClusterData;
  #nodes: NodeAuthorizer | undefined;

  /** @param data the data of the server's Kubernetes version, with the initial roles @default the data of the default version */
  constructor(store: Store, data: ClusterData = defaultData) {
    this.#roles = new RoleIndex(store);
    this.#store = store;
    this.#data = data;
  }

  decide(attributes: Attributes): Decision {
    const { user } = attributes;
    if (user.groups.includes(mastersGroup)) return { allowed: true, reason: '' };
    const node = nodeNameOf(user);
    const own = node === undefined ? undefined : this.#nodeAuthorizer.decide(node, attributes);
    if (own?.allowed === true) return { allowed: true, reason: '' };
    const decision = this.#granted(attributes);
    if (decision.allowed || own === undefined) return decision;
    return { allowed: false, reason: [own.reason, decision.reason].filter((reason) => reason !== '').join('\n') };
  }

  /** Returns the authorizer of kubelets, which most servers do not need. */
  get #nodeAuthorizer(): NodeAuthorizer {
    if (this.#nodes !== undefined) return this.#nodes;
    const { NodeAuthorizer: Made } = load('./node-authorizer.js') as typeof import('./node-authorizer.js');
    this.#nodes = new Made(this.#store, this.#data);
    return this.#nodes;
  }

  /** Decides with the roles of the user. */
  #granted(attributes: Attributes): Decision {
    const { user } = attributes;
    const { rules, missing } = this.#roles.grants(user, attributes.kind === 'resource' ? attributes.namespace : '');
    const permission = permissionOf(attributes);
    const granting = rules.find(({ rule }) => ruleAllows(rule, permission));
    if (granting !== undefined) return { allowed: true, reason: `RBAC: allowed by ${granting.source}` };
    return { allowed: false, reason: missing.length === 0 ? '' : `RBAC: ${rolesNotFound(missing)}` };
  }

  allows(attributes: Attributes): boolean {
    return this.decide(attributes).allowed;
  }

  /** Returns all rules that the user has in the namespace. */
  grants(user: User, namespace: string): Grants {
    return this.#roles.grants(user, namespace);
  }

  /**
   * Returns the rules of the role that a binding in the namespace ('' for the cluster) references, or undefined if the role does not exist.
   */
  rules(role: RoleReference, namespace: string): readonly PolicyRule[] | undefined {
    return this.#roles.rules(role, namespace);
  }

  /** Returns the reason why the user cannot grant these rules in the namespace, or undefined if the user can grant the rules. */
  escalation(user: User, namespace: string, rules: readonly PolicyRule[]): string | undefined {
    const held = this.grants(user, namespace);
    const { rules: missing, isComplete } = uncoveredRules(
      held.rules.map(({ rule }) => rule),
      rules,
    );
    if (missing.length === 0 && isComplete) return undefined;
    const who = `user ${JSON.stringify(user.name)} (groups=${quoted(user.groups)})`;
    // This error contains the resource, such as `roles`. The list of missing roles contains the kind, such as `role`.
    const resources = held.missing.map((role) => role.replace('.', 's.'));
    const errors = resources.length === 0 ? '' : `; resolution errors: [${rolesNotFound(resources)}]`;
    const shown = [...describedRules(missing), ...(isComplete ? [] : [tooMany])].join('\n');
    return `${who} is attempting to grant RBAC permissions not currently held:\n${shown}${errors}`;
  }
}

/** Returns the message for roles that do not exist. */
export function rolesNotFound(roles: readonly string[]): string {
  const errors = roles.map((role) => `${role} not found`);
  return errors.length === 1 ? (errors[0] ?? '') : `[${errors.join(', ')}]`;
}
