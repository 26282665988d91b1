import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finish, withBreak } from '@kubewright/api/apply';
import { SystemClock } from '@kubewright/api/clock';
import { ApiError } from '@kubewright/api/errors';
import { Store } from '../storage/store.js';
import { deleteCollectionSteps } from './delete-collection.js';
import type { ApiObject } from './objects/api-object.js';
import { stringAt } from './objects/json-object.js';
import { Registry } from './registry.js';
import { type RequestContext, systemContext } from './requests/request-context.js';
import type { Resource } from './resource.js';

const key = { namespace: 'default', name: 'a' };
const configMap = (name: string, data: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data,
});

const finalizers = (names: readonly string[]) => (live: ApiObject) => ({
  ...live,
  metadata: { ...live.metadata, finalizers: names },
});

function setUp(): { registry: Registry; configMaps: Resource; context: RequestContext } {
  const registry = new Registry({ store: new Store(), clock: new SystemClock() });
  return { registry, configMaps: registry.builtIn('/v1/configmaps'), context: systemContext('test', 'create') };
}

function refusal(act: () => unknown): ApiError {
  try {
    act();
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    return error;
  }
  return assert.fail('the write was not rejected');
}

test('sets the uid, the creation time in seconds and the managed fields of a new object', () => {
  const { configMaps, context } = setUp();
  const created = configMaps.create(configMap('a', { k: 'v' }), context);
  assert.match(created.metadata.uid, /^[0-9a-f-]{36}$/);
  assert.match(created.metadata.creationTimestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  assert.equal(created.metadata.resourceVersion, '2');
  assert.deepEqual(structuredClone(created['data']), { k: 'v' });
  const [entry] = created.metadata.managedFields as [{ manager: string; operation: string; fieldsV1: object }];
  assert.equal(entry.manager, 'test');
  assert.equal(entry.operation, 'Update');
  assert.deepEqual(entry.fieldsV1, { 'f:data': { '.': {}, 'f:k': {} } });
  assert.deepEqual(configMaps.get(key), created);
});

test('generateName generates a name with five random characters', () => {
  const { configMaps, context } = setUp();
  const created = configMaps.create({ metadata: { generateName: 'web-', namespace: 'default' } }, context);
  assert.match(created.metadata.name, /^web-[a-z0-9]{5}$/);
});

test('uses the namespace of the path and rejects a different namespace with 400', () => {
  const { configMaps, context } = setUp();
  const created = configMaps.create({ metadata: { name: 'a' } }, context, { namespace: 'x' });
  assert.equal(created.metadata.namespace, 'x');
  const error = refusal(() => configMaps.create(configMap('b'), context, { namespace: 'x' }));
  assert.equal(error.status, 400);
  assert.equal(
    error.body.message,
    'the namespace of the provided object does not match the namespace sent on the request',
  );
});

test('errors contain the messages and details of a kube-apiserver', () => {
  const { configMaps, context, registry } = setUp();
  configMaps.create(configMap('a'), context);
  const missing = refusal(() => configMaps.get({ namespace: 'default', name: 'b' }));
  assert.equal(missing.body.message, 'configmaps "b" not found');
  assert.deepEqual(missing.body.details, { name: 'b', kind: 'configmaps' });
  assert.equal(refusal(() => configMaps.create(configMap('a'), context)).body.message, 'configmaps "a" already exists');
  const stale = { ...configMap('a'), metadata: { ...key, resourceVersion: '1' } };
  const conflict = refusal(() => configMaps.update(key, () => stale, context));
  assert.equal(conflict.status, 409);
  assert.equal(
    conflict.body.message,
    'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
  );
  const deployments = registry.builtIn('apps/v1/deployments');
  const other = refusal(() => deployments.get(key));
  assert.equal(other.body.message, 'deployments.apps "a" not found');
  assert.deepEqual(other.body.details, { name: 'a', group: 'apps', kind: 'deployments' });
});

test('an update without changes keeps the resourceVersion', () => {
  const { configMaps, context, registry } = setUp();
  const created = configMaps.create(configMap('a', { k: 'v' }), context);
  const same = configMaps.update(key, (live) => ({ ...live }), context);
  assert.equal(same.metadata.resourceVersion, created.metadata.resourceVersion);
  assert.equal(registry.store.resourceVersion, created.metadata.resourceVersion);
  const changed = configMaps.update(key, (live) => ({ ...live, data: { k: 'w' } }), context);
  assert.notEqual(changed.metadata.resourceVersion, created.metadata.resourceVersion);
  assert.equal(changed.metadata.uid, created.metadata.uid);
});

test('a dry run returns the result and writes nothing', () => {
  const { configMaps, context, registry } = setUp();
  const dry = { ...context, dryRun: true };
  assert.equal(configMaps.create(configMap('a'), dry).metadata.name, 'a');
  assert.equal(registry.store.resourceVersion, '1');
  configMaps.create(configMap('a'), context);
  assert.equal(refusal(() => configMaps.create(configMap('a'), dry)).status, 409);
  configMaps.delete(key, {}, dry);
  const updated = configMaps.update(key, (live) => ({ ...live, data: { k: 'v' } }), dry);
  assert.deepEqual(structuredClone(updated['data']), { k: 'v' });
  assert.equal(configMaps.get(key).metadata.resourceVersion, '2');
});

test('fieldValidation drops, reports or rejects unknown fields', () => {
  const { configMaps, context } = setUp();
  const odd = { ...configMap('a'), spec: { x: 1 } };
  const warned: RequestContext = { ...context, fieldValidation: 'Warn', warnings: [] };
  assert.equal(configMaps.create(odd, warned)['spec'], undefined);
  assert.deepEqual(warned.warnings, ['unknown field "spec"']);
  const error = refusal(() => configMaps.create(odd, { ...context, fieldValidation: 'Strict' }));
  assert.equal(error.status, 400);
  assert.equal(
    error.body.message,
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "spec"',
  );
});

test('rejects a value of a wrong type with the message of the Go decoder', () => {
  const { registry, configMaps, context } = setUp();
  const wrong = { ...deployment(), spec: { ...deployment().spec, replicas: 'three' } };
  const error = refusal(() => registry.builtIn('apps/v1/deployments').create(wrong, context));
  assert.equal(error.status, 400);
  assert.equal(
    error.body.message,
    'Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal string into Go struct field ' +
      'DeploymentSpec.spec.replicas of type int32',
  );
  const texts = [{ generateName: 5 }, { name: 5 }, { name: 'a', finalizers: 'x' }, { name: 'a', labels: 'x' }].map(
    (metadata) =>
      refusal(() => configMaps.create({ metadata: { namespace: 'default', ...metadata } }, context)).body.message,
  );
  const field = 'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal';
  assert.deepEqual(texts, [
    `${field} number into Go struct field ObjectMeta.metadata.generateName of type string`,
    `${field} number into Go struct field ObjectMeta.metadata.name of type string`,
    `${field} string into Go struct field ObjectMeta.metadata.finalizers of type []string`,
    `${field} string into Go struct field ObjectMeta.metadata.labels of type map[string]string`,
  ]);
});

test('a deletion returns a Status and checks its preconditions', () => {
  const { configMaps, context } = setUp();
  const { uid } = configMaps.create(configMap('a'), context).metadata;
  const error = refusal(() => configMaps.delete(key, { preconditions: { uid: 'other' } }, context));
  assert.equal(
    error.body.message,
    `Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition (other) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
  );
  const status = configMaps.delete(key, {}, context);
  assert.deepEqual(status, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name: 'a', kind: 'configmaps', uid },
  });
  assert.equal(refusal(() => configMaps.get(key)).status, 404);
});

test('finalizers keep an object until the last finalizer is removed, and no finalizer can be added during the deletion', () => {
  const { configMaps, context } = setUp();
  const kept = { ...configMap('a'), metadata: { ...key, finalizers: ['example.com/x', 'example.com/y'] } };
  configMaps.create(kept, context);
  const marked = configMaps.delete(key, {}, context) as ApiObject;
  assert.match(marked.metadata.deletionTimestamp ?? '', /Z$/);
  assert.equal(marked.metadata.deletionGracePeriodSeconds, 0);
  const error = refusal(() => configMaps.update(key, finalizers(['example.com/x', 'example.com/z']), context));
  assert.equal(error.status, 422);
  assert.match(
    error.body.message ?? '',
    /no new finalizers can be added if the object is being deleted, found new finalizers \[\]string\{"example.com\/z"\}/,
  );
  configMaps.update(key, finalizers(['example.com/x']), context);
  configMaps.update(key, finalizers([]), context);
  assert.equal(refusal(() => configMaps.get(key)).status, 404);
});

test('an update can neither start nor cancel a deletion', () => {
  const { configMaps, context } = setUp();
  configMaps.create({ ...configMap('a'), metadata: { ...key, finalizers: ['example.com/x'] } }, context);
  const stamped = (fields: object) => (live: ApiObject) => ({ ...live, metadata: { ...live.metadata, ...fields } });
  const begun = refusal(() =>
    configMaps.update(
      key,
      stamped({ deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 3 }),
      context,
    ),
  );
  assert.equal(begun.status, 422);
  assert.deepEqual(
    begun.body.details?.causes?.map(({ field, message }) => [field, message]),
    [
      ['metadata.deletionTimestamp', 'Invalid value: "2026-01-01T00:00:00Z": field is immutable'],
      ['metadata.deletionGracePeriodSeconds', 'Invalid value: 3: field is immutable'],
      // The rules for all kinds and the rules of the kind both report each error.
      ['metadata.deletionTimestamp', 'Invalid value: "2026-01-01T00:00:00Z": field is immutable'],
      ['metadata.deletionGracePeriodSeconds', 'Invalid value: 3: field is immutable'],
    ],
  );
  const marked = configMaps.delete(key, {}, context) as ApiObject;
  const fields = { deletionTimestamp: undefined, deletionGracePeriodSeconds: undefined };
  assert.deepEqual(configMaps.update(key, stamped(fields), context), marked);
});

test('the generation counts changes of the spec, and only the status subresource changes the status', () => {
  const { registry, context } = setUp();
  const deployments = registry.builtIn('apps/v1/deployments');
  const created = deployments.create({ ...deployment(), status: { replicas: 7 } }, context);
  assert.equal(created.metadata.generation, 1);
  assert.deepEqual(created['status'], {});
  const status = { observedGeneration: 1, replicas: 1 };
  const reported = deployments.update(key, (live) => ({ ...live, spec: {}, status }), {
    ...context,
    subresource: 'status',
  });
  assert.deepEqual(structuredClone(reported['status']), status);
  assert.deepEqual(structuredClone(reported['spec']), structuredClone(created['spec']));
  assert.equal(reported.metadata.generation, 1);
  const toThree = withBreak((scale: ApiObject) => ({ ...scale, spec: { replicas: 3 } }));
  const scaled = finish(deployments.updateScaleSteps(key, toThree, { ...context, subresource: 'scale' }));
  assert.deepEqual(scaled['spec'], { replicas: 3 });
  assert.deepEqual(scaled['status'], { replicas: 1, selector: 'app=a' });
  const after = deployments.get(key);
  assert.equal(after.metadata.generation, 2);
  assert.deepEqual(structuredClone(after['status']), status);
});

test('all pages of a list have the same resourceVersion, and a page fails with a new continue token after a compaction', () => {
  const { configMaps, context, registry } = setUp();
  for (const name of ['a', 'b', 'c']) configMaps.create(configMap(name), context);
  const first = configMaps.list({ namespace: 'default', limit: 2 });
  assert.deepEqual(names(first.items), ['a', 'b']);
  assert.equal(first.metadata.remainingItemCount, 1);
  configMaps.create(configMap('d'), context);
  configMaps.delete({ namespace: 'default', name: 'c' }, {}, context);
  const rest = configMaps.list({ namespace: 'default', limit: 2, continue: first.metadata.continue });
  assert.deepEqual(names(rest.items), ['c']);
  assert.equal(rest.metadata.resourceVersion, first.metadata.resourceVersion);
  registry.store.compact(registry.store.resourceVersion);
  const error = refusal(() => configMaps.list({ namespace: 'default', limit: 2, continue: first.metadata.continue }));
  assert.equal(error.status, 410);
  assert.equal(error.reason, 'Expired');
  const token = error.body.metadata['continue'] as string;
  assert.deepEqual(names(configMaps.list({ namespace: 'default', continue: token }).items), ['d']);
});

test('lists support label and field selectors and reject unsupported fields', () => {
  const { configMaps, context, registry } = setUp();
  const labelled = { ...configMap('a'), metadata: { ...key, labels: { app: 'web' } } };
  configMaps.create(labelled, context);
  configMaps.create(configMap('b'), context);
  assert.deepEqual(names(configMaps.list({ labelSelector: 'app in (web, db)' }).items), ['a']);
  assert.deepEqual(names(configMaps.list({ fieldSelector: 'metadata.name!=a' }).items), ['b']);
  const unknown = refusal(() => configMaps.list({ fieldSelector: 'spec.foo=x' }));
  assert.equal(unknown.status, 400);
  assert.equal(
    unknown.body.message,
    '"spec.foo" is not a known field selector: only "metadata.name", "metadata.namespace"',
  );
  const pods = registry.builtIn('/v1/pods');
  const label = refusal(() => pods.list({ fieldSelector: 'spec.foo=x' }));
  assert.equal(label.body.message, 'field label not supported: spec.foo');
  assert.deepEqual(pods.list({ fieldSelector: 'status.phase=Running' }).items, []);
});

test('a list at a future resourceVersion fails with 504, and a list at an exact past resourceVersion returns the past state', () => {
  const { configMaps, context } = setUp();
  configMaps.create(configMap('a'), context);
  const { resourceVersion } = configMaps.list().metadata;
  configMaps.create(configMap('b'), context);
  const past = configMaps.list({ resourceVersion, resourceVersionMatch: 'Exact' });
  assert.deepEqual(names(past.items), ['a']);
  const error = refusal(() => configMaps.list({ resourceVersion: '99' }));
  assert.equal(error.status, 504);
  assert.equal(error.body.message, 'Timeout: Too large resource version: 99, current: 3');
  const match = refusal(() => configMaps.list({ resourceVersionMatch: 'Exact' }));
  assert.equal(match.status, 422);
});

test('the deletion of a collection deletes the objects that the selector matches', () => {
  const { configMaps, context } = setUp();
  configMaps.create({ ...configMap('a'), metadata: { ...key, labels: { app: 'web' } } }, context);
  configMaps.create(configMap('b'), context);
  finish(
    deleteCollectionSteps(configMaps, { namespace: 'default', labelSelector: 'app=web' }, { options: {}, context }),
  );
  assert.deepEqual(names(configMaps.list().items), ['b']);
});

test('serves an Event of events.k8s.io also as an Event of the core group', () => {
  const { registry, context } = setUp();
  const event = {
    metadata: { name: 'e', namespace: 'default' },
    eventTime: '2026-01-01T00:00:00.000000Z',
    reportingController: 'c',
    reportingInstance: 'i',
    action: 'Act',
    reason: 'Because',
    type: 'Normal',
    note: 'text',
    regarding: { kind: 'Pod', name: 'p', namespace: 'default' },
  };
  registry.builtIn('events.k8s.io/v1/events').create(event, context);
  const core = registry.builtIn('/v1/events').get({ namespace: 'default', name: 'e' });
  assert.equal(core.apiVersion, 'v1');
  assert.equal(core['message'], 'text');
  assert.deepEqual(structuredClone(core['involvedObject']), event.regarding);
  assert.equal(core['reportingComponent'], 'c');
});

function deployment() {
  const container = { name: 'c', image: 'nginx' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: key,
    spec: {
      selector: { matchLabels: { app: 'a' } },
      template: { metadata: { labels: { app: 'a' } }, spec: { containers: [container] } },
    },
  };
}

function names(items: readonly ApiObject[]): readonly string[] {
  return items.map(({ metadata }) => metadata.name);
}

test('a list that is read in steps returns the state at the first step', () => {
  const { configMaps, context } = setUp();
  for (const name of ['a', 'b', 'c']) configMaps.create(configMap(name, { text: 'old' }), context);
  const steps = configMaps.listSteps({});
  steps.next();
  configMaps.delete({ namespace: 'default', name: 'b' }, {}, context);
  configMaps.update({ namespace: 'default', name: 'c' }, (live) => ({ ...live, data: { text: 'new' } }), context);
  const { items, metadata } = finish(steps);
  assert.deepEqual(
    items.map((item) => `${item.metadata.name} ${stringAt(item, 'data', 'text')}`),
    ['a old', 'b old', 'c old'],
  );
  assert.equal(metadata.resourceVersion, items.at(-1)?.metadata.resourceVersion);
});

test('the deletion of a collection continues if another request deletes one of its objects', () => {
  const { configMaps, context } = setUp();
  for (const name of ['a', 'b', 'c']) configMaps.create(configMap(name), context);
  const steps = deleteCollectionSteps(configMaps, { namespace: 'default' }, { options: {}, context });
  while (configMaps.list().items.length === 3) steps.next();
  configMaps.delete({ namespace: 'default', name: 'c' }, {}, context);
  assert.deepEqual(names(finish(steps).items), ['a', 'b', 'c']);
  assert.deepEqual(names(configMaps.list().items), []);
});
