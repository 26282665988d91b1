import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TestEnvironment } from '@kubewright/testing';
import { ContractApi } from '../contract/contract-api.js';

/** A server, and how everything but its present state is forgotten. */
interface Forgetful {
  readonly environment: TestEnvironment;
  readonly forget: () => Promise<void>;
}

let real: Forgetful;
let embedded: Forgetful;

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

/** An API server that was not restarted would go on with what it remembers by itself. */
async function forgetHistory({ controlPlane }: TestEnvironment): Promise<void> {
  await controlPlane.compact();
  await controlPlane.killApiServer();
  await controlPlane.restartApiServer();
}

/** What a server answers to a case, in the form in which answers of two servers can be compared. */
async function answers(
  { environment, forget }: Forgetful,
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

/** The first page of four, of which the third is replaced by a fifth when the page is there. */
async function firstPage(api: ContractApi): Promise<{ readonly version: string; readonly token: string }> {
  await make(api, ['a', 'b', 'c', 'd']);
  const { body } = await api.get(own(api, 'limit=1'), { quiet: true });
  await api.delete(`${configMaps(api)}/c`, undefined, { quiet: true });
  await make(api, ['e']);
  return { version: body.metadata.resourceVersion, token: body.metadata.continue };
}

test('before anything is forgotten, every version is there, the first one included', async () => {
  await alike(async (api) => {
    const { version, token } = await firstPage(api);
    await api.get(own(api, `limit=5&continue=${token}`), { only: listed });
    for (const wanted of [version, '1']) {
      await api.get(own(api, `resourceVersion=${wanted}&resourceVersionMatch=Exact`), { only: listed });
      await api.watch(own(api, `watch=1&resourceVersion=${wanted}`), {
        until: (events) => events.length > 0,
        only: ['type', 'object.metadata.name'],
      });
    }
  });
});

test('the rest of a list whose version is forgotten is told how it can be had', async () => {
  await alike(async (api, forget) => {
    const { token } = await firstPage(api);
    await forget();
    const gone = await api.get(own(api, `limit=1&continue=${token}`), { only: listed });
    const rest = await api.get(own(api, `limit=1&continue=${gone.body.metadata.continue}`), { only: listed });
    await api.get(own(api, `limit=5&continue=${rest.body.metadata.continue}`), { only: listed });
  });
});

test('the state at a version that is forgotten is refused, and a newer one is given to whoever takes it', async () => {
  await alike(async (api, forget) => {
    const { version } = await firstPage(api);
    await forget();
    for (const wanted of [version, '1']) {
      await api.get(own(api, `resourceVersion=${wanted}&resourceVersionMatch=Exact`), { only: listed });
      await api.get(own(api, `resourceVersion=${wanted}&limit=1`), { only: listed });
      await api.get(own(api, `resourceVersion=${wanted}&resourceVersionMatch=NotOlderThan`), { only: listed });
      await api.get(own(api, `resourceVersion=${wanted}`), { only: listed });
      await api.get(`${configMaps(api)}/a?resourceVersion=${wanted}`, { only: ['kind', 'metadata.name', 'code'] });
    }
  });
});

test('a watch from a version that is forgotten is told to list again; one that begins with the state is not', async () => {
  await alike(async (api, forget) => {
    const { version } = await firstPage(api);
    await forget();
    const until = (events: readonly unknown[]): boolean => events.length > 0;
    for (const wanted of [version, '1']) {
      await api.watch(own(api, `watch=1&resourceVersion=${wanted}`), { until });
      const state = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
      await api.watch(own(api, `watch=1&${state}&resourceVersion=${wanted}`), {
        until,
        only: ['type', 'object.metadata.name', 'object.code'],
      });
    }
  });
});
