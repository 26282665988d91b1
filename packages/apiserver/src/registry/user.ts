/** Who makes a request, as authentication has found out. */
export interface User {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  /** What else is known, such as the Pod that a token belongs to; keys are lower-case. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The group that may do everything. */
export const mastersGroup = 'system:masters';
/** The group of everybody who has shown who they are. */
export const authenticatedGroup = 'system:authenticated';
/** The group of those who have not. */
export const unauthenticatedGroup = 'system:unauthenticated';

/** Whoever shows no credentials. */
export const anonymous: User = Object.freeze({ name: 'system:anonymous', groups: [unauthenticatedGroup] });

/** The administrator, whose token the kubeconfig of a server holds. */
export const administrator: User = Object.freeze({
  name: 'kubernetes-admin',
  groups: [mastersGroup, authenticatedGroup],
});

const serviceAccountPrefix = 'system:serviceaccount:';

/** The user name of a ServiceAccount. */
export function serviceAccountUserName(namespace: string, name: string): string {
  return `${serviceAccountPrefix}${namespace}:${name}`;
}

/** The ServiceAccount of a user name; undefined for all others. */
export function serviceAccountOf(userName: string): { readonly namespace: string; readonly name: string } | undefined {
  if (!userName.startsWith(serviceAccountPrefix)) return undefined;
  const [namespace = '', name = '', ...more] = userName.slice(serviceAccountPrefix.length).split(':');
  if (more.length > 0 || !/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(namespace)) return undefined;
  return name.length <= 253 && /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(name) ? { namespace, name } : undefined;
}

/** The groups of every ServiceAccount of a namespace. */
export function serviceAccountGroups(namespace: string): readonly string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
}
