import {
  covers,
  type OperatorPermissions,
  type ResourcePermission,
  type Permission,
  widestOf,
} from '@kubewright/api/rbac';
import type { RbacRule, UrlRule } from './rbac-decorator.js';
import type {
  ControllerDescription,
  DescribedElection,
  DescribedKind,
  OperatorDescription,
} from './operator-description.js';
import { isNamespaced, resourceOf } from './resource-of.js';

/** Where a permission applies: in the whole cluster, in the namespace of the operator ('own'), or in the given namespaces. */
type Where = 'cluster' | 'own' | readonly string[];
interface Need {
  readonly where: Where;
  readonly permissions: readonly Permission[];
}

const READ = ['get', 'list', 'watch'];
/** The namespace in which events about cluster-scoped objects are created. */
const EVENTS_OF_CLUSTER_KINDS = 'default';

/**
 * Returns the permissions that an operator needs. The permissions are derived only from the declarations of the operator:
 *
 * - `for`, `owns`, `watches` and `reads`: get, list and watch of the kind.
 * - `for`: patch of the status if the kind is a custom kind with a status subresource, or if the controller itself writes the status. Patch
 *   of the object if the controller has finalizers. Update of `finalizers` if the controller has owned kinds, because some clusters require
 *   this permission for an owner reference with `blockOwnerDeletion`.
 * - `owns`: create, patch and delete, or only the verbs that `owned` declares.
 * - Leader election: the Lease. Events: create and patch. Protected metrics: TokenReviews and SubjectAccessReviews.
 * - `@Rbac`: the given rules.
 *
 * If an operator, a controller or a watch is restricted to namespaces, its permissions are restricted to these namespaces.
 *
 * @example
 * const permissions = permissionsOf(manager.describe());
 */
export function permissionsOf(description: OperatorDescription): OperatorPermissions {
  const { controllers, leaderElection, namespaces, metrics, rules } = description;
  return scoped([
    ...controllers.flatMap(needsOf),
    ...rules.map((rule) => ruleNeed(rule, namespaces)),
    ...(leaderElection === undefined ? [] : electionNeeds(leaderElection)),
    ...eventNeeds(description),
    ...(metrics !== false && metrics.protect ? [reviewNeed] : []),
  ]);
}

function needsOf(controller: ControllerDescription): readonly Need[] {
  const { owns, watches, reads, rules, namespaces } = controller;
  return [
    ...(controller.for === undefined ? [] : primaryNeeds(controller.for, controller)),
    ...owns.map((child) => need(child, [...READ, ...child.verbs])),
    ...[...watches, ...reads].map((other) => need(other, READ)),
    ...rules.map((rule) => ruleNeed(rule, namespaces)),
  ];
}

function primaryNeeds(
  primary: DescribedKind,
  { finalizes, writesStatus, owns }: ControllerDescription,
): readonly Need[] {
  const { builtIn, hasStatus } = resourceOf(primary.kind);
  return [
    need(primary, finalizes ? [...READ, 'patch'] : READ),
    ...((hasStatus && !builtIn) || writesStatus ? [need(primary, ['patch'], 'status')] : []),
    ...(owns.length > 0 ? [need(primary, ['update'], 'finalizers')] : []),
  ];
}

function need({ kind, namespaces }: DescribedKind, verbs: readonly string[], subresource?: string): Need {
  const { group, plural, namespaced } = resourceOf(kind);
  const resource = within(plural, subresource);
  return {
    where: namespaced ? (namespaces ?? 'cluster') : 'cluster',
    permissions: verbs.map((verb) => ({ group, resource, verb })),
  };
}

function ruleNeed(rule: RbacRule, ofController: readonly string[] | undefined): Need {
  const { verbs } = rule;
  if ('urls' in rule) {
    return { where: 'cluster', permissions: rule.urls.flatMap((url) => verbs.map((verb) => ({ url, verb }))) };
  }
  const { names, namespaces = ofController ?? 'cluster' } = rule;
  const named: readonly { readonly name?: string }[] = names?.map((name) => ({ name })) ?? [{}];
  const resources = ruleResources(rule);
  return {
    where: resources.every(({ namespaced }) => namespaced) ? namespaces : 'cluster',
    permissions: resources.flatMap(({ group, resource }) =>
      verbs.flatMap((verb) => named.map((name) => ({ group, resource, verb, ...name }))),
    ),
  };
}
function ruleResources(
  rule: Exclude<RbacRule, UrlRule>,
): readonly { readonly group: string; readonly resource: string; readonly namespaced: boolean }[] {
  if ('kind' in rule) {
    const { group, plural, namespaced } = resourceOf(rule.kind);
    return [{ group, resource: within(plural, rule.subresource), namespaced }];
  }
  return rule.groups.flatMap((group) =>
    rule.resources.map((resource) => ({ group, resource, namespaced: isNamespaced(group, resource) })),
  );
}
function within(plural: string, subresource: string | undefined): string {
  return subresource === undefined ? plural : `${plural}/${subresource}`;
}

function electionNeeds({ name, namespace, lease, coordinated }: DescribedElection): readonly Need[] {
  const where: Where = namespace === undefined ? 'own' : [namespace];
  const on = (resource: string, verb: string) => ({ group: 'coordination.k8s.io', resource, verb });
  // RBAC cannot restrict create by name.
  const leases = [on('leases', 'create'), { ...on('leases', 'get'), name }, { ...on('leases', 'update'), name }];
  const candidates = ['create', 'delete', 'get', 'update'].map((verb) => on('leasecandidates', verb));
  return [
    ...(lease ? [{ where, permissions: leases }] : []),
    ...(coordinated ? [{ where, permissions: candidates }] : []),
  ];
}

/** Returns the permissions for events. An event is created in the namespace of its object, which is a reconciled object or the Lease. */
function eventNeeds({ controllers, events, leaderElection }: OperatorDescription): readonly Need[] {
  const group = events === 'v1' ? '' : 'events.k8s.io';
  const permissions = ['create', 'patch'].map((verb) => ({ group, resource: 'events', verb }));
  const places = controllers.flatMap(({ for: primary, namespaces }): readonly Where[] => {
    const everywhere = namespaces ?? 'cluster';
    if (primary === undefined) return [everywhere];
    if (!resourceOf(primary.kind).namespaced) return [everywhere, [EVENTS_OF_CLUSTER_KINDS]];
    return [everywhere, primary.namespaces ?? 'cluster'];
  });
  const { namespace } = leaderElection ?? {};
  const elections: readonly Where[] =
    leaderElection === undefined ? [] : [namespace === undefined ? 'own' : [namespace]];
  return [...places, ...elections].map((where) => ({ where, permissions }));
}

const reviewNeed: Need = {
  where: 'cluster',
  permissions: [
    { group: 'authentication.k8s.io', resource: 'tokenreviews', verb: 'create' },
    { group: 'authorization.k8s.io', resource: 'subjectaccessreviews', verb: 'create' },
  ],
};

/** Groups permissions by where they apply. Omits a permission for a namespace if the same permission applies in the whole cluster. */
function scoped(needs: readonly Need[]): OperatorPermissions {
  const cluster = widestOf(needs.flatMap(({ where, permissions }) => (where === 'cluster' ? permissions : [])));
  const isNew = (permission: Permission): permission is ResourcePermission =>
    !('url' in permission) && !cluster.some((wide) => covers(wide, permission));
  const inNamespaces = needs.flatMap(({ where, permissions }) =>
    typeof where === 'string'
      ? []
      : where.flatMap((namespace) => permissions.map((permission) => ({ ...permission, namespace }))),
  );
  const own = needs.flatMap(({ where, permissions }) => (where === 'own' ? permissions : []));
  return { cluster, namespaced: widestOf(inNamespaces).filter(isNew), own: widestOf(own).filter(isNew) };
}
