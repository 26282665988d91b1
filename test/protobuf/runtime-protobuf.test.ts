import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ConfigMap } from '@kubewright/api/core/v1';
import { ApiError } from '@kubewright/api/errors';
import { hasMagic } from '@kubewright/api/protobuf';
import { type Client, Result } from '@kubewright/runtime';
import { parseMetrics } from '@kubewright/runtime/internal';
import type { TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';

const key = { name: 'a', namespace: 'default' };
const created = new ConfigMap({ metadata: { ...key, labels: { app: 'a' } }, data: { k: 'größer', empty: '' } });

let env: TestEnvironment;
before(async () => {
  env = await startEnvironment();
  await env.client.create(created);
});
after(() => env[Symbol.asyncDispose]());

interface Running {
  readonly client: Client;
  /** The bodies of the responses to single requests. */
  readonly answers: Buffer[];
  /** Returns the size of the cached ConfigMaps in bytes. */
  readonly cachedBytes: () => Promise<number>;
  /** Resolves when a reconcile has received a ConfigMap with this value. */
  readonly reconciled: (value: string) => Promise<void>;
}

/** Runs a manager that watches the ConfigMaps of the environment. */
async function managed(protobuf: boolean, run: (running: Running) => Promise<void>): Promise<void> {
  const answers: Buffer[] = [];
  const answered = ({ body }: { readonly body?: Uint8Array | undefined }): void => {
    if (body !== undefined) answers.push(Buffer.from(body));
  };
  const waiting = new Map<string, () => void>();
  const manager = env.manager({ protobuf, observers: [{ request: () => ({ answered }) }] });
  manager.control({ for: ConfigMap, name: `protobuf-${protobuf}`, reconcileCondition: false }, async ({ data }) => {
    waiting.get(data?.['k'] ?? '')?.();
    return Result.done();
  });
  await manager.start();
  const cachedBytes = async (): Promise<number> => {
    const samples = parseMetrics(await manager.metrics.text()).get('kubewright_informer_bytes')?.samples ?? [];
    return samples.reduce((total, { value }) => total + value, 0);
  };
  const reconciled = (value: string): Promise<void> =>
    new Promise((resolve) => {
      waiting.set(value, resolve);
    });
  await run({ client: manager.client, answers, cachedBytes, reconciled });
  await manager.stop();
}

describe('the runtime with protobuf', () => {
  test('lists and watches objects for the cache, which are equal to the objects in JSON', async () => {
    const cached: ConfigMap[] = [];
    const sizes: number[] = [];
    for (const protobuf of [false, true]) {
      await managed(protobuf, async ({ client, cachedBytes, reconciled }) => {
        cached.push(await client.get(ConfigMap, key));
        sizes.push(await cachedBytes());
        const value = `changed ${protobuf}`;
        const change = reconciled(value);
        await env.client.patch(await env.client.get(ConfigMap, key), (draft) => {
          draft.data = { ...draft.data, k: value };
        });
        await change;
        assert.equal((await client.get(ConfigMap, key)).data?.['k'], value);
        await env.client.patch(await env.client.get(ConfigMap, key), (draft) => {
          draft.data = { ...draft.data, k: 'größer' };
        });
      });
    }
    const [json, protobuf] = cached.map((object) => {
      const { resourceVersion: _, ...metadata } = object.metadata;
      return { ...object, metadata };
    });
    assert.deepEqual(protobuf, json);
    const [jsonBytes = 0, protobufBytes = 0] = sizes;
    assert.ok(
      protobufBytes > 0 && protobufBytes < jsonBytes,
      `${protobufBytes} bytes of protobuf, ${jsonBytes} of JSON`,
    );
  });

  test('reads live lists, and then single objects', () =>
    managed(true, async ({ client: { live }, answers }) => {
      const json = await live.get(ConfigMap, key);
      answers.length = 0;
      const listed = await live.list(ConfigMap, { namespace: 'default' });
      const read = await live.get(ConfigMap, key);
      assert.ok(answers.length === 2 && answers.every((answer) => hasMagic(answer)));
      assert.deepEqual(
        listed.find(({ metadata }) => metadata.name === 'a'),
        json,
      );
      assert.deepEqual(read, json);
    }));

  test('receives errors', () =>
    managed(true, async ({ client: { live }, answers }) => {
      await live.list(ConfigMap, { namespace: 'default' });
      answers.length = 0;
      const missing = live.get(ConfigMap, { ...key, name: 'none' });
      await assert.rejects(missing, (error) => error instanceof ApiError && error.reason === 'NotFound');
      assert.ok(answers.length === 1 && answers.every((answer) => hasMagic(answer)));
    }));
});
