import 'reflect-metadata';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineKind, dynamicKind, type KubeObject, metadataOnly, type ObjectKey } from '@kubewright/api';
import { Deployment } from '@kubewright/api/apps/v1';
import { ConfigMap, Namespace, Node, Pod, Secret } from '@kubewright/api/core/v1';
import { type OperatorPermissions, type Permission, permissionText } from '@kubewright/api/rbac';
import {
  cacheOf,
  Controller,
  Finalizers,
  KeyController,
  Manager,
  type ManagerOptions,
  owned,
  Rbac,
  references,
  Result,
  watch,
} from '../index.js';
import { guessedResources, guessWarnings } from './guessed-resources.js';
import { permissionsOf } from './permissions-of.js';

const options = { group: 'shop.example.com', version: 'v1', spec: { type: 'object' } } as const;
const Shop = defineKind({
  ...options,
  kind: 'Shop',
  status: { type: 'object', properties: { conditions: { type: 'array', items: { type: 'object' } } } },
});
const Plan = defineKind({ ...options, kind: 'Plan', scope: 'Cluster' });
const reconcile = async (): Promise<Result> => Result.done();

const EVENTS = ['create events of events.k8s.io', 'patch events of events.k8s.io'];

function texts(permissions: readonly Permission[]): readonly string[] {
  return permissions.map(permissionText);
}
function permissions(manager: Manager): { readonly [K in keyof OperatorPermissions]: readonly string[] } {
  const { cluster, namespaced, own } = permissionsOf(manager.describe());
  return { cluster: texts(cluster), namespaced: texts(namespaced), own: texts(own) };
}
/** Returns a manager that ignores flags and environment variables. */
function manager(given: ManagerOptions = {}): Manager {
  return new Manager({ settings: false, metrics: false, health: false, ...given });
}
/** Returns permissions for verbs on a resource, in the format of `permissionText`. */
function on(resource: string, ...verbs: readonly string[]): readonly string[] {
  return verbs.map((verb) => `${verb} ${resource}`);
}
const sorted = (...lists: readonly (readonly string[])[]): readonly string[] =>
  lists.flat().toSorted((a, b) => (a < b ? -1 : 1));

test('grants only reads of the reconciled kind and patches of its status', () => {
  assert.deepEqual(
    sorted(permissions(manager().control({ for: Shop }, reconcile)).cluster),
    sorted(
      on('shops of shop.example.com', 'get', 'list', 'watch'),
      on('shops/status of shop.example.com', 'patch'),
      EVENTS,
    ),
  );
});

test('grants no status patch for a built-in kind or a kind without a status', () => {
  for (const [kind, resource] of [
    [Deployment, 'deployments of apps'],
    [Plan, 'plans of shop.example.com'],
  ] as const) {
    const { cluster } = permissions(manager().control<KubeObject>({ for: kind }, reconcile));
    assert.deepEqual(sorted(cluster), sorted(on(resource, 'get', 'list', 'watch'), EVENTS));
  }
});

test('grants all verbs on children, and updates of the finalizers of their owner', () => {
  const { cluster } = permissions(
    manager().control({ for: Shop, owns: [Deployment, metadataOnly(Secret)] }, reconcile),
  );
  assert.deepEqual(
    sorted(cluster),
    sorted(
      on('shops of shop.example.com', 'get', 'list', 'watch'),
      on('shops/status of shop.example.com', 'patch'),
      on('shops/finalizers of shop.example.com', 'update'),
      on('deployments of apps', 'create', 'delete', 'get', 'list', 'patch', 'watch'),
      on('secrets', 'create', 'delete', 'get', 'list', 'patch', 'watch'),
      EVENTS,
    ),
  );
});

test('grants only the declared verbs and reads on children', () => {
  const owns = [owned(Secret, { verbs: ['create'] }), owned(Pod, { verbs: [] }), owned(ConfigMap)];
  const { cluster } = permissions(manager().control({ for: Plan, owns }, reconcile));
  assert.deepEqual(
    sorted(cluster),
    sorted(
      on('plans of shop.example.com', 'get', 'list', 'watch'),
      on('plans/finalizers of shop.example.com', 'update'),
      on('secrets', 'create', 'get', 'list', 'watch'),
      on('pods', 'get', 'list', 'watch'),
      on('configmaps', 'create', 'delete', 'get', 'list', 'patch', 'watch'),
      EVENTS,
    ),
  );
});

test('grants reads of kinds that are watched, referenced or read from the cache', () => {
  const declared = {
    for: Plan,
    watches: [watch(Node, { map: () => [] }), references(Secret, () => undefined)],
    reads: [metadataOnly(ConfigMap)],
  };
  assert.deepEqual(
    sorted(permissions(manager().control(declared, reconcile)).cluster),
    sorted(
      on('plans of shop.example.com', 'get', 'list', 'watch'),
      on('nodes', 'get', 'list', 'watch'),
      on('secrets', 'get', 'list', 'watch'),
      on('configmaps', 'get', 'list', 'watch'),
      EVENTS,
    ),
  );
});

test('grants the same permissions for an optional kind as for a required kind', () => {
  const required = manager().control(
    { for: Plan, owns: [Pod], watches: [references(Secret, () => undefined)], reads: [ConfigMap] },
    reconcile,
  );
  const optional = manager().control(
    {
      for: Plan,
      owns: [{ kind: Pod, optional: true }],
      watches: [references(Secret, () => undefined, { optional: true })],
      reads: [{ kind: ConfigMap, optional: true }],
    },
    reconcile,
  );
  assert.deepEqual(permissions(optional), permissions(required));
  assert.ok(permissions(required).cluster.includes('create pods'), 'the declarations need permissions');
});

test('grants patches for finalizers, in whatever form a reconciler defines them', () => {
  const patch = 'patch secrets';
  @Controller({ for: Secret, name: 'method' })
  class WithMethod {
    reconcile(): Promise<Result> {
      return reconcile();
    }
    async finalize(): Promise<Result> {
      return Result.done();
    }
  }
  @Controller({ for: Secret, name: 'field' })
  class WithField {
    readonly finalizers = new Finalizers<Secret>().add('shop.example.com/a', reconcile);
    reconcile(): Promise<Result> {
      return reconcile();
    }
  }
  @Controller({ for: Secret, name: 'heir' })
  class Heir extends WithField {}
  @Controller({ for: Secret, name: 'without' })
  class Without {
    // The source code contains the word finalizers, but the class defines none: metadata.finalizers === [] .
    async reconcile(secret: Secret): Promise<Result> {
      const object: { finalizers?: readonly string[] } = {};
      object.finalizers = [...(secret.metadata.finalizers ?? [])];
      return Result.done();
    }
  }
  for (const part of [WithMethod, WithField, Heir, new WithField()]) {
    const [controller] = manager().add(part).describe().controllers;
    assert.equal(controller?.finalizes, true, controller?.name);
    assert.ok(permissions(manager().add(part)).cluster.includes(patch));
  }
  assert.equal(manager().add(Without).describe().controllers[0]?.finalizes, false);
  const plain = { reconcile, finalizers: new Finalizers<Secret>() };
  assert.ok(
    !permissions(manager().control({ for: Secret }, plain)).cluster.includes(patch),
    'no permissions were added',
  );
});

test('grants create on leases, and get and update only on the Lease of the election, in its namespace', () => {
  const lease = [
    'create leases of coordination.k8s.io',
    'get leases of coordination.k8s.io "shop"',
    'update leases of coordination.k8s.io "shop"',
  ];
  assert.deepEqual(sorted(permissions(manager({ leaderElection: 'shop' })).own), sorted(EVENTS, lease));
  const there = (text: string): string => `${text} in namespace "leases"`;
  const { namespaced, own } = permissions(manager({ leaderElection: { name: 'shop', namespace: 'leases' } }));
  assert.deepEqual([sorted(namespaced), own], [sorted(EVENTS.map(there), lease.map(there)), []]);
});

test('grants lease candidates for a coordinated election, and no leases for a custom lock', () => {
  const coordinated = { name: 'shop', coordinated: { binaryVersion: '1.0.0' } };
  const { own } = permissions(manager({ leaderElection: coordinated }));
  for (const verb of ['create', 'delete', 'get', 'update']) {
    assert.ok(own.includes(`${verb} leasecandidates of coordination.k8s.io`), verb);
  }
  const lock = { name: 'shop', lock: {} as never };
  assert.deepEqual(sorted(permissions(manager({ leaderElection: lock })).own), EVENTS);
});

test('grants events of the configured API', () => {
  const { cluster } = permissions(manager({ events: { api: 'v1' } }).control({ for: Plan }, reconcile));
  assert.deepEqual(
    cluster.filter((text) => text.includes('events')),
    ['create events', 'patch events'],
  );
});

test('grants token and access reviews for protected metrics', () => {
  assert.deepEqual(permissions(manager({ metrics: { protect: true } })).cluster, [
    'create tokenreviews of authentication.k8s.io',
    'create subjectaccessreviews of authorization.k8s.io',
  ]);
  assert.deepEqual(permissions(manager({ metrics: {} })), permissions(manager({ metrics: { protect: true } })));
  assert.deepEqual(permissions(manager({ metrics: { protect: false } })), { cluster: [], namespaced: [], own: [] });
});

test('restricts permissions to the namespaces of the manager, except for cluster-scoped kinds', () => {
  const of = manager({ namespaces: ['b', 'a'] }).control({ for: Shop, reads: [Node] }, reconcile);
  assert.deepEqual(of.describe().namespaces, ['a', 'b']);
  const { cluster, namespaced, own } = permissions(of);
  assert.deepEqual(cluster, on('nodes', 'get', 'list', 'watch'));
  assert.deepEqual(own, []);
  const inOne = sorted(
    on('shops of shop.example.com', 'get', 'list', 'watch'),
    on('shops/status of shop.example.com', 'patch'),
    EVENTS,
  );
  assert.deepEqual(
    sorted(namespaced),
    sorted(...['a', 'b'].map((name) => inOne.map((text) => `${text} in namespace "${name}"`))),
  );
});

test('restricts the permissions of a controller, a watch and a cached kind to their own namespaces', () => {
  const of = manager({ cache: { kinds: [cacheOf(ConfigMap, { namespaces: ['settings'] })] } })
    .control(
      { for: Shop, namespaces: ['one'], watches: [watch(Secret, { namespaces: ['two'], map: () => [] })] },
      reconcile,
    )
    .control({ for: Plan, reads: [ConfigMap] }, reconcile);
  const { cluster, namespaced } = permissions(of);
  assert.deepEqual(sorted(cluster), sorted(EVENTS, on('plans of shop.example.com', 'get', 'list', 'watch')));
  assert.deepEqual(
    sorted(namespaced),
    sorted(
      on('shops of shop.example.com', 'get', 'list', 'watch').map((text) => `${text} in namespace "one"`),
      ['patch shops/status of shop.example.com in namespace "one"'],
      on('secrets', 'get', 'list', 'watch').map((text) => `${text} in namespace "two"`),
      on('configmaps', 'get', 'list', 'watch').map((text) => `${text} in namespace "settings"`),
    ),
  );
});

test('grants events in the namespace default for cluster-scoped objects', () => {
  const { namespaced } = permissions(manager({ namespaces: ['a'] }).control({ for: Plan }, reconcile));
  const places = ['a', 'default'].map((name) => EVENTS.map((text) => `${text} in namespace "${name}"`));
  assert.deepEqual(sorted(namespaced), sorted(...places));
});

test('adds the rules of @Rbac and of the option rbac to the roles of their namespaces', () => {
  @Controller({ for: Plan, namespaces: ['a'], rbac: [{ kind: Node, verbs: ['get'], names: ['one'] }] })
  @Rbac({ kind: Pod, subresource: 'eviction', verbs: ['create'] })
  @Rbac({ groups: ['', 'apps'], resources: ['*'], verbs: ['*'], namespaces: ['b'] })
  @Rbac({ kind: Secret, verbs: ['get'], names: ['mine'], namespaces: 'own' })
  @Rbac({ groups: [''], resources: ['namespaces'], verbs: ['create'] })
  @Rbac({ urls: ['/version'], verbs: ['get'] })
  class PlanController {
    reconcile(): Promise<Result> {
      return reconcile();
    }
  }
  const { cluster, namespaced, own } = permissions(manager().add(PlanController));
  assert.deepEqual(own, ['get secrets "mine"']);
  assert.deepEqual(
    sorted(cluster),
    sorted(on('plans of shop.example.com', 'get', 'list', 'watch'), [
      'create namespaces',
      'get /version',
      'get nodes "one"',
    ]),
  );
  assert.deepEqual(
    namespaced.filter((text) => !text.includes('events')),
    ['create pods/eviction in namespace "a"', '* * in namespace "b"', '* * of apps in namespace "b"'],
  );
});

test('@Rbac applies to components other than controllers, and an invalid rule throws immediately', () => {
  @Rbac({ kind: Pod, verbs: ['list'] })
  class Sweeper {
    async run(): Promise<void> {
      await Promise.resolve();
    }
  }
  assert.deepEqual(permissions(manager().add(Sweeper)).cluster, ['list pods']);
  const problems = [
    [{ kind: Pod, verbs: [] }, /verbs is \[\]/],
    [{ kind: undefined, verbs: ['get'] }, /kind is not a valid kind: .*circular import/],
    [{ verbs: ['get'] }, /specify exactly one of: kind, groups and resources, urls/],
    [{ kind: Pod, urls: ['/'], verbs: ['get'] }, /specify exactly one of: kind, groups and resources, urls/],
    [{ resources: ['pods'], verbs: ['get'] }, /the core group is ''/],
    [{ groups: ['core'], resources: ['pods'], verbs: ['get'] }, /group 'core' does not exist: the core group is ''/],
    [{ urls: ['metrics'], verbs: ['get'] }, /use paths/],
    [{ kind: Pod, verbs: ['get'], names: [] }, /omit it for all objects/],
    [{ kind: Pod, verbs: ['get'], namespaces: 'mine' }, /use a non-empty list of names or 'own'/],
  ] as const;
  for (const [rule, message] of problems) {
    assert.throws(() => Rbac(rule as never)(Sweeper), { code: 'INVALID_RBAC', message });
    assert.throws(() => manager().control({ for: Plan, rbac: [rule as never] }, reconcile), {
      code: 'INVALID_CONTROLLER',
      message,
    });
  }
});

test('uses the known plural of a dynamic kind, or a guessed plural if it is not known', () => {
  const of = manager()
    .control({ for: dynamicKind('networking.k8s.io/v1', 'Ingress'), name: 'known' }, reconcile)
    .control(
      { for: dynamicKind('example.com/v1', 'Policy'), name: 'guessed', reads: [dynamicKind('v1', 'Node')] },
      reconcile,
    );
  assert.deepEqual(
    sorted(permissions(of).cluster),
    sorted(
      on('ingresses of networking.k8s.io', 'get', 'list', 'watch'),
      on('policies of example.com', 'get', 'list', 'watch'),
      on('nodes', 'get', 'list', 'watch'),
      EVENTS,
    ),
  );
  assert.deepEqual(guessedResources(of.describe()), [
    {
      apiVersion: 'example.com/v1',
      kind: 'Policy',
      plural: 'policies',
      controllers: ['guessed'],
      usedByRunnable: false,
    },
  ]);
  assert.deepEqual(guessWarnings(of.describe()), [
    "the plural of Policy (example.com/v1), which is used by controller 'guessed', is guessed: the roles are for 'policies'; " +
      "if this is not the plural, add @Rbac({ groups: ['example.com'], resources: ['…'], verbs: ['get', 'list', 'watch'] })",
  ]);
});

test('a guessed plural in a rule of a runnable causes a warning, together with the controllers that use the kind', () => {
  const Policy = dynamicKind('example.com/v1', 'Policy');
  const Quota = dynamicKind('example.com/v1', 'Quota');
  @Rbac({ kind: Policy, verbs: ['list'] })
  @Rbac({ kind: Quota, verbs: ['list'] })
  class Sweeper {
    async run(): Promise<void> {}
  }
  const of = manager().control({ for: Policy, name: 'guessed' }, reconcile).add(new Sweeper());
  assert.deepEqual(guessedResources(of.describe()), [
    {
      apiVersion: 'example.com/v1',
      kind: 'Policy',
      plural: 'policies',
      controllers: ['guessed'],
      usedByRunnable: true,
    },
    { apiVersion: 'example.com/v1', kind: 'Quota', plural: 'quotas', controllers: [], usedByRunnable: true },
  ]);
  const [policies = '', quotas = ''] = guessWarnings(of.describe());
  assert.match(policies, /which is used by controller 'guessed' and a runnable, is guessed/);
  assert.match(quotas, /^the plural of Quota \(example.com\/v1\), which is used by a runnable, is guessed/);
});

test('a controller of keys has no kind of its own and has the permissions of its watches', () => {
  @KeyController({ watches: [watch(Namespace, { map: ({ metadata }) => [{ name: metadata.name }] })] })
  class TenantController {
    async reconcile({ name }: ObjectKey): Promise<Result> {
      return name === '' ? Result.requeue() : Result.done();
    }
  }
  const of = manager().add(TenantController);
  assert.equal(of.describe().controllers[0]?.for, undefined);
  assert.deepEqual(sorted(permissions(of).cluster), sorted(on('namespaces', 'get', 'list', 'watch'), EVENTS));
});

test('describe returns the settings that the manager has in a Pod, regardless of the current process', () => {
  const { metrics, health, events } = new Manager({ settings: false }).describe();
  assert.deepEqual(metrics, { port: 8443, secure: true, protect: true });
  assert.deepEqual(health, { port: 8081, livenessPath: '/healthz', readinessPath: '/readyz' });
  assert.equal(events, 'events.k8s.io/v1');
  const plain = new Manager({ settings: false, metrics: { secure: false }, health: { port: 9000 } }).describe();
  assert.deepEqual(plain.metrics, { port: 8080, secure: false, protect: false });
  assert.equal(plain.health && plain.health.port, 9000);
});
