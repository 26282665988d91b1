import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineKind, keyOf } from '@kubewright/api';
import { ConfigMap, Event, Namespace, Secret } from '@kubewright/api/core/v1';
import { type Permission, permissionText } from '@kubewright/api/rbac';
import { ClusterRole, Role, RoleBinding } from '@kubewright/api/rbac/v1';
import {
  Client,
  Controller,
  EventRecorder,
  Finalizers,
  isForbidden,
  type ManagerOptions,
  Rbac,
  type Reconciler,
  Result,
} from '@kubewright/runtime';
import type { TestEnvironment } from '@kubewright/testing';
import { startEnvironment, type StartOptions } from '../server/start-environment.js';

const group = 'library.example.com';
const spec = { type: 'object', properties: { size: { type: 'integer' } } } as const;
const status = { type: 'object', properties: { books: { type: 'integer' } } } as const;
const Shelf = defineKind<{ readonly size: number }, { readonly books?: number }>({
  group,
  version: 'v1',
  kind: 'Shelf',
  plural: 'shelves',
  spec,
  status,
});
type Shelf = InstanceType<typeof Shelf>;
const Library = defineKind<{ readonly size: number }, { readonly books?: number }>({
  group,
  version: 'v1',
  kind: 'Library',
  plural: 'libraries',
  scope: 'Cluster',
  spec,
  status,
});
type Library = InstanceType<typeof Library>;

const shelf = new Shelf({ metadata: { name: 'a', namespace: 'default' }, spec: { size: 3 } });
const settings = new ConfigMap({ metadata: { name: 'settings', namespace: 'default' }, data: {} });

const start = (options: StartOptions = {}): Promise<TestEnvironment> =>
  startEnvironment({ kinds: [Shelf, Library], objects: [shelf], ...options });
const texts = (permissions: readonly Permission[]): readonly string[] => permissions.map(permissionText);
const within = (text: string, namespace: string): string => `${text} in namespace "${namespace}"`;

/** Applies a ConfigMap that is not a child, so the permissions do not follow from `owns`. */
async function applySettings(client: Client): Promise<Result> {
  await client.apply(settings);
  return Result.done();
}
const isFilled = ({ status: now }: Shelf): boolean => now?.books === 3;

test('the test environment fails the test if no declaration grants a permission, and reports the declaration to add and its class', async () => {
  @Controller({ for: Shelf })
  class ShelfController implements Reconciler<Shelf> {
    constructor(private readonly client: Client) {}
    reconcile(): Promise<Result> {
      return applySettings(this.client);
    }
  }
  await using env = await start();
  await env.run(ShelfController);
  await assert.rejects(env.until(shelf, isFilled), {
    code: 'MISSING_PERMISSION',
    message:
      "the operator cannot get configmaps 'settings' in namespace 'default' (kind ConfigMap, requested by controller 'shelf'): " +
      "no declaration grants this permission; add @Rbac({ kind: ConfigMap, verbs: ['get'] }) to class ShelfController, " +
      "or list ConfigMap under 'reads'",
  });
  assert.deepEqual(texts(env.permissions().missing), [within('get configmaps', 'default')]);
});

test('the test environment reports both permissions that an apply of a new object requires in one error', async () => {
  @Controller({ for: Shelf })
  @Rbac({ kind: ConfigMap, verbs: ['get'] })
  class ShelfController implements Reconciler<Shelf> {
    constructor(private readonly client: Client) {}
    reconcile(): Promise<Result> {
      return applySettings(this.client);
    }
  }
  await using env = await start();
  await env.run(ShelfController);
  await assert.rejects(env.settled(), (error: Error) => {
    assert.match(error.message, /cannot create and patch configmaps 'settings'/);
    assert.match(
      error.message,
      /@Rbac\(\{ kind: ConfigMap, verbs: \['create', 'patch'\] \}\) to class ShelfController/,
    );
    assert.match(error.message, /or list ConfigMap under 'owns' if its objects are children$/);
    return true;
  });
});

test('the server rejects an apply of a new object if only the permission to patch is granted', async () => {
  @Controller({ for: Shelf })
  @Rbac({ kind: ConfigMap, verbs: ['get', 'patch'] })
  class ShelfController implements Reconciler<Shelf> {
    constructor(private readonly client: Client) {}
    reconcile(): Promise<Result> {
      return applySettings(this.client);
    }
  }
  await using env = await start();
  await env.run(ShelfController);
  await assert.rejects(env.settled(), /cannot create configmaps 'settings'/);
});

test('the server requires the bind permission for a role if the operator does not have all permissions of the role', async () => {
  const rbac = 'rbac.authorization.k8s.io';
  const grant = async (client: Client, owner: Shelf): Promise<Result> => {
    await client.applyOwned(owner, [
      new RoleBinding({
        metadata: { name: 'readers' },
        roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'readers' },
        subjects: [{ apiGroup: rbac, kind: 'User', name: 'ann' }],
      }),
    ]);
    return Result.done();
  };
  @Controller({ for: Shelf, owns: [RoleBinding], name: 'shelf' })
  class ShelfController implements Reconciler<Shelf> {
    constructor(private readonly client: Client) {}
    reconcile(owner: Shelf): Promise<Result> {
      return grant(this.client, owner);
    }
  }
  const objects = [
    shelf,
    new ClusterRole({
      metadata: { name: 'readers' },
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
    }),
  ];
  {
    await using env = await start({ objects });
    await env.run(ShelfController);
    await assert.rejects(env.settled(), {
      code: 'MISSING_PERMISSION',
      message:
        `the operator cannot bind clusterroles.${rbac} 'readers' in namespace 'default' (kind ClusterRole, requested by controller ` +
        "'shelf'): no declaration grants this permission; add @Rbac({ kind: ClusterRole, verbs: ['bind'], names: ['readers'] }) to " +
        'class ShelfController',
    });
  }
  Rbac({ kind: ClusterRole, verbs: ['bind'], names: ['readers'] })(ShelfController);
  await using env = await start({ objects });
  await env.run(ShelfController);
  await env.settled();
  assert.ok(await env.client.find(RoleBinding, { namespace: 'default', name: 'readers' }));
  const { missing, unused } = env.permissions();
  assert.deepEqual(texts(missing), []);
  assert.deepEqual(
    texts(unused).filter((text) => text.startsWith('bind')),
    [],
  );
});

test('the test environment limits a reconciler that uses the client of the environment to the derived roles', async () => {
  @Controller({ for: Shelf })
  class ShelfController implements Reconciler<Shelf> {
    constructor(private readonly client: Client) {}
    reconcile(): Promise<Result> {
      return applySettings(this.client);
    }
  }
  await using env = await start();
  const controller = new ShelfController(env.client);
  const { access } = await env.reconcile(controller, shelf);
  assert.deepEqual(access.used.map(permissionText), ['create configmaps', 'get configmaps', 'patch configmaps']);
  await env.client.delete(settings);
  await env.run(controller);
  await assert.rejects(env.settled(), /cannot get configmaps 'settings' .* to class ShelfController/);
});

test('the test environment fails the test if the class does not declare its finalizers, and reports the declaration to add', async () => {
  const prepare = (controller: object): object =>
    Object.assign(controller, {
      finalizers: new Finalizers<Shelf>().add('example.com/books', async () => Result.done()),
    });
  @Controller({ for: Shelf })
  class ShelfController implements Reconciler<Shelf> {
    constructor() {
      prepare(this);
    }
    async reconcile(): Promise<Result> {
      return Result.done();
    }
  }
  await using env = await start();
  await env.run(ShelfController);
  await assert.rejects(
    env.settled(),
    /add @Rbac\(\{ kind: Shelf, verbs: \['patch'\] \}\) to the class that sends the request$/,
  );
});

test('the disposal of the environment fails after a rejected request if the test does not wait for the operator', async () => {
  const env = await start();
  const manager = env.manager({}, { rbac: 'derived' }).control({ for: Shelf }, async () => Result.done());
  await manager.start();
  await assert.rejects(manager.client.live.list(Secret), isForbidden);
  await assert.rejects(env[Symbol.asyncDispose](), {
    code: 'MISSING_PERMISSION',
    message:
      'the operator cannot list secrets in the whole cluster (kind Secret): no declaration grants this permission; ' +
      "add @Rbac({ kind: Secret, verbs: ['list'] }) to the class that sends the request, or list Secret under 'reads'",
  });
});

test('the derived roles grant the permissions that the declarations require, and no other permissions', async () => {
  @Controller({ for: Shelf, owns: [ConfigMap] })
  @Rbac({ kind: Secret, verbs: ['get'], names: ['key'] })
  class ShelfController implements Reconciler<Shelf> {
    constructor(
      private readonly client: Client,
      private readonly events: EventRecorder,
    ) {}
    async reconcile(now: Shelf): Promise<Result> {
      await this.client.live.find(Secret, { namespace: 'default', name: 'key' });
      const desired =
        now.spec.size > 3 ? [] : [new ConfigMap({ metadata: { name: 'books' }, data: { a: `${now.spec.size}` } })];
      await this.client.applyOwned(now, desired);
      await this.client.patchStatus(now, { books: now.spec.size });
      this.events.normal(now, 'Filled', 'there are books');
      return Result.done();
    }
    async finalize(now: Shelf): Promise<Result> {
      await this.client.applyOwned(now, []);
      return Result.done();
    }
  }
  await using env = await start();
  await env.run(ShelfController);
  const filled = await env.until(shelf, isFilled);
  await env.client.patch(filled, (draft) => {
    draft.spec.size = 4;
  });
  await env.until(shelf, ({ status: now }) => now?.books === 4);
  await env.client.delete(shelf);
  await env.untilDeleted(shelf);
  await env.settled();
  const { missing, unused } = env.permissions();
  assert.deepEqual(texts(missing), []);
  assert.deepEqual(
    texts(unused).filter((text) => !MAY_BE_UNUSED.includes(text)),
    [],
  );
});

/**
 * The permissions that the preceding test may leave unused. For example, a server with streaming lists receives no list requests, and only
 * the admission plugin OwnerReferencesPermissionEnforcement requires `update` on finalizers.
 */
const MAY_BE_UNUSED = [
  'get configmaps',
  'list configmaps',
  'patch events of events.k8s.io',
  `get shelves of ${group}`,
  `list shelves of ${group}`,
  `update shelves/finalizers of ${group}`,
];

test('the test environment grants a manager with namespaces only Roles in these namespaces', async () => {
  const team = new Namespace({ metadata: { name: 'team' } });
  const theirs = new Shelf({ metadata: { name: 'theirs', namespace: 'team' }, spec: { size: 3 } });
  await using env = await start({ objects: [shelf, team, theirs] });
  const manager = held(env, { namespaces: ['team'] });
  await manager.start();
  await env.until(theirs, isFilled);
  assert.deepEqual(
    (await env.client.list(ClusterRole)).filter(({ metadata }) => metadata.name.startsWith('operator-')),
    [],
  );
  const roles = await env.client.list(Role, { namespace: 'team' });
  assert.deepEqual(
    roles.map(({ metadata }) => metadata.name),
    ['operator-1-manager-role'],
  );
  assert.deepEqual(texts(env.permissions().missing), []);
  assert.equal((await env.read(shelf)).status, undefined);
  // This request exceeds the declared permissions, so `settled` reports the request.
  await assert.rejects(manager.client.live.get(Shelf, keyOf(shelf)), isForbidden);
  await assert.rejects(env.settled(), /cannot get shelves\.library\.example\.com 'a' in namespace 'default'/);
});

test('a manager with derived roles fails to start if the namespace of a Role does not exist', async () => {
  await using env = await start();
  await assert.rejects(held(env, { namespaces: ['absent'] }).start(), (error: Error) => {
    assert.match((error.cause as Error).message, /namespace 'absent' does not exist/);
    return true;
  });
});

/** Returns a manager that has only the derived permissions, and whose controller fills shelves. */
function held(env: TestEnvironment, options: ManagerOptions) {
  const manager = env.manager(options, { rbac: 'derived' });
  return manager.control({ for: Shelf }, async (now) => {
    await manager.client.patchStatus(now, { books: now.spec.size });
    manager.events.normal(now, 'Filled', 'there are books');
    return Result.done();
  });
}

test('the derived roles allow events of cluster-scoped objects', async () => {
  const library = new Library({ metadata: { name: 'city' }, spec: { size: 3 } });
  await using env = await start({ objects: [library] });
  const manager = env.manager({ namespaces: ['default'] }, { rbac: 'derived' });
  manager.control({ for: Library }, async (now) => {
    await manager.client.patchStatus(now, { books: 3 });
    manager.events.normal(now, 'Opened', 'the doors are open');
    return Result.done();
  });
  await manager.start();
  await env.until<Library>(library, ({ status: now }) => now?.books === 3);
  await using events = await env.cluster.cache.informer(Event, { namespace: 'default' });
  for await (const { object } of events.changes()) if (object.reason === 'Opened') break;
  assert.deepEqual(texts(env.permissions().missing), []);
});

test('leader election uses only create, get, and update on leases, in the namespace of the Lease', async () => {
  const leases = new Namespace({ metadata: { name: 'leases' } });
  await using env = await start({ objects: [shelf, leases] });
  const manager = held(env, { leaderElection: { name: 'shelves', namespace: 'leases' } });
  await manager.start();
  await manager.elected;
  await env.until(shelf, isFilled);
  await manager.stop();
  const { used, missing } = env.permissions();
  assert.deepEqual(texts(missing), []);
  const ofLeases = texts(used).filter((text) => text.includes('leases'));
  assert.deepEqual(
    ofLeases.filter((text) => !text.includes('events')),
    ['create', 'get', 'update'].map((verb) => within(`${verb} leases of coordination.k8s.io`, 'leases')),
  );
});

test("the test environment allows all requests with rbac 'admin', and reports the permissions that the derived roles lack", async () => {
  @Controller({ for: Shelf })
  class ShelfController implements Reconciler<Shelf> {
    constructor(private readonly client: Client) {}
    async reconcile(now: Shelf): Promise<Result> {
      await applySettings(this.client);
      await this.client.patchStatus(now, { books: 3 });
      return Result.done();
    }
  }
  await using env = await start({ rbac: 'admin' });
  await env.run(ShelfController);
  await env.until(shelf, isFilled);
  const { missing } = env.permissions();
  assert.deepEqual(
    texts(missing),
    ['create', 'get', 'patch'].map((verb) => within(`${verb} configmaps`, 'default')),
  );
});

test('the test environment grants no permissions to a controller that is added after the start, and reports the cause', async () => {
  await using env = await start();
  const manager = held(env, {});
  await manager.start();
  await env.until(shelf, isFilled);
  manager.control({ for: Library, syncTimeout: false }, async () => Result.done());
  await assert.rejects(env.settled(), {
    code: 'MISSING_PERMISSION',
    message:
      /libraries\.library\.example\.com .*the permission was declared after the start; add the declaration before the manager starts/,
  });
});
