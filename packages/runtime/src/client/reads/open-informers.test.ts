import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigMap } from '@kubewright/api/core/v1';
import type { InformerCache } from '../../cache/informer-cache.js';
import { CacheBench } from '../../test-support/cache-bench.js';
import type { ScriptedServer } from '../../test-support/scripted-server.js';
import { ClientContext } from '../requests/client-context.js';
import type { DeclaredKind } from '../requests/client-backend.js';
import { OpenInformers } from './open-informers.js';
import { runInScope } from '../scope/reconcile-scope.js';

async function withInformers(
  declared: readonly DeclaredKind[] | undefined,
  run: (using: { open: OpenInformers; cache: InformerCache; server: ScriptedServer }) => Promise<void>,
): Promise<void> {
  await using bench = await CacheBench.start({ namespaces: ['a'] });
  const { transport, discovery, cache, server, clock, logger } = bench;
  const context = new ClientContext({
    backend: { transport, discovery, cache },
    clock,
    logger,
    fieldManager: 'tester',
  });
  await run({ open: new OpenInformers(context, declared === undefined ? {} : { declared }), cache, server });
}

test('a read waits for the first list, and for the lists of added namespaces, unless the reconcile ends', () =>
  withInformers(undefined, async ({ open, cache, server }) => {
    const first = open.of(ConfigMap);
    (await server.next()).list('10', []);
    const {
      stores: [reads],
    } = await first;
    await server.next();
    assert.equal((await open.of(ConfigMap)).stores[0], reads);
    const added = cache.addNamespace('b');
    const list = await server.next();
    const waiting = open.of(ConfigMap);
    assert.equal(await Promise.race([waiting, new Promise((resolve) => setImmediate(resolve, 'waits'))]), 'waits');
    list.list('11', []);
    assert.equal((await waiting).stores[0], reads);
    await added;
    const reason = new Error('the wait took too long');
    const scope = { controller: 'maps', owns: [], signal: AbortSignal.abort(reason) };
    await assert.rejects(
      runInScope(scope, () => open.of(ConfigMap)),
      reason,
    );
  }));

test('a client uses open informers and opens missing informers', () =>
  withInformers([{ kind: ConfigMap, labels: { app: 'web' } }], async ({ open, cache, server }) => {
    const held = await cache.acquire(ConfigMap);
    (await server.next()).list('10', []);
    const watch = await server.next();
    await open.of(ConfigMap);
    assert.equal(server.requests, 2, 'a list and a watch');
    await held[Symbol.asyncDispose]();
    await watch.closed;
    const again = open.of(ConfigMap);
    const list = await server.next();
    assert.equal(list.query.labelSelector, 'app=web');
    list.list('11', []);
    await again;
  }));

test('releases all informers of a kind if the informer of one declaration cannot be opened', () =>
  withInformers([{ kind: ConfigMap }, { kind: ConfigMap, labels: 'app in (' }], async ({ open, cache, server }) => {
    await assert.rejects(open.of(ConfigMap), { code: 'INVALID_SELECTOR' });
    assert.deepEqual(cache.informers(), []);
    assert.equal(server.unconsumed, 0);
  }));
