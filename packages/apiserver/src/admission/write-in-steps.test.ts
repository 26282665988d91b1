import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finish, withBreak, type Steps } from '@kubewright/api/apply';
import { SystemClock } from '@kubewright/api/clock';
import { isConflict, isNotFound } from '@kubewright/api/errors';
import { builtInChecks, charges, lastChecks } from './built-in-checks.js';
import { Store } from '../storage/store.js';
import { bootstrap } from '../registry/bootstrap.js';
import type { ApiObject } from '../registry/objects/api-object.js';
import { Registry } from '../registry/registry.js';
import { type RequestContext, systemContext } from '../registry/requests/request-context.js';

function newRegistry(): Registry {
  const plugins = { admission: builtInChecks, lastChecks, charges };
  const registry = new Registry({ store: new Store(), clock: new SystemClock(), ...plugins });
  bootstrap(registry);
  return registry;
}

const context = () => systemContext('test', 'update');
const key = { namespace: 'default', name: 'a' };
const configMap = (data: object, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { ...key, ...metadata },
  data,
});

/** Returns how often the steps yield. */
function breaks(steps: Steps<unknown>): number {
  let count = 0;
  while (steps.next().done !== true) count += 1;
  return count;
}

/** Runs the steps, and calls `work` when the steps yield for the last time. */
function interrupted<T>(make: (context: RequestContext) => Steps<T>, work: () => unknown): T {
  const last = breaks(make({ ...context(), dryRun: true }));
  const steps = make(context());
  for (let at = 1; ; at += 1) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (at === last) work();
  }
}

test('restarts an update if the object changes between the steps', () => {
  const configMaps = newRegistry().builtIn('/v1/configmaps');
  configMaps.create(configMap({ a: '1' }), context());
  const change = (field: string) => (live: ApiObject) => ({
    ...live,
    data: { ...(live['data'] as object), [field]: '2' },
  });
  const updated = interrupted(
    (requested) => configMaps.updateSteps(key, withBreak(change('b')), requested),
    () => configMaps.update(key, change('c'), context()),
  );
  assert.deepEqual({ ...(updated['data'] as object) }, { a: '1', b: '2', c: '2' });
});

test('an update with a resourceVersion fails with 409 if the object changes between the steps', () => {
  const configMaps = newRegistry().builtIn('/v1/configmaps');
  const { resourceVersion } = configMaps.create(configMap({ a: '1' }), context()).metadata;
  const body = configMap({ a: '2' }, { resourceVersion });
  const steps = (requested: RequestContext) =>
    configMaps.updateSteps(
      key,
      withBreak(() => body),
      requested,
    );
  const other = (): unknown => configMaps.update(key, () => configMap({ a: '3' }), context());
  assert.throws(() => interrupted(steps, other), isConflict);
});

test('an update fails with 404 if the object is deleted between the steps', () => {
  const configMaps = newRegistry().builtIn('/v1/configmaps');
  configMaps.create(configMap({}), context());
  const change = withBreak((live: ApiObject) => ({ ...live, data: { a: '1' } }));
  const steps = (requested: RequestContext) => configMaps.updateSteps(key, change, requested);
  assert.throws(() => interrupted(steps, () => configMaps.delete(key, {}, context())), isNotFound);
});

test('a creation fails with 404 and creates no object if the namespace is deleted between the steps', () => {
  const registry = newRegistry();
  const [namespaces, configMaps] = [registry.builtIn('/v1/namespaces'), registry.builtIn('/v1/configmaps')];
  namespaces.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'b' } }, context());
  const body = configMap({}, { namespace: 'b' });
  const steps = (requested: RequestContext) => configMaps.createSteps(body, requested);
  assert.throws(() => interrupted(steps, () => registry.store.delete('/namespaces', { name: 'b' })), isNotFound);
  assert.equal(configMaps.find({ namespace: 'b', name: 'a' }), undefined);
});

test('does not create a custom object if its definition is removed between two steps of the creation', () => {
  const registry = newRegistry();
  const definitions = registry.builtIn('apiextensions.k8s.io/v1/customresourcedefinitions');
  definitions.create(definition, systemContext('test', 'create'));
  const served = registry.find('example.com', 'v1', 'things');
  assert.ok(served !== undefined);
  const things = registry.resource(served);
  const body = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: key };
  const steps = (requested: RequestContext) => things.createSteps(body, requested);
  const remove = (): void => {
    const removed = registry.store.delete('apiextensions.k8s.io/customresourcedefinitions', {
      name: 'things.example.com',
    });
    registry.removed(definitions.definition, removed);
  };
  assert.throws(() => interrupted(steps, remove), isNotFound);
  assert.equal(things.find(key), undefined);
});

test('a creation in steps writes nothing before its last step', () => {
  const registry = newRegistry();
  const configMaps = registry.builtIn('/v1/configmaps');
  const steps = configMaps.createSteps(configMap({ a: '1' }), context());
  while (steps.next().done !== true) assert.equal(configMaps.find(key), undefined);
  assert.notEqual(configMaps.find(key), undefined);
});

const service = (name: string, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace: 'default', name },
  spec: { type: 'NodePort', ports: [{ port: 80 }], ...spec },
});
const addressOf = ({ spec }: ApiObject) => (spec as { readonly clusterIP: string }).clusterIP;
const portOf = ({ spec }: ApiObject) =>
  (spec as { readonly ports: readonly { readonly nodePort: number }[] }).ports[0]?.nodePort;

test('allocates different addresses and node ports to two Services that are created concurrently', () => {
  const total = breaks(newRegistry().builtIn('/v1/services').createSteps(service('a'), context()));
  for (let at = 1; at <= total; at += 1) {
    const services = newRegistry().builtIn('/v1/services');
    const steps = services.createSteps(service('a'), context());
    for (let step = 0; step < at; step += 1) steps.next();
    const between = services.create(service('b'), context());
    const first = finish(steps);
    assert.notEqual(addressOf(first), addressOf(between), `after step ${at} of ${total}`);
    assert.notEqual(portOf(first), portOf(between), `after step ${at} of ${total}`);
  }
});

test('allocates an address to only one of two concurrently created Services that request the address', () => {
  const same = { clusterIP: '10.96.0.50' };
  const total = breaks(newRegistry().builtIn('/v1/services').createSteps(service('a', same), context()));
  for (let at = 1; at <= total; at += 1) {
    const services = newRegistry().builtIn('/v1/services');
    const steps = services.createSteps(service('a', same), context());
    for (let step = 0; step < at; step += 1) steps.next();
    const created = [() => services.create(service('b', same), context()), () => finish(steps)].flatMap((create) => {
      try {
        return [create()];
      } catch (error) {
        assert.match((error as Error).message, /provided IP is already allocated/);
        return [];
      }
    });
    assert.equal(created.length, 1, `after step ${at} of ${total}`);
  }
});

test('does not allocate the health check node port of another Service as a node port', () => {
  const services = newRegistry().builtIn('/v1/services');
  const checked = services.create(
    service('a', { type: 'LoadBalancer', externalTrafficPolicy: 'Local', allocateLoadBalancerNodePorts: false }),
    context(),
  );
  const { healthCheckNodePort } = checked['spec'] as { readonly healthCheckNodePort: number };
  assert.equal(typeof healthCheckNodePort, 'number');
  assert.notEqual(portOf(services.create(service('b'), context())), healthCheckNodePort);
});

test('releases the requested address of a Service whose creation fails', () => {
  const services = newRegistry().builtIn('/v1/services');
  const address = { clusterIP: '10.96.0.50' };
  const invalid = service('a', { ...address, ports: [{ port: 80, protocol: 'unknown' }] });
  assert.throws(() => services.create(invalid, context()), /Unsupported value: "unknown"/);
  assert.equal(addressOf(services.create(service('b', address), context())), '10.96.0.50');
});

test('allocates different node ports to two Services whose types change concurrently', () => {
  const registry = newRegistry();
  const services = registry.builtIn('/v1/services');
  for (const name of ['a', 'b']) services.create(service(name, { type: 'ClusterIP' }), context());
  const change = (live: ApiObject) => ({ ...live, spec: { ...(live['spec'] as object), type: 'NodePort' } });
  const of = (name: string) => ({ namespace: 'default', name });
  const first = interrupted(
    (requested) => services.updateSteps(of('a'), withBreak(change), requested),
    () => services.update(of('b'), change, context()),
  );
  assert.notEqual(portOf(first), portOf(services.get(of('b'))));
});

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

test('restarts a deletion if the object changes between the steps', () => {
  const configMaps = newRegistry().builtIn('/v1/configmaps');
  configMaps.create(configMap({ a: '1' }, { finalizers: ['a.b/c'] }), context());
  const steps = configMaps.deleteSteps(key, {}, context());
  steps.next();
  configMaps.update(key, (live) => ({ ...live, data: { a: '2' } }), context());
  finish(steps);
  const left = configMaps.get(key);
  assert.deepEqual({ ...(left['data'] as object) }, { a: '2' });
  assert.notEqual(left.metadata.deletionTimestamp, undefined);
});

test('a deletion with a resourceVersion precondition fails with 409 if the object changes between the steps', () => {
  const configMaps = newRegistry().builtIn('/v1/configmaps');
  const { resourceVersion } = configMaps.create(configMap({}, { finalizers: ['a.b/c'] }), context()).metadata;
  const steps = configMaps.deleteSteps(key, { preconditions: { resourceVersion } }, context());
  steps.next();
  configMaps.update(key, (live) => ({ ...live, data: { a: '2' } }), context());
  assert.throws(() => finish(steps), isConflict);
});
