import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { dynamicKind, type KindRef, type KubeObject } from '@kubewright/api';
import { Metrics } from '../../metrics/metrics.js';
import { HttpEndpoint } from '../../serving/http-endpoint.js';
import { ManualClock } from '../../test-support/manual-clock.js';
import { metricValue } from '../../test-support/metric-value.js';
import { RecordingLogger } from '../../test-support/recording-logger.js';
import { postReview } from '../../test-support/webhook-calls.js';
import { CONVERSION_ANNOTATION } from './conversion-annotation.js';
import { conversionEndpoint } from './conversion-endpoint.js';
import { ConversionGraph, type ServedConverter } from './conversion-graph.js';

type Any = KubeObject & { readonly spec: Readonly<Record<string, unknown>> };
const version = (name: string): KindRef<Any> => dynamicKind<Any>(`batch.example.com/${name}`, 'CronJob');
const [V1, V1beta1, V1alpha1] = [version('v1'), version('v1beta1'), version('v1alpha1')];

/** Returns a converter that renames a field of the spec in the hub. */
function renaming(
  from: KindRef<Any>,
  hub: KindRef<Any>,
  [old, now]: readonly [string, string],
  more: object = {},
): ServedConverter {
  const rename = (spec: Any['spec'], source: string, target: string) => {
    const { [source]: value } = spec;
    return { spec: value === undefined ? {} : { [target]: value } };
  };
  return {
    name: `${old} to ${now}`,
    options: { from, hub, ...more },
    converter: {
      up: (object: KubeObject) => rename((object as Any).spec, old, now),
      down: (object: KubeObject) => rename((object as Any).spec, now, old),
    },
  };
}
/** v1alpha1 → v1beta1 → v1. No version can represent unknown fields of another version. */
const chain = [renaming(V1alpha1, V1beta1, ['cron', 'crontab']), renaming(V1beta1, V1, ['crontab', 'schedule'])];

async function serve(t: TestContext, converters: readonly ServedConverter[] = chain) {
  const [clock, logger, metrics] = [new ManualClock(), new RecordingLogger(), new Metrics()];
  const graphs = ConversionGraph.of(converters);
  const handler = conversionEndpoint({ clock, logger, metrics: metrics.webhook('/convert'), graphs: () => graphs });
  const endpoint = new HttpEndpoint(
    { name: 'webhooks', portOption: 'webhooks.port', port: 0, host: '127.0.0.1' },
    { clock, logger, handler },
  );
  await endpoint.listen();
  t.after(() => endpoint[Symbol.asyncDispose]());
  const post = (body: unknown) => postReview(`http://127.0.0.1:${endpoint.address?.port}/convert`, body);
  /** Converts objects, and returns the response. */
  const convert = async (desired: string, ...objects: readonly object[]) => {
    const request = { uid: 'u', desiredAPIVersion: `batch.example.com/${desired}`, objects };
    const { review } = await post({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', request });
    return review?.response;
  };
  /** Converts one object that must be convertible. */
  const one = async (desired: string, object: object) => {
    const response = await convert(desired, object);
    assert.equal(response?.result?.message, undefined);
    return response?.convertedObjects?.[0] as unknown as Any;
  };
  return { post, convert, one, logger, metrics };
}
function cronJob(apiVersion: string, spec: object, metadata: object = {}) {
  return {
    apiVersion: `batch.example.com/${apiVersion}`,
    kind: 'CronJob',
    metadata: { name: 'a', namespace: 'default', uid: '1', ...metadata },
    spec,
  };
}

test('[WC-01] converts a spoke to the hub', async (t) => {
  const { one } = await serve(t);
  assert.deepEqual(await one('v1', cronJob('v1beta1', { crontab: '* *' })), cronJob('v1', { schedule: '* *' }));
});

test('[WC-02] converts the hub to a spoke', async (t) => {
  const { one } = await serve(t);
  assert.deepEqual(await one('v1beta1', cronJob('v1', { schedule: '* *' })), cronJob('v1beta1', { crontab: '* *' }));
});

test('[WC-03] converts a spoke to another spoke through the hub, and along a chain', async (t) => {
  const star = [renaming(V1alpha1, V1, ['cron', 'schedule']), renaming(V1beta1, V1, ['crontab', 'schedule'])];
  for (const converters of [star, chain]) {
    const { one } = await serve(t, converters);
    assert.deepEqual(await one('v1beta1', cronJob('v1alpha1', { cron: '*' })), cronJob('v1beta1', { crontab: '*' }));
    assert.deepEqual(await one('v1alpha1', cronJob('v1beta1', { crontab: '*' })), cronJob('v1alpha1', { cron: '*' }));
    assert.deepEqual(await one('v1', cronJob('v1alpha1', { cron: '*' })), cronJob('v1', { schedule: '*' }));
    assert.deepEqual(await one('v1alpha1', cronJob('v1', { schedule: '*' })), cronJob('v1alpha1', { cron: '*' }));
  }
});

test('converts all objects of a review in order, and echoes the version of the review', async (t) => {
  const { post, convert } = await serve(t);
  const objects = Array.from({ length: 50 }, (_, at) => cronJob('v1beta1', { crontab: String(at) }));
  const response = await convert('v1', ...objects);
  assert.deepEqual(
    response?.convertedObjects,
    objects.map((_, at) => cronJob('v1', { schedule: String(at) })),
  );
  assert.deepEqual(response?.result, { metadata: {}, status: 'Success' });
  const request = { uid: 'u2', desiredAPIVersion: 'batch.example.com/v1', objects: [] };
  const old = await post({ apiVersion: 'apiextensions.k8s.io/v1beta1', kind: 'ConversionReview', request });
  assert.deepEqual([old.review?.apiVersion, old.review?.response.uid], ['apiextensions.k8s.io/v1beta1', 'u2']);
});

const refused: readonly (readonly [title: string, desired: string, object: object, message: RegExp])[] = [
  [
    '[WC-04] rejects a review with an object of another group',
    'v1',
    { ...cronJob('v1beta1', {}), apiVersion: 'apps/v1' },
    /apps\/v1 CronJob to batch\.example\.com\/v1: the groups differ/,
  ],
  [
    '[WC-05] rejects a review with an object that already has the desired version',
    'v1',
    cronJob('v1', {}),
    /the object already has this version/,
  ],
  [
    '[WC-06] rejects a review with an object of a kind without a hub',
    'v1',
    { ...cronJob('v1beta1', {}), kind: 'Job' },
    /no converter for Job; add a class with @Converter/,
  ],
  [
    'rejects a review with an object of an unknown version',
    'v1',
    cronJob('v9', {}),
    /the converters of CronJob only support v1alpha1, v1beta1, v1/,
  ],
];
for (const [title, desired, object, message] of refused) {
  test(title, async (t) => {
    const { convert, metrics } = await serve(t);
    const response = await convert(desired, cronJob('v1beta1', {}), object);
    assert.equal(response?.result?.status, 'Failure');
    assert.match(response?.result?.message ?? '', message);
    assert.equal(response?.convertedObjects, undefined);
    assert.equal(await metricValue(metrics, 'controller_runtime_conversion_webhook_panics_total'), 0);
  });
}

const broken: readonly (readonly [what: string, up: (object: Any) => unknown, message: RegExp])[] = [
  [
    'throws',
    () => {
      throw new Error('no such field, password=hunter2');
    },
    /failed: no such field/,
  ],
  ['returns undefined', () => undefined, /did not return an object/],
  ['returns a promise', async () => ({}), /did not return an object/],
  ['returns a list', () => [], /did not return an object/],
  [
    'returns another kind',
    (object) => ({ ...object, kind: 'Job' }),
    /returned the kind 'Job'; return only the content/,
  ],
  ['returns another version', () => ({ apiVersion: 'v7' }), /returned the version 'v7'/],
  ['changes the metadata', ({ metadata }) => ({ metadata: { ...metadata, name: 'b' } }), /changed the metadata/],
  [
    'changes its argument',
    (object) => {
      (object.metadata as { name: string }).name = 'b';
      return {};
    },
    /failed: Cannot assign to read only/,
  ],
];
for (const [what, up, message] of broken) {
  test(`[WC-07] a review fails if a converter ${what}, and the message names the converter and the object`, async (t) => {
    const converter = { up, down: () => ({ spec: {} }) } as unknown as ServedConverter['converter'];
    const { convert, logger, metrics } = await serve(t, [
      { name: 'Renamer', options: { from: V1beta1, hub: V1 }, converter },
    ]);
    const response = await convert('v1', cronJob('v1beta1', {}));
    const { status, message: text = '' } = response?.result ?? {};
    assert.equal(status, 'Failure');
    assert.match(
      text,
      /^cannot convert CronJob default\/a from batch\.example\.com\/v1beta1 to batch\.example\.com\/v1: up of Renamer /,
    );
    assert.match(text, message);
    assert.doesNotMatch(text, /hunter2/);
    assert.equal(logger.lines.filter(({ level }) => level === 'error').length, 1);
    assert.equal(await metricValue(metrics, 'controller_runtime_conversion_webhook_panics_total'), 1);
    assert.equal((await convert('v1beta1', cronJob('v1', {})))?.uid, 'u');
  });
}

test('accepts a converter that spreads its argument', async (t) => {
  const converter = { up: (object: Any) => ({ ...object, spec: { a: 1 } }), down: (object: Any) => ({ ...object }) };
  const { one } = await serve(t, [{ name: 'Spread', options: { from: V1beta1, hub: V1, lossless: false }, converter }]);
  assert.deepEqual(await one('v1', cronJob('v1beta1', {})), cronJob('v1', { a: 1 }));
});

test('rejects a request that is not a ConversionReview with status 400', async (t) => {
  const { post, convert } = await serve(t);
  for (const body of [
    '',
    'x',
    { apiVersion: 'v1', kind: 'Pod' },
    { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview' },
  ]) {
    assert.equal((await post(body)).status, 400);
  }
  assert.equal((await convert('v1', 'text' as never))?.result?.status, 'Failure');
});

test('keeps the values that another version cannot represent in one annotation, and restores the values', async (t) => {
  const { one } = await serve(t);
  const original = cronJob(
    'v1alpha1',
    { cron: '*', zone: 'UTC', extra: { a: [1, { b: 2 }] } },
    { annotations: { mine: 'x' } },
  );
  const stored = await one('v1', original);
  assert.deepEqual(stored.spec, { schedule: '*' });
  assert.deepEqual(Object.keys(stored.metadata.annotations ?? {}), ['mine', CONVERSION_ANNOTATION]);
  assert.deepEqual(await one('v1alpha1', stored), original);
  // The values are also kept if the object is converted through the version between them.
  const between = await one('v1beta1', stored);
  assert.deepEqual(await one('v1alpha1', between), original);
  assert.deepEqual(await one('v1alpha1', await one('v1', between)), original);
});

test('keeps the values that a spoke cannot represent when an object of the hub is read and written as the spoke', async (t) => {
  const { one } = await serve(t);
  const stored = cronJob('v1', { schedule: '*', onlyInHub: 1 });
  const read = await one('v1alpha1', stored);
  assert.deepEqual(read.spec, { cron: '*' });
  const edited = { ...read, spec: { cron: '0 *' } };
  assert.deepEqual(await one('v1', edited), cronJob('v1', { schedule: '0 *', onlyInHub: 1 }));
});

test('does not restore values that contradict a change in the other version', async (t) => {
  const lossy: ServedConverter = {
    name: 'Upper',
    options: { from: V1beta1, hub: V1 },
    converter: {
      up: (object: KubeObject) => ({ spec: { mode: String((object as Any).spec['mode']).toLowerCase() } }),
      down: (object: KubeObject) => ({ spec: { mode: String((object as Any).spec['mode']) } }),
    },
  };
  const { one } = await serve(t, [lossy]);
  const stored = await one('v1', cronJob('v1beta1', { mode: 'Fast' }));
  assert.equal((await one('v1beta1', stored)).spec['mode'], 'Fast');
  assert.equal((await one('v1beta1', { ...stored, spec: { mode: 'slow' } })).spec['mode'], 'slow');
});

test('restores kept values of items by the name of the item, also if the items are reordered or deleted', async (t) => {
  const items = (spec: Any['spec']) => (spec['items'] ?? []) as readonly { readonly name: string }[];
  const names: ServedConverter = {
    name: 'Names',
    options: { from: V1beta1, hub: V1 },
    converter: {
      up: (object: KubeObject) => ({ spec: { items: items((object as Any).spec).map(({ name }) => ({ name })) } }),
      down: (object: KubeObject) => ({ spec: { items: items((object as Any).spec).map(({ name }) => ({ name })) } }),
    },
  };
  const { one } = await serve(t, [names]);
  const stored = await one(
    'v1',
    cronJob('v1beta1', {
      items: [
        { name: 'a', size: 1 },
        { name: 'b', size: 2 },
        { name: 'c', size: 3 },
      ],
    }),
  );
  const changed = { ...stored, spec: { items: [{ name: 'c' }, { name: 'a' }, { name: 'new' }] } };
  assert.deepEqual((await one('v1beta1', changed)).spec, {
    items: [{ name: 'c', size: 3 }, { name: 'a', size: 1 }, { name: 'new' }],
  });
});

test('ignores an annotation that is not valid', async (t) => {
  const { one } = await serve(t);
  for (const text of ['{', '[]', '{"v1alpha1":1}', '{"v1alpha1":[{"path":[]}]}', '{"v1alpha1":[{"path":[1]}]}']) {
    const stored = cronJob('v1', { schedule: '*' }, { annotations: { [CONVERSION_ANNOTATION]: text } });
    assert.deepEqual((await one('v1alpha1', stored)).spec, { cron: '*' });
  }
});

test('adds no annotation if lossless is false', async (t) => {
  const { one } = await serve(t, [renaming(V1beta1, V1, ['crontab', 'schedule'], { lossless: false })]);
  const stored = await one('v1', cronJob('v1beta1', { crontab: '*', zone: 'UTC' }));
  assert.deepEqual(stored, cronJob('v1', { schedule: '*' }));
});

test('[WC-08] describes the hub and the spokes of a chain of converters', () => {
  const [graph] = ConversionGraph.of(chain).values();
  assert.deepEqual(graph?.description, { hub: V1, spokes: [V1alpha1, V1beta1], path: '/convert' });
});

const incomplete: readonly (readonly [what: string, converters: readonly ServedConverter[], message: RegExp])[] = [
  [
    'duplicate converters',
    [...chain, renaming(V1alpha1, V1, ['a', 'b'])],
    /cron to crontab and a to b both convert v1alpha1; remove one of them/,
  ],
  [
    'a missing converter between two hubs',
    [renaming(V1alpha1, V1beta1, ['a', 'b']), renaming(version('v2'), V1, ['a', 'b'])],
    /v1beta1 and v1 are both hubs; add a converter between them/,
  ],
  [
    'converters that form a cycle',
    [renaming(V1, V1alpha1, ['a', 'b']), ...chain],
    /form a cycle; choose one version as the hub/,
  ],
];
for (const [what, converters, message] of incomplete) {
  test(`[WC-09] rejects ${what}`, () => {
    assert.throws(() => ConversionGraph.of(converters), { code: 'INVALID_CONVERSION', message });
  });
}
