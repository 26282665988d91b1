import type { ContractAnswer, ContractApi, RequestOptions } from './contract-api.js';

const group = 'rbac.authorization.k8s.io';

/** Returns the path of RBAC objects of the case. */
export const rbac = (api: ContractApi, plural: string): string =>
  plural.startsWith('cluster')
    ? `/apis/${group}/v1/${plural}`
    : `/apis/${group}/v1/namespaces/${api.namespace}/${plural}`;

/** Returns options of a request in which the administrator impersonates another user. */
export const as = (user: string, options: RequestOptions & { readonly group?: string } = {}): RequestOptions => {
  const { group: member, headers, ...rest } = options;
  const requested = { 'impersonate-user': user, ...(member !== undefined && { 'impersonate-group': member }) };
  return { ...rest, headers: { ...requested, ...headers } };
};

/** Returns options of a request without credentials: the server ignores credentials with an unknown scheme. */
export const asNobody = (options: RequestOptions = {}): RequestOptions => ({
  ...options,
  headers: { authorization: 'Basic none', ...options.headers },
});

/** The user and the requested access of an access review. */
export interface Question {
  readonly user: string;
  readonly groups?: readonly string[];
  readonly verb: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly path?: string;
}

/** Waits until the server allows the access, or denies the access if `allowed` is false. A server applies new roles with a short delay. */
export async function decided(api: ContractApi, question: Question, allowed = true): Promise<void> {
  const { user, groups, path, ...resourceAttributes } = question;
  const attributes =
    path === undefined ? { resourceAttributes } : { nonResourceAttributes: { path, verb: question.verb } };
  await api.eventually(
    `the permission of ${user}`,
    () =>
      api.post(
        '/apis/authorization.k8s.io/v1/subjectaccessreviews',
        { spec: { user, groups, ...attributes } },
        { quiet: true },
      ),
    ({ body }) => body?.status?.allowed === allowed,
  );
}

/** Creates a role with one rule in the namespace of the case, and binds it to a new user. Returns the name of the user. */
export async function userWith(api: ContractApi, rule: object, name = 'user'): Promise<string> {
  const user = api.name(name);
  const role = `role-${user}`;
  await api.post(rbac(api, 'roles'), { metadata: { name: role }, rules: [rule] }, { quiet: true });
  await bind(api, { role, subjects: [{ kind: 'User', name: user }] });
  const { verbs, apiGroups, resources, resourceNames } = rule as Readonly<Record<string, readonly string[]>>;
  const [resource = '', subresource = ''] = (resources?.[0] ?? '').split('/');
  await decided(api, {
    user,
    verb: verbs?.[0] ?? '',
    group: apiGroups?.[0] ?? '',
    resource,
    subresource,
    name: resourceNames?.[0] ?? '',
    namespace: api.namespace,
  });
  return user;
}

/** Creates a RoleBinding in the namespace of the case. */
export function bind(
  api: ContractApi,
  {
    role,
    kind = 'Role',
    subjects,
  }: { readonly role: string; readonly kind?: string; readonly subjects: readonly object[] },
): Promise<ContractAnswer> {
  const roleRef = { apiGroup: group, kind, name: role };
  return api.post(rbac(api, 'rolebindings'), { metadata: { name: role }, roleRef, subjects }, { quiet: true });
}

/** Creates a ClusterRole with these rules, and binds it to the subjects in all namespaces. Returns the name of both objects. */
export async function clusterRoleFor(
  api: ContractApi,
  { rules, subjects }: { readonly rules: readonly object[]; readonly subjects: readonly object[] },
): Promise<string> {
  const name = api.name('cluster-role');
  await api.post(rbac(api, 'clusterroles'), { metadata: { name }, rules }, { quiet: true });
  const roleRef = { apiGroup: group, kind: 'ClusterRole', name };
  await api.post(rbac(api, 'clusterrolebindings'), { metadata: { name }, roleRef, subjects }, { quiet: true });
  return name;
}

/** Requests a token of a ServiceAccount of the case. */
export async function tokenOf(api: ContractApi, account: string, spec: object = {}): Promise<string> {
  const path = `/api/v1/namespaces/${api.namespace}/serviceaccounts/${account}/token`;
  const { body } = await api.post(path, { spec }, { quiet: true });
  return String(body.status.token);
}
