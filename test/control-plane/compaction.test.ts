import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TestEnvironment } from '@kubewright/testing';
import { ContractApi } from '../contract/contract-api.js';

/** A server, and a function that compacts its history up to the current state. */
interface CompactableServer {
  readonly environment: TestEnvironment;
  readonly forget: () => Promise<void>;
}

let real: CompactableServer;
let embedded: CompactableServer;

before(async () => {
  const [controlPlane, inProcess] = await Promise.all([
    TestEnvironment.start({ server: 'control-plane' }),
    TestEnvironment.start({ server: 'embedded' }),
  ]);
  real = { environment: controlPlane, forget: () => forgetHistory(controlPlane) };
  const { store } = inProcess.server;
  embedded = {
    environment: inProcess,
    forget: () => Promise.resolve(store.compact(store.resourceVersion)),
  };
});
after(async () => {
  await real.environment[Symbol.asyncDispose]();
  await embedded.environment[Symbol.asyncDispose]();
});

/** Compacts etcd and restarts the API server. Without the restart, the API server would still use its watch cache. */
async function forgetHistory({ controlPlane }: TestEnvironment): Promise<void> {
  await controlPlane.compact();
  await controlPlane.killApiServer();
  await controlPlane.restartApiServer();
}

/** Runs a case on a server, and returns the transcript of the case, which can be compared with the transcript of another server. */
async function answers(
  { environment, forget }: CompactableServer,
  run: (api: ContractApi, forget: () => Promise<void>) => Promise<void>,
): Promise<ContractApi['transcript']> {
  const api = await ContractApi.open(environment.connection);
  try {
    await run(api, forget);
    return api.transcript;
  } finally {
    await api.close();
  }
}

async function alike(run: (api: ContractApi, forget: () => Promise<void>) => Promise<void>): Promise<void> {
  const expected = await answers(real, run);
  assert.ok(expected.length > 0);
  assert.deepEqual(await answers(embedded, run), expected);
}

const configMaps = ({ namespace }: ContractApi): string => `/api/v1/namespaces/${namespace}/configmaps`;
const own = (api: ContractApi, query: string): string => `${configMaps(api)}?labelSelector=app&${query}`;
const listed = ['kind', 'metadata', 'items.*.metadata.name', 'message', 'reason', 'code', 'details'];

async function make(api: ContractApi, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await api.post(configMaps(api), { metadata: { name, labels: { app: 'x' } } }, { quiet: true });
  }
}

/** Creates four ConfigMaps and lists the first page, with one ConfigMap. Then deletes the third ConfigMap and creates a fifth. */
async function firstPage(api: ContractApi): Promise<{ readonly version: string; readonly token: string }> {
  await make(api, ['a', 'b', 'c', 'd']);
  const { body } = await api.get(own(api, 'limit=1'), { quiet: true });
  await api.delete(`${configMaps(api)}/c`, undefined, { quiet: true });
  await make(api, ['e']);
  return { version: body.metadata.resourceVersion, token: body.metadata.continue };
}

test('both servers serve every resourceVersion before a compaction, including the first resourceVersion', async () => {
  await alike(async (api) => {
    const { version, token } = await firstPage(api);
    await api.get(own(api, `limit=5&continue=${token}`), { only: listed });
    for (const desired of [version, '1']) {
      await api.get(own(api, `resourceVersion=${desired}&resourceVersionMatch=Exact`), { only: listed });
      await api.watch(own(api, `watch=1&resourceVersion=${desired}`), {
        until: (events) => events.length > 0,
        only: ['type', 'object.metadata.name'],
      });
    }
  });
});

test('both servers answer an expired continue token with a token for an inconsistent list', async () => {
  await alike(async (api, forget) => {
    const { token } = await firstPage(api);
    await forget();
    const expired = await api.get(own(api, `limit=1&continue=${token}`), { only: listed });
    const rest = await api.get(own(api, `limit=1&continue=${expired.body.metadata.continue}`), { only: listed });
    await api.get(own(api, `limit=5&continue=${rest.body.metadata.continue}`), { only: listed });
  });
});

test('both servers reject an exact list at a compacted resourceVersion, and serve newer state for other matches', async () => {
  await alike(async (api, forget) => {
    const { version } = await firstPage(api);
    await forget();
    for (const desired of [version, '1']) {
      await api.get(own(api, `resourceVersion=${desired}&resourceVersionMatch=Exact`), { only: listed });
      await api.get(own(api, `resourceVersion=${desired}&limit=1`), { only: listed });
      await api.get(own(api, `resourceVersion=${desired}&resourceVersionMatch=NotOlderThan`), { only: listed });
      await api.get(own(api, `resourceVersion=${desired}`), { only: listed });
      await api.get(`${configMaps(api)}/a?resourceVersion=${desired}`, { only: ['kind', 'metadata.name', 'code'] });
    }
  });
});

test('both servers end a watch from a compacted resourceVersion with 410 Expired, and serve a watch with sendInitialEvents', async () => {
  await alike(async (api, forget) => {
    const { version } = await firstPage(api);
    await forget();
    const until = (events: readonly unknown[]): boolean => events.length > 0;
    for (const desired of [version, '1']) {
      await api.watch(own(api, `watch=1&resourceVersion=${desired}`), { until });
      const state = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
      await api.watch(own(api, `watch=1&${state}&resourceVersion=${desired}`), {
        until,
        only: ['type', 'object.metadata.name', 'object.code'],
      });
    }
  });
});
