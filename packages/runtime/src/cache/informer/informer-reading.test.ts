import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metadataOnly } from '@kubewright/api';
import { ConfigMap, Pod } from '@kubewright/api/core/v1';
import { Metrics } from '../../metrics/metrics.js';
import { CacheBench } from '../../test-support/cache-bench.js';
import { configMap } from '../../test-support/reflector-bench.js';
import { informerReading } from './informer-reading.js';

/** Returns the labels of each series of a metric family. */
function seriesOf(metrics: string, family: string): readonly string[] {
  return metrics
    .split('\n')
    .filter((line) => line.startsWith(`${family}{`))
    .map((line) => line.slice(line.indexOf('{'), line.indexOf('}') + 1));
}

test('[CG-113] reports one series per open informer, regardless of the number of handles', async () => {
  await using bench = await CacheBench.start();
  const { cache, server } = bench;
  const metrics = new Metrics();
  const end = metrics.followInformers(() => cache.informers().map(informerReading));
  const series = async (): Promise<readonly string[]> => seriesOf(await metrics.text(), 'kubewright_informer_objects');
  assert.deepEqual(await series(), []);
  const bare = await cache.acquire(metadataOnly(ConfigMap));
  (await server.next()).list('10', [configMap('a', '1')]);
  const whole = await cache.acquire(ConfigMap);
  const others = [
    await cache.acquire(ConfigMap, { labels: { app: 'web' } }),
    await cache.acquire(ConfigMap, { namespaces: ['one'] }),
    await cache.acquire(Pod),
  ];
  await bare.synced();
  const open = await series();
  assert.equal(open.length, 3, 'the metadata of a kind, the kind itself, and another kind');
  assert.equal(new Set(open).size, open.length);
  await whole[Symbol.asyncDispose]();
  assert.equal((await series()).length, 3, 'other handles of the kind remain');
  await others[0]?.[Symbol.asyncDispose]();
  await others[1]?.[Symbol.asyncDispose]();
  assert.equal((await series()).length, 2);
  await cache.close();
  assert.deepEqual(await series(), []);
  end();
});
