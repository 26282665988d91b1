import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { configMap, configMaps, json, keys, list } from './case-bodies.js';
import { post, remove, succeed } from './controller-case.js';
import type { LimitRequest } from './limit-case.js';
import { MeasuredServer } from './measured-server.js';

/** V8 options for a heap that is small enough to fill quickly. */
const flags = ['--max-old-space-size=120'];
/** More objects than fit into the heap. */
const mostObjects = 200_000;
const namespaced = '/api/v1/namespaces/default';

interface Shape {
  readonly name: string;
  /** Number of concurrent requests. Each request needs memory, so only requests for small objects run concurrently. */
  readonly senders: number;
  readonly request: (name: string) => LimitRequest;
}

const shapes: readonly Shape[] = [
  {
    name: 'small ConfigMaps',
    senders: 8,
    request: (name) => post(configMaps, configMap({ a: 'b' }, { name })),
  },
  {
    name: 'ConfigMaps with 5,000 keys',
    senders: 1,
    request: (name) => post(configMaps, configMap(keys(5000), { name })),
  },
  {
    name: 'ConfigMaps with 1 MB of Chinese characters',
    senders: 1,
    request: (name) => post(configMaps, configMap({ a: '字'.repeat(340_000) }, { name })),
  },
  {
    name: 'Pods with 300 containers',
    senders: 1,
    request: (name) =>
      post(`${namespaced}/pods`, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name },
        spec: { containers: list(300, (at) => ({ name: `c${at}`, image: 'a' })) },
      }),
  },
];

/** Sends requests until the server rejects one. Returns the number of objects. */
async function fill(server: MeasuredServer, { senders, request }: Shape): Promise<number> {
  let created = 0;
  let refusal: string | undefined;
  const send = async (sender: number): Promise<void> => {
    for (let at = 0; refusal === undefined && at < mostObjects / senders; at += 1) {
      const { status, text } = await server.send(request(`n${sender}-${at}`));
      if (status === 201) created += 1;
      else refusal = `${status} ${text}`;
    }
  };
  await Promise.all(list(senders, send));
  assert.match(refusal ?? '', /^500 .*etcdserver: mvcc: database space exceeded/);
  return created;
}

describe('a server rejects objects before its memory is full', () => {
  for (const shape of shapes) {
    test(`the server rejects ${shape.name} before its memory is full, and still accepts reads, updates, and deletions`, async (t) => {
      await using server = await MeasuredServer.start({ flags });
      const created = await fill(server, shape);
      t.diagnostic(`${created} objects, ${((await server.heapBytes()) / 1024 / 1024).toFixed(0)} MiB of the heap`);
      await succeed(server, { method: 'GET', path: `${configMaps}?limit=1` });
      // The server has a memory reserve for updates, so that clients can still renew a Lease.
      await succeed(server, {
        method: 'PATCH',
        path: '/api/v1/namespaces/default',
        type: 'application/merge-patch+json',
        body: JSON.stringify({ metadata: { labels: { a: 'b' } } }),
      });
      await succeed(server, remove(`${shape.request('n0-0').path}/n0-0`));
    });
  }

  test('the server rejects writes at the quota while the controllers create the Pods of a StatefulSet with 1,000,000 replicas', async (t) => {
    await using server = await MeasuredServer.start({ flags, workloads: true });
    const labels = { a: 'b' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a' }] } };
    const body = {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'large' },
      spec: {
        replicas: 1_000_000,
        podManagementPolicy: 'Parallel',
        serviceName: 'a',
        selector: { matchLabels: labels },
        template,
      },
    };
    await succeed(server, {
      method: 'POST',
      path: '/apis/apps/v1/namespaces/default/statefulsets',
      type: json,
      body: JSON.stringify(body),
    });
    for (;;) {
      const { status, text } = await server.send(
        post(configMaps, configMap({ a: 'x'.repeat(1000) }, { generateName: 'a', name: undefined })),
      );
      if (status === 201) continue;
      assert.match(`${status} ${text}`, /^500 .*etcdserver: mvcc: database space exceeded/);
      break;
    }
    t.diagnostic(`${((await server.heapBytes()) / 1024 / 1024).toFixed(0)} MiB of the heap`);
  });
});
