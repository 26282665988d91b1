import { ruleAllows } from '@kubewright/api/rbac';
import { mastersGroup, type User } from '../registry/user.js';
import type { Store } from '../storage/store.js';
import { type Attributes, rightOf } from './attributes.js';
import type { PolicyRule } from './policy-rule.js';
import { type Grants, RoleIndex, type RoleReference } from './role-index.js';
import { describedRules, quoted } from './described-rules.js';
import { uncoveredRules } from './uncovered-rules.js';

/** The last line of a refusal that does not list all permissions. A kube-apiserver compares and lists all of them. */
const tooMany = 'too many combinations of verbs, groups, resources and names: divide the role into smaller roles';

/** Whether somebody may do something, and why. */
export interface Decision {
  readonly allowed: boolean;
  /** '' when there is nothing to say. */
  readonly reason: string;
}

/** Decides by the roles and bindings in the store, as they are at the moment of the question. */
export class Authorizer {
  readonly #roles: RoleIndex;

  constructor(store: Store) {
    this.#roles = new RoleIndex(store);
  }

  decide(attributes: Attributes): Decision {
    const { user } = attributes;
    if (user.groups.includes(mastersGroup)) return { allowed: true, reason: '' };
    const { rules, missing } = this.#roles.grants(user, attributes.kind === 'resource' ? attributes.namespace : '');
    const right = rightOf(attributes);
    const granting = rules.find(({ rule }) => ruleAllows(rule, right));
    if (granting !== undefined) return { allowed: true, reason: `RBAC: allowed by ${granting.source}` };
    return { allowed: false, reason: missing.length === 0 ? '' : `RBAC: ${rolesNotFound(missing)}` };
  }

  allows(attributes: Attributes): boolean {
    return this.decide(attributes).allowed;
  }

  /** Every rule that the user has in the namespace. */
  grants(user: User, namespace: string): Grants {
    return this.#roles.grants(user, namespace);
  }

  /** The rules of the role that a binding in the namespace ('' for the cluster) names; undefined when there is none. */
  rules(role: RoleReference, namespace: string): readonly PolicyRule[] | undefined {
    return this.#roles.rules(role, namespace);
  }

  /** Why the user may not give others these rules in the namespace; undefined when the user has them all. */
  escalation(user: User, namespace: string, rules: readonly PolicyRule[]): string | undefined {
    const held = this.grants(user, namespace);
    const { rules: missing, isComplete } = uncoveredRules(
      held.rules.map(({ rule }) => rule),
      rules,
    );
    if (missing.length === 0 && isComplete) return undefined;
    const who = `user ${JSON.stringify(user.name)} (groups=${quoted(user.groups)})`;
    // Who writes a role is told of resources, and who is refused of kinds.
    const resources = held.missing.map((role) => role.replace('.', 's.'));
    const errors = resources.length === 0 ? '' : `; resolution errors: [${rolesNotFound(resources)}]`;
    const shown = [...describedRules(missing), ...(isComplete ? [] : [tooMany])].join('\n');
    return `${who} is attempting to grant RBAC permissions not currently held:\n${shown}${errors}`;
  }
}

/** That roles are not there, several as one sentence. */
export function rolesNotFound(roles: readonly string[]): string {
  const errors = roles.map((role) => `${role} not found`);
  return errors.length === 1 ? (errors[0] ?? '') : `[${errors.join(', ')}]`;
}
