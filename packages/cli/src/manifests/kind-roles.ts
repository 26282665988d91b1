import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { ClusterRole, type PolicyRule } from '@kubewright/api/rbac/v1';
import type { ManifestsInput } from './manifests-input.js';
import { operatorLabels } from './operator-labels.js';

/** Who works with a kind, the verbs that they have, and the role of Kubernetes that is to have them as well. */
const PEOPLE = [
  { name: 'admin', verbs: ['*'], part: 'admin' },
  { name: 'editor', verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'], part: 'edit' },
  { name: 'viewer', verbs: ['get', 'list', 'watch'], part: 'view' },
] as const;

/**
 * Roles for people who work with a kind. Those of a kind with namespaces become part of Kubernetes' own admin, edit and view; a kind of
 * the whole cluster is left to whoever binds them, since edit in all namespaces is not edit of the cluster.
 */
export function kindRoles(crd: CustomResourceDefinition, input: ManifestsInput): readonly ClusterRole[] {
  return PEOPLE.map(
    ({ name, verbs, part }) =>
      new ClusterRole({
        metadata: {
          name: `${input.settings.name}-${kindName(crd, input.crds)}-${name}-role`,
          labels: {
            ...operatorLabels(input),
            ...(crd.spec.scope === 'Namespaced' && { [`rbac.authorization.k8s.io/aggregate-to-${part}`]: 'true' }),
          },
        },
        rules: rulesFor(crd, verbs),
      }),
  );
}

/** The kind in small letters; with its group where another group has one of that name. */
export function kindName(crd: CustomResourceDefinition, all: readonly CustomResourceDefinition[]): string {
  const { kind } = crd.spec.names;
  const same = all.filter(({ spec }) => spec.names.kind.toLowerCase() === kind.toLowerCase());
  return same.length > 1 ? `${kind.toLowerCase()}.${crd.spec.group}` : kind.toLowerCase();
}

function rulesFor({ spec }: CustomResourceDefinition, verbs: readonly string[]): readonly PolicyRule[] {
  const { plural } = spec.names;
  const has = (part: 'scale' | 'status'): boolean =>
    spec.versions.some(({ subresources }) => subresources?.[part] !== undefined);
  const rule = (resource: string, allowed: readonly string[]): PolicyRule => ({
    apiGroups: [spec.group],
    resources: [resource],
    verbs: allowed,
  });
  const scaling = verbs.includes('get') ? verbs.filter((verb) => ['get', 'patch', 'update'].includes(verb)) : verbs;
  return [
    rule(plural, verbs),
    ...(has('scale') ? [rule(`${plural}/scale`, scaling)] : []),
    ...(has('status') ? [rule(`${plural}/status`, ['get'])] : []),
  ];
}
