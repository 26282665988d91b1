/** The authenticated user of a request. */
export interface User {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  /** Further attributes, such as the Pod of a token. Keys are lower case. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The group with all permissions. */
export const mastersGroup = 'system:masters';
/** The group of all authenticated users. */
export const authenticatedGroup = 'system:authenticated';
/** The group of all unauthenticated users. */
export const unauthenticatedGroup = 'system:unauthenticated';

/** The user of a request without credentials. */
export const anonymous: User = Object.freeze({ name: 'system:anonymous', groups: [unauthenticatedGroup] });

/** The administrator. By default, the kubeconfig of a server contains the token of this user. */
export const administrator: User = Object.freeze({
  name: 'kubernetes-admin',
  uid: 'kubernetes-admin',
  groups: [mastersGroup, authenticatedGroup],
});

const serviceAccountPrefix = 'system:serviceaccount:';

/** Returns the user name of a ServiceAccount. */
export function serviceAccountUserName(namespace: string, name: string): string {
  return `${serviceAccountPrefix}${namespace}:${name}`;
}

/** Returns the namespace and name of the ServiceAccount with the given user name. Returns undefined if the user is not a ServiceAccount. */
export function serviceAccountOf(userName: string): { readonly namespace: string; readonly name: string } | undefined {
  if (!userName.startsWith(serviceAccountPrefix)) return undefined;
  const [namespace = '', name = '', ...more] = userName.slice(serviceAccountPrefix.length).split(':');
  if (more.length > 0 || !/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(namespace)) return undefined;
  return name.length <= 253 && /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(name) ? { namespace, name } : undefined;
}

/** Returns the groups of every ServiceAccount in a namespace. */
export function serviceAccountGroups(namespace: string): readonly string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
}

/** The prefix of the user names of kubelets. */
export const nodeUserPrefix = 'system:node:';

/** Returns the name of the node if the user is a node, '' for a node without a name, and undefined for other users. */
export function nodeNameOf({ name, groups }: Pick<User, 'name' | 'groups'>): string | undefined {
  return name.startsWith(nodeUserPrefix) && groups.includes('system:nodes')
    ? name.slice(nodeUserPrefix.length)
    : undefined;
}
