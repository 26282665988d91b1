import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAllowed, type Permission, permissionsIn, permissionText, rolesOf } from '@kubewright/api/rbac';
import type { ClusterRole, PolicyRule, Role } from '@kubewright/api/rbac/v1';
import { Manager, type ResourceRule, Result, type RbacRule } from '@kubewright/runtime';
import { permissionsOf } from '@kubewright/runtime/permissions';

const on = (groups: string, resources: string, verbs: string, more: Partial<ResourceRule> = {}): ResourceRule => ({
  groups: groups.split(';'),
  resources: resources.split(';'),
  verbs: verbs.split(';'),
  ...more,
});
const inNamespace = (name: string) => ({ namespaces: [name] });

/** The test cases of controller-gen for merging, as rules of Kubewright. */
const DECLARED: readonly RbacRule[] = [
  on('batch.io', 'cronjobs', 'get;watch;create'),
  on('batch.io', 'cronjobs/status', 'get;update;patch'),
  on('art', 'jobs', 'get'),
  on('wave', 'jobs', 'get', inNamespace('zoo')),
  on('batch;batch;batch', 'jobs/status', 'watch'),
  on('batch;cron', 'jobs/status', 'create;get'),
  on('art', 'jobs', 'get', inNamespace('zoo')),
  on('cron;batch', 'jobs/status', 'get;create'),
  on('batch', 'jobs/status', 'watch;watch'),
  on('art', 'jobs', 'get', inNamespace('park')),
  on('batch.io', 'cronjobs', 'get;watch', { names: ['foo', 'bar', 'baz'] }),
  on('same-verbs', 'some', 'get;list'),
  on('same-verbs', 'some', 'get'),
  on('same-verbs', 'some', 'list'),
  on('same-resources', 'one', 'create'),
  on('same-resources', 'two', 'create'),
  on('same-resources', 'three', 'create'),
  on('same-groups-1', 'foo', 'patch'),
  on('same-groups-2', 'foo', 'patch'),
  on('same-groups-3', 'foo', 'patch'),
  on('same-all', 'foo;bar', 'get;list'),
  on('same-all', 'foo', 'get'),
  on('same-all', 'bar', 'list'),
  on('same-all-group', 'foo;bar', 'get;list'),
  on('star', 'xyz', 'get;update;patch'),
  on('star', 'xyz', '*'),
  on('other-resources', 'some', 'get'),
  on('other-resources', 'another', 'list'),
  on('other-groups-1', 'some', 'get'),
  on('other-groups-2', 'some', 'list'),
  { urls: ['/url-to-merge'], verbs: ['get'] },
  { urls: ['/another/url-to-merge'], verbs: ['get'] },
  on('', 'merged', 'list'),
  on('', 'me', 'list'),
  on(';beside-core', 'me', 'list;get'),
  on('star', 'abc', 'get;update;patch;create', inNamespace('here')),
  on('star', 'abc', '*', inNamespace('here')),
  on('apps', 'deployments', 'get;list;watch;update;patch', inNamespace('infrastructure')),
  on('', 'secrets', 'get;list;watch', inNamespace('users')),
];

const roles = (declared: readonly RbacRule[]): ReadonlyMap<string, readonly PolicyRule[]> => {
  const options = { name: 'of-no-kind', sources: [{ name: 'nothing', start: () => undefined }], rbac: declared };
  const manager = new Manager({ settings: false, metrics: false }).controlKeys(options, async () => Result.done());
  const made = rolesOf(permissionsOf(manager.describe()), { namespace: 'system', serviceAccount: 'operator' });
  const ofRules = made.filter((one): one is ClusterRole | Role => 'rules' in one);
  return new Map(ofRules.map(({ metadata, rules = [] }) => [metadata.namespace ?? '', rules]));
};
const events: PolicyRule = { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] };

/**
 * The merged rules by namespace. controller-gen generates more rules: controller-gen keeps `get` next to `*`, keeps named objects next to
 * all objects, and generates Roles for permissions that a ClusterRole already grants.
 */
const MERGED: Readonly<Record<string, readonly RbacRule[]>> = {
  '': [
    on('', 'merged', 'list'),
    on(';beside-core', 'me', 'get;list'),
    on('art', 'jobs', 'get'),
    on('batch', 'jobs/status', 'create;get;watch'),
    on('batch.io', 'cronjobs', 'create;get;watch'),
    on('batch.io', 'cronjobs/status', 'get;patch;update'),
    on('cron', 'jobs/status', 'create;get'),
    on('events.k8s.io', 'events', 'create;patch'),
    on('other-groups-1;other-resources', 'some', 'get'),
    on('other-groups-2', 'some', 'list'),
    on('other-resources', 'another', 'list'),
    on('same-all;same-all-group', 'bar;foo', 'get;list'),
    on('same-groups-1;same-groups-2;same-groups-3', 'foo', 'patch'),
    on('same-resources', 'one;three;two', 'create'),
    on('same-verbs', 'some', 'get;list'),
    on('star', 'xyz', '*'),
    { urls: ['/another/url-to-merge', '/url-to-merge'], verbs: ['get'] },
  ],
  here: [on('star', 'abc', '*')],
  infrastructure: [on('apps', 'deployments', 'get;list;patch;update;watch')],
  users: [on('', 'secrets', 'get;list;watch')],
  zoo: [on('wave', 'jobs', 'get')],
};

test('rolesOf merges the rules and sorts the merged rules by group, regardless of the order of the declarations', () => {
  const expected = new Map(Object.entries(MERGED).map(([namespace, rules]) => [namespace, rules.map(ruleOf)]));
  assert.deepEqual(roles(DECLARED), expected);
  assert.deepEqual(roles(DECLARED.toReversed()), expected);
});

test('rolesOf returns roles that allow exactly the declared requests in each namespace', () => {
  const made = roles(DECLARED);
  for (const namespace of ['', 'zoo', 'park', 'here', 'infrastructure', 'users', 'elsewhere']) {
    const there = [...(made.get('') ?? []), ...(made.get(namespace) ?? [])];
    const desired = DECLARED.filter((rule) => appliesTo(rule, namespace)).map(ruleOf);
    for (const request of requests()) {
      assert.equal(
        isAllowed(there, request),
        isAllowed([...desired, events], request),
        `${permissionText(request)} in '${namespace}'`,
      );
    }
  }
});

/** Whether a rule applies in a namespace. A rule without namespaces applies in each namespace. */
function appliesTo(rule: RbacRule, namespace: string): boolean {
  const { namespaces } = rule as { readonly namespaces?: readonly string[] };
  return namespaces === undefined || namespaces.includes(namespace);
}
function ruleOf(rule: RbacRule): PolicyRule {
  if ('urls' in rule) return { nonResourceURLs: rule.urls, verbs: rule.verbs };
  if ('kind' in rule) throw new TypeError('the test does not support rules with a kind');
  return {
    apiGroups: rule.groups,
    resources: rule.resources,
    verbs: rule.verbs,
    ...(rule.names && { resourceNames: rule.names }),
  };
}
/** Returns the declared URL requests, and a request for each combination of a declared group, a declared resource, and a verb. */
function requests(): readonly Permission[] {
  const permissions = permissionsIn(DECLARED.map(ruleOf));
  const onResources = permissions.flatMap((permission) => ('group' in permission ? [permission] : []));
  const groups = new Set(onResources.map(({ group }) => group));
  const resources = new Set(onResources.map(({ resource }) => resource));
  const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];
  return [
    ...permissions.filter((permission) => 'url' in permission),
    ...[...groups].flatMap((group) =>
      [...resources].flatMap((resource) =>
        verbs.flatMap((verb) => [
          { group, resource, verb },
          { group, resource, verb, name: 'foo' },
        ]),
      ),
    ),
  ];
}
