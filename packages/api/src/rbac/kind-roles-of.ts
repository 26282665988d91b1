import { ClusterRole } from '../generated/rbac/v1.js';
import type { Permission } from './permission.js';
import { roleMetadata, type RoleNames } from './role-names.js';
import { rulesOf } from './rules-of.js';

/** A kind as named in its CustomResourceDefinition. */
export interface GrantedKind {
  readonly group: string;
  readonly plural: string;
  readonly singular: string;
  /** Whether the kind is namespaced. @default true */
  readonly namespaced?: boolean;
  /** The subresources, such as 'status' and 'scale'. */
  readonly subresources: readonly string[];
}

type Grade = 'viewer' | 'editor' | 'admin';

const READ = ['get', 'list', 'watch'];
const EDIT = [...READ, 'create', 'delete', 'patch', 'update'];
/** The built-in ClusterRole that each grade aggregates to. */
const AGGREGATED_TO: Readonly<Record<Grade, string>> = { viewer: 'view', editor: 'edit', admin: 'admin' };

/**
 * Returns three ClusterRoles for each kind, for the users of the kind: viewer, editor and admin. Their labels aggregate the roles into the
 * built-in roles `view`, `edit` and `admin`. Roles of a cluster-scoped kind are not aggregated, because a user who can edit objects in
 * every namespace must not edit cluster-scoped objects. All three roles can read the status; the operator writes the status. The names are
 * `<kind>-admin-role`, `<kind>-editor-role` and `<kind>-viewer-role`. If two kinds have the same name, the names of their roles also
 * contain the group.
 */
export function kindRolesOf(kinds: readonly GrantedKind[], names: RoleNames = {}): readonly ClusterRole[] {
  const sorted = kinds.toSorted((a, b) => compare(a.group, b.group) || compare(a.plural, b.plural));
  return sorted.flatMap((kind) => {
    const isShared = kinds.filter(({ singular }) => singular === kind.singular).length > 1;
    const stem = isShared ? `${kind.singular}.${kind.group}` : kind.singular;
    return (['admin', 'editor', 'viewer'] as const).map((grade) => {
      const isPart = kind.namespaced !== false;
      const labels = isPart && { [`rbac.authorization.k8s.io/aggregate-to-${AGGREGATED_TO[grade]}`]: 'true' };
      const metadata = roleMetadata(`${stem}-${grade}-role`, names, labels ? { labels } : {});
      return new ClusterRole({ metadata, rules: rulesOf(permissionsOn(kind, grade)) });
    });
  });
}

/** Returns the ClusterRole that allows reading the metrics of an operator. Bind the role to the account that collects the metrics. */
export function metricsReaderRole(names: RoleNames = {}): ClusterRole {
  const rules = rulesOf([{ url: '/metrics', verb: 'get' }]);
  return new ClusterRole({ metadata: roleMetadata('metrics-reader', names), rules });
}

function permissionsOn({ group, plural, subresources }: GrantedKind, grade: Grade): readonly Permission[] {
  const on = (resource: string, verbs: readonly string[]): readonly Permission[] =>
    verbs.map((verb) => ({ group, resource, verb }));
  const ofScale = { viewer: ['get'], editor: ['get', 'patch', 'update'], admin: ['*'] }[grade];
  return [
    ...on(plural, { viewer: READ, editor: EDIT, admin: ['*'] }[grade]),
    ...(subresources.includes('status') ? on(`${plural}/status`, ['get']) : []),
    ...(subresources.includes('scale') ? on(`${plural}/scale`, ofScale) : []),
  ];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
