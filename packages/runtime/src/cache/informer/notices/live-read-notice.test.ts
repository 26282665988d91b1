import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigMap } from '@kubewright/api/core/v1';
import { CacheBench } from '../../../test-support/cache-bench.js';

test('logs only the first of four live reads of a kind, with the declaration that avoids such reads', async () => {
  await using bench = await CacheBench.start();
  const { cache, logger } = bench;
  await cache.acquire(ConfigMap, { labels: { app: 'web' } });
  const [reads = assert.fail()] = cache.readsOf(ConfigMap);
  for (const name of ['a', 'b', 'a', 'c']) reads.readLive({ namespace: 'default', name });
  const lines = logger.lines.filter(({ message }) => message.includes('from the API server instead of the cache'));
  assert.deepEqual(
    lines.map(({ level }) => level),
    ['info'],
  );
  assert.match(
    lines[0]?.message ?? '',
    /^read ConfigMap default\/a from the API server .* list ConfigMap under 'reads' of the controller/,
  );
  assert.equal(cache.informers()[0]?.liveReads, 4);
});
