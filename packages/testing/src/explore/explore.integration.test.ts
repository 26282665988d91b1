import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CustomResource, Field, Kind } from '@kubewright/api';
import { ConfigMap } from '@kubewright/api/core/v1';
import { Client, Controller, type Reconciler, Result } from '@kubewright/runtime';
import { explore } from './explore.js';

class StoreSpec {
  @Field.boolean({ optional: true }) cache?: boolean;
}
@Kind({ group: 'example.com', version: 'v1' })
class Store extends CustomResource(StoreSpec) {}

/** Applies a ConfigMap for the cache. With the bug, does not delete the ConfigMap if the cache is disabled. */
function controller({ hasBug }: { readonly hasBug: boolean }) {
  @Controller({ for: Store, owns: [ConfigMap] })
  class StoreController implements Reconciler<Store> {
    constructor(private readonly client: Client) {}

    async reconcile(store: Store): Promise<Result> {
      const isOn = store.spec.cache === true;
      const children = isOn ? [new ConfigMap({ metadata: { name: `${store.metadata.name}-cache` } })] : [];
      if (isOn || !hasBug) await this.client.applyOwned(store, children);
      return Result.done();
    }
  }
  return StoreController;
}

test('explore reports the shortest history, the differences and the signature of a bug', async () => {
  const exploring = explore({ kinds: [Store], controllers: [controller({ hasBug: true })], trials: 20, budget: '10m' });
  await assert.rejects(exploring, (error: Error & { readonly code: string }) => {
    assert.equal(error.code, 'EXPLORE_FOUND');
    assert.match(error.message, /Store: the result depends on an earlier declaration \(history\)/);
    assert.match(
      error.message,
      /1\. create Store subject: spec \{\}\n {4}2\. change Store subject: spec \{ cache: true \}/,
    );
    assert.match(error.message, /ConfigMap default\/subject-cache exists, but should not exist/);
    assert.match(error.message, /to accept: "history ConfigMap"/);
    return true;
  });
});

test('explore finds nothing in a correct operator, and accepts findings by their signatures', async () => {
  const options = { kinds: [Store], trials: 20, budget: '10m' } as const;
  const { findings, trials, changes } = await explore({ ...options, controllers: [controller({ hasBug: false })] });
  assert.deepEqual(findings, []);
  assert.ok(trials >= 15 && changes >= 2, `${trials} trials, ${changes} changes`);
  const found = await explore({ ...options, controllers: [controller({ hasBug: true })], report: 'return' });
  const accept = found.findings.map(({ signature }) => signature);
  assert.ok(accept.length > 0);
  await explore({ ...options, controllers: [controller({ hasBug: true })], accept });
});

test('explore rejects with CANNOT_GENERATE if the operator cannot realize any object', async () => {
  @Controller({ for: Store })
  class FailingController implements Reconciler<Store> {
    reconcile(): Promise<Result> {
      return Promise.reject(new Error('the license is missing'));
    }
  }
  const exploring = explore({ kinds: [Store], controllers: [FailingController], trials: 20, budget: '10m' });
  await assert.rejects(exploring, { code: 'CANNOT_GENERATE' });
});
