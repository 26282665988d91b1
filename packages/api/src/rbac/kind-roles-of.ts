import { ClusterRole } from '../generated/rbac/v1.js';
import type { Right } from './right.js';
import { roleMetadata, type RoleNames } from './role-names.js';
import { rulesOf } from './rules-of.js';

/** A kind as a CustomResourceDefinition names it. */
export interface GrantedKind {
  readonly group: string;
  readonly plural: string;
  readonly singular: string;
  /** Whether its objects live in namespaces. @default true */
  readonly namespaced?: boolean;
  /** Such as 'status' and 'scale'. */
  readonly subresources: readonly string[];
}

type Grade = 'viewer' | 'editor' | 'admin';

const READ = ['get', 'list', 'watch'];
const EDIT = [...READ, 'create', 'delete', 'patch', 'update'];
/** The role of Kubernetes itself that each becomes a part of. */
const AGGREGATED_TO: Readonly<Record<Grade, string>> = { viewer: 'view', editor: 'edit', admin: 'admin' };

/**
 * Three ClusterRoles for each kind, for the people who use it: a viewer, an editor and an admin. Their labels make them parts of the
 * roles `view`, `edit` and `admin` of Kubernetes, so whoever has one of these has them; but not those of a kind without namespaces, as
 * who may edit in every namespace may not edit the cluster. The status can be read by all; it is the operator that writes it.
 *
 * They are named `<kind>-viewer-role`; where two kinds have the same name, by kind and group.
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
      return new ClusterRole({ metadata, rules: rulesOf(rightsOn(kind, grade)) });
    });
  });
}

/** The ClusterRole that lets somebody read the metrics of an operator; to be bound to who collects them. */
export function metricsReaderRole(names: RoleNames = {}): ClusterRole {
  const rules = rulesOf([{ url: '/metrics', verb: 'get' }]);
  return new ClusterRole({ metadata: roleMetadata('metrics-reader', names), rules });
}

function rightsOn({ group, plural, subresources }: GrantedKind, grade: Grade): readonly Right[] {
  const on = (resource: string, verbs: readonly string[]): readonly Right[] =>
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
