import type { ApiError } from '@kubewright/api/errors';
import {
  anonymous,
  authenticatedGroup,
  mastersGroup,
  serviceAccountGroups,
  serviceAccountOf,
  unauthenticatedGroup,
  type User,
} from '../registry/requests/user.js';
import type { Attributes, ResourceAttributes } from './attributes.js';
import type { Authorizer } from './authorizer.js';
import { type ImpersonationMode, impersonationModes, nodeOf } from './impersonation-mode.js';
import { refusal } from './refusal.js';

/**
 * The minimum number of impersonated groups or extra values for which a constrained mode first checks the permission for all names (`*`),
 * and then the individual permissions.
 */
const manyQuestions = 4;
/** The maximum number of users whose last mode is cached. */
const mostRemembered = 1000;

/** Checks whether a user can impersonate another user. */
export class Impersonation {
  readonly #authorizer: Authorizer;
  /** The last successful mode of each user. This mode is tried first, and its refusal has precedence. */
  readonly #lastMode = new Map<string, ImpersonationMode>();

  constructor(authorizer: Authorizer) {
    this.#authorizer = authorizer;
  }

  /** Returns the impersonated user with the implied groups. Throws 403 with the first refusal if no mode allows the impersonation. */
  impersonate(desired: User, attributes: Attributes): User {
    const requestor = attributes.user;
    const last = this.#lastMode.get(requestor.name);
    const modes =
      last === undefined ? impersonationModes : [last, ...impersonationModes.filter((mode) => mode !== last)];
    let first: ApiError | undefined;
    for (const mode of modes) {
      if (!mode.applies(desired, requestor)) continue;
      const refused = this.#refusalOf(mode, desired, attributes);
      if (refused === undefined) {
        this.#remember(requestor.name, mode);
        return completed(desired, mode);
      }
      first ??= refused;
    }
    throw first ?? refusal(attributes, '');
  }

  #refusalOf(mode: ImpersonationMode, desired: User, attributes: Attributes): ApiError | undefined {
    if (mode.name !== 'legacy') {
      const refused = this.#check({ ...attributes, verb: `impersonate-on:${mode.name}:${attributes.verb}` });
      if (refused !== undefined) return refused;
    }
    const question = (resource: string, name: string, more: Partial<ResourceAttributes> = {}): ResourceAttributes => ({
      kind: 'resource',
      user: attributes.user,
      verb: mode.name === 'legacy' ? 'impersonate' : `impersonate:${mode.name}`,
      group: mode.name === 'legacy' && resource !== 'uids' && resource !== 'userextras' ? '' : 'authentication.k8s.io',
      resource,
      subresource: '',
      namespace: '',
      name,
      ...more,
    });
    return (
      this.#check(userQuestion(mode, desired.name, question)) ??
      (desired.uid === undefined ? undefined : this.#check(question('uids', desired.uid))) ??
      this.#groupsRefusal(mode, desired, question) ??
      this.#extraRefusal(mode, desired, question)
    );
  }

  #groupsRefusal(mode: ImpersonationMode, { groups }: User, question: Question): ApiError | undefined {
    if (mode.name !== 'legacy') {
      if (groups.includes(''))
        return refusal(question('groups', ''), 'impersonating the empty string group is not allowed');
      if (groups.includes(mastersGroup)) {
        return refusal(question('groups', mastersGroup), 'impersonating the system:masters group is not allowed');
      }
      if (groups.length >= manyQuestions && this.#authorizer.allows(question('groups', '*'))) return undefined;
    }
    return this.#firstRefusal(groups.map((group) => question('groups', group)));
  }

  #extraRefusal(mode: ImpersonationMode, { extra = {} }: User, question: Question): ApiError | undefined {
    const all = Object.entries(extra).flatMap(([key, values]) =>
      values.map((value) => question('userextras', value, { subresource: key })),
    );
    if (mode.name !== 'legacy' && all.length > 0) {
      const wrong = extraError(extra);
      if (wrong !== undefined) return refusal(question('userextras', ''), wrong);
      const any = question('userextras', '*', { subresource: '*' });
      if (all.length >= manyQuestions && this.#authorizer.allows(any)) return undefined;
    }
    return this.#firstRefusal(all);
  }

  #firstRefusal(questions: readonly ResourceAttributes[]): ApiError | undefined {
    for (const each of questions) {
      const refused = this.#check(each);
      if (refused !== undefined) return refused;
    }
    return undefined;
  }

  #check(attributes: Attributes): ApiError | undefined {
    const { allowed, reason } = this.#authorizer.decide(attributes);
    return allowed ? undefined : refusal(attributes, reason);
  }

  #remember(name: string, mode: ImpersonationMode): void {
    if (this.#lastMode.size >= mostRemembered) this.#lastMode.clear();
    this.#lastMode.set(name, mode);
  }
}

type Question = (resource: string, name: string, more?: Partial<ResourceAttributes>) => ResourceAttributes;

function userQuestion(mode: ImpersonationMode, userName: string, question: Question): ResourceAttributes {
  const node = mode.name === 'legacy' ? undefined : nodeOf(userName);
  // The permission to impersonate the associated node does not name a node.
  if (node !== undefined) return question('nodes', mode.name === 'associated-node' ? '*' : node);
  const account = serviceAccountOf(userName);
  if (account === undefined) return question('users', userName);
  return question('serviceaccounts', account.name, { namespace: account.namespace });
}

/** Returns the user with the groups that the name implies, and with the group of all authenticated or unauthenticated users. */
function completed(desired: User, { name: mode }: ImpersonationMode): User {
  const account = serviceAccountOf(desired.name);
  let { groups } = desired;
  if (groups.length === 0 && account !== undefined) groups = serviceAccountGroups(account.namespace);
  if (mode !== 'legacy' && nodeOf(desired.name) !== undefined) groups = ['system:nodes'];
  if (desired.name === anonymous.name) return { ...desired, groups: withGroup(groups, unauthenticatedGroup) };
  if (groups.includes(unauthenticatedGroup)) return { ...desired, groups };
  return { ...desired, groups: withGroup(groups, authenticatedGroup) };
}

function withGroup(groups: readonly string[], group: string): readonly string[] {
  return groups.includes(group) ? groups : [...groups, group];
}

function extraError(extra: Readonly<Record<string, readonly string[]>>): string | undefined {
  for (const [key, values] of Object.entries(extra)) {
    if (key === '') return 'impersonating the empty string key in extra is not allowed';
    if (!/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?\/[^/].*$/.test(key)) {
      return `impersonating an invalid key in extra is not allowed: ${keyError(key)}`;
    }
    if (values.includes('')) return 'impersonating the empty string value in extra is not allowed';
  }
  return undefined;
}

function keyError(key: string): string {
  const why = 'must be a domain-prefixed path (such as "acme.io/foo")';
  return `extra.key: Invalid value: ${JSON.stringify(key)}: ${why}`;
}
