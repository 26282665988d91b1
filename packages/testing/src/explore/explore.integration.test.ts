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
      / {2}history:\n {4}1\. create Store subject: spec \{ cache: true \}\n {4}2\. change Store subject: spec \{\}\n {2}differs/,
    );
    assert.match(error.message, /trace:\n {4}\d+ ms: request create Store\/default\/subject \(env\)\n/);
    assert.match(
      error.message,
      /request apply ConfigMap\/default\/subject-cache \(manager-1, reconcile store default\/subject\)\n/,
    );
    assert.match(error.message, /started: modified spec\.cache\n/);
    assert.match(error.message, /ConfigMap default\/subject-cache exists, but should not exist/);
    assert.match(error.message, /to accept: "history ConfigMap"/);
    return true;
  });
});

test('explore finds nothing in a correct operator, and accepts findings by their signatures', async () => {
  const options = { kinds: [Store], trials: 20, shrinkTrials: 0, budget: '10m' } as const;
  const { findings, trials, changes } = await explore({ ...options, controllers: [controller({ hasBug: false })] });
  assert.deepEqual(findings, []);
  assert.ok(trials >= 15 && changes >= 2, `${trials} trials, ${changes} changes`);
  const found = await explore({ ...options, controllers: [controller({ hasBug: true })], report: 'return' });
  const accept = found.findings.map(({ signature }) => signature);
  assert.ok(accept.length > 0);
  await explore({ ...options, controllers: [controller({ hasBug: true })], accept });
});

test('explore reports CANNOT_GENERATE with the error of the operator, or with the rule that no generated object satisfies', async () => {
  @Controller({ for: Store })
  class FailingController implements Reconciler<Store> {
    reconcile(): Promise<Result> {
      return Promise.reject(new Error('the license is missing'));
    }
  }
  const failing = explore({ kinds: [Store], controllers: [FailingController], trials: 2, budget: '10m' });
  await assert.rejects(failing, { code: 'CANNOT_GENERATE', message: /tried objects \(the license is missing\); pass/ });

  class BadgeSpec {
    @Field.string({ pattern: '^badge-[0-9]{12}$' }) number!: string;
  }
  @Kind({ group: 'example.com', version: 'v1' })
  class Badge extends CustomResource(BadgeSpec) {}
  @Controller({ for: Badge })
  class BadgeController implements Reconciler<Badge> {
    reconcile(): Promise<Result> {
      return Promise.resolve(Result.done());
    }
  }
  const invalid = explore({ kinds: [Badge], controllers: [BadgeController], trials: 2, budget: '10m' });
  await assert.rejects(invalid, { code: 'CANNOT_GENERATE', message: /not valid \(spec\.number: .*badge-/ });
});

test('explore changes only the fields in the option fields', async () => {
  class ShopSpec {
    @Field.boolean({ optional: true }) cache?: boolean;
    @Field.boolean({ optional: true }) logs?: boolean;
  }
  @Kind({ group: 'example.com', version: 'v1' })
  class Shop extends CustomResource(ShopSpec) {}
  @Controller({ for: Shop })
  class ShopController implements Reconciler<Shop> {
    reconcile(): Promise<Result> {
      return Promise.resolve(Result.done());
    }
  }
  const options = {
    kinds: [Shop],
    controllers: [ShopController],
    trials: 40,
    budget: '10m',
    report: 'return',
  } as const;
  const { findings, fields } = await explore({ ...options, fields: ['spec.logs'] });
  assert.deepEqual(
    findings.map(({ signature }) => signature),
    ['effect spec.logs'],
  );
  assert.equal(fields, 1);
});
