import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigMap } from '@kubewright/api/core/v1';
import { cacheOf } from '../../cache/selection/cache-options.js';
import { CacheBench, type CacheBenchOptions } from '../../test-support/cache-bench.js';
import { CachedClient } from '../cached-client.js';
import type { DeclaredKind } from '../requests/client-backend.js';

/** Returns the message of a rejected list. Returns undefined if the list succeeds. */
async function listMessage(
  options: CacheBenchOptions,
  declared: readonly DeclaredKind[] | undefined,
): Promise<string | undefined> {
  await using bench = await CacheBench.start(options);
  const { transport, discovery, cache, clock, logger } = bench;
  const client = new CachedClient({
    backend: { transport, discovery, cache },
    clock,
    logger,
    fieldManager: 'tester',
    ...(declared !== undefined && { declared }),
  });
  void answerLists(bench);
  try {
    await client.list(ConfigMap);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof Error && 'code' in error && error.code === 'SELECTION_INCOMPLETE');
    return error.message;
  }
}

/** Responds to each list of ConfigMaps with an empty list. */
async function answerLists(bench: CacheBench): Promise<void> {
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- the requests arrive one after the other
    const request = await bench.request(({ query }) => query['watch'] === undefined);
    request.list('10', []);
  }
}

const LABELS = { labels: { app: 'web' } };
const IN_CACHE = "set 'labels' and 'fields' of ConfigMap to '' under 'cache.kinds'";
const IN_CONTROLLER = "list ConfigMap under 'reads' of the controller";

test('if declarations make a list incomplete, the error recommends the option reads of the controller', async () => {
  const message = await listMessage({}, [{ kind: ConfigMap, ...LABELS }]);
  assert.ok(message?.includes(`incomplete; ${IN_CONTROLLER} to cache all objects`), message);
  assert.equal(await listMessage({}, [{ kind: ConfigMap, ...LABELS }, { kind: ConfigMap }]), undefined);
});

test('if cache options make a list incomplete, the error recommends cache options that allow the list', async () => {
  const restricted: readonly CacheBenchOptions[] = [
    LABELS,
    { kinds: [cacheOf(ConfigMap, LABELS)] },
    { fields: { 'metadata.namespace': 'a' } },
    { namespaces: { a: LABELS, '*': {} } },
  ];
  for (const options of restricted) {
    for (const declared of [undefined, [{ kind: ConfigMap }]]) {
      const message = await listMessage(options, declared);
      assert.ok(message?.includes(`incomplete; ${IN_CACHE} to cache all objects`), message);
    }
  }
  const kinds = [cacheOf(ConfigMap, { labels: '', fields: '' })];
  assert.equal(await listMessage({ ...LABELS, fields: { 'metadata.namespace': 'a' }, kinds }, undefined), undefined);
});

test('if cache options and declarations make a list incomplete, the error recommends both remedies', async () => {
  const message = await listMessage({ fields: { 'metadata.name': 'one' } }, [{ kind: ConfigMap, ...LABELS }]);
  assert.ok(message?.includes(`incomplete; ${IN_CACHE} and ${IN_CONTROLLER} to cache all objects`), message);
});
