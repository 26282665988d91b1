import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigMap } from '@kubewright/api/core/v1';
import type { Client } from '@kubewright/runtime';
import { connectTo, createConfigMaps, hasCode, startTeams } from './cached-cluster.js';

const selection = { namespace: 'team-a', labels: { suite: 'live' } };

/** Returns the current resourceVersion of the list. */
async function versionNow(client: Client): Promise<string> {
  for await (const { resourceVersion } of client.live.pages(ConfigMap, selection)) return resourceVersion;
  throw new Error('the list returned no page');
}

test('[CG-117, CG-118, CG-245] a resumed watch reports each change once across watches that the server ends, until the consumer stops', async () => {
  await using env = await startTeams();
  let watches = 0;
  const { promise: again, resolve } = deferred();
  await using cluster = await connectTo(env, {
    observers: [
      {
        request: ({ attempted }) => {
          if (attempted.startsWith('watch configmaps') && ++watches === 2) resolve();
        },
      },
    ],
  });
  const { client } = cluster;
  const resourceVersion = await versionNow(client);
  const reported: string[] = [];
  const watching = (async () => {
    const options = { ...selection, resourceVersion, resume: true, timeout: '1s' } as const;
    for await (const { type, object } of client.live.watch(ConfigMap, options)) {
      reported.push(`${type} ${object.metadata.name}`);
      if (reported.length === 4) break;
    }
  })();
  const [first] = await createConfigMaps(env, { 'team-a/first': selection.labels, 'team-a/second': selection.labels });
  await again;
  await createConfigMaps(env, { 'team-a/third': selection.labels });
  assert.ok(first);
  await env.client.delete(first);
  await watching;
  assert.deepEqual(reported.slice(0, 2).toSorted(), ['added first', 'added second']);
  assert.deepEqual(reported.slice(2), ['added third', 'deleted first']);
  const endless = client.live.watch(ConfigMap, { ...selection, resume: true });
  await assert.rejects(endless[Symbol.asyncIterator]().next(), hasCode('INVALID_OPTION'));
  const stop = new AbortController();
  const stopped = client.live.watch(ConfigMap, { ...selection, resourceVersion, resume: true, signal: stop.signal });
  for await (const { object } of stopped) if (object.metadata.name === 'second') stop.abort();
});

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settled) => {
    resolve = settled;
  });
  return { promise, resolve };
}
