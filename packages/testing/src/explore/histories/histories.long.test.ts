import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CustomResource, Field, Kind } from '@kubewright/api';
import { ConfigMap } from '@kubewright/api/core/v1';
import { Client, Controller, type Manager, type Reconciler, Result } from '@kubewright/runtime';
import { explore } from '../explore.js';
import { exploreKinds } from '../explore-kinds.js';
import type { Finding } from '../search/finding.js';
import { type RunTrial, runTrial } from '../trials/run-trial.js';
import { replayedFinding } from './replayed-finding.js';
import { findingOf, savedFinding } from './saved-finding.js';

class CacheSpec {
  @Field.string({ optional: true }) title?: string;
  @Field.boolean({ optional: true }) enabled?: boolean;
}
class StoreSpec {
  @Field.object(CacheSpec, { optional: true }) cache?: CacheSpec;
  @Field.string({ optional: true }) owner?: string;
}
@Kind({ group: 'example.com', version: 'v1' })
class Store extends CustomResource(StoreSpec) {}

/** Applies a ConfigMap for the cache. With the bug, keeps the ConfigMap if the cache is disabled. */
function controller({ hasBug }: { readonly hasBug: boolean }) {
  @Controller({ for: Store, owns: [ConfigMap] })
  class StoreController implements Reconciler<Store> {
    constructor(private readonly client: Client) {}

    async reconcile(store: Store): Promise<Result> {
      const { cache = {}, owner = '' } = store.spec;
      const own = new ConfigMap({
        metadata: { name: `${store.metadata.name}-own` },
        data: { owner, title: cache.title ?? '' },
      });
      const extra = new ConfigMap({ metadata: { name: `${store.metadata.name}-cache` } });
      const kept = await this.client.find(ConfigMap, { namespace: 'default', name: extra.metadata.name });
      const isOn = cache.enabled === true || (hasBug && kept !== undefined);
      await this.client.applyOwned(store, isOn ? [own, extra] : [own]);
      return Result.done();
    }
  }
  return StoreController;
}

const sample = new Store({
  metadata: { name: 'any', namespace: 'default' },
  spec: { owner: 'somebody', cache: { title: 'fast', enabled: true } },
});
const operator = (hasBug: boolean) => ({ kinds: [Store], controllers: [controller({ hasBug })] });
const options = { samples: [sample], fields: ['spec.cache.enabled'], trials: 30, problems: 1, budget: '10m' } as const;

async function found(shrinkTrials: number): Promise<Finding> {
  const { findings } = await explore({ ...operator(true), ...options, shrinkTrials, report: 'return' });
  const [finding] = findings;
  assert.ok(finding !== undefined, 'nothing was found');
  return finding;
}

test('a reduced history has only the steps and fields that violate the rule', async () => {
  const whole = await found(0);
  assert.equal(whole.oracle, 'history');
  const reduced = await found(60);
  assert.equal(reduced.signature, whole.signature);
  assert.deepEqual(reduced.trial.steps, [
    { action: 'declare', spec: { cache: { enabled: true } } },
    { action: 'declare', spec: { cache: { enabled: false } } },
  ]);
  assert.deepEqual(reduced.expected?.steps, [{ action: 'declare', spec: { cache: { enabled: false } } }]);
  assert.deepEqual(
    reduced.differences.map(({ object }) => object),
    ['ConfigMap default/subject-cache'],
  );
});

test('a saved finding is plain data, whose replay violates the rule until the operator is corrected', async () => {
  const text = JSON.stringify(savedFinding(await found(0)));
  const finding = findingOf(JSON.parse(text), [Store]);
  assert.ok(finding !== undefined);
  const run =
    (hasBug: boolean): RunTrial =>
    (trial, conditions) =>
      runTrial(operator(hasBug), trial, conditions);
  const violated = await replayedFinding(finding, run(true));
  assert.equal(violated.found?.signature, finding.signature);
  assert.ok(violated.trace.some((entry) => entry.what === 'reconcile' && entry.causes.length > 0));
  assert.equal((await replayedFinding(finding, run(false))).found, undefined);
});

test('exploreKinds reports a known finding whose history still violates the rule, before the search starts', async () => {
  const known = [await found(0)];
  const once = { ...options, trials: 1, shrinkTrials: 0, known } as const;
  assert.deepEqual(
    (await exploreKinds({ ...operator(true), ...once })).findings.map(({ signature }) => signature),
    known.map(({ signature }) => signature),
  );
  assert.deepEqual((await exploreKinds({ ...operator(false), ...once })).findings, []);
});

test('the shares of an exploration have no field in common, and together have all fields', async () => {
  const shared = { ...operator(false), samples: [sample], trials: 60, shrinkTrials: 0, budget: '10m' } as const;
  const parts = await Promise.all([0, 1].map((index) => exploreKinds({ ...shared, share: { index, count: 2 } })));
  const whole = await exploreKinds(shared);
  assert.equal(
    parts.reduce((total, { fields }) => total + fields, 0),
    whole.fields,
  );
  assert.ok(parts.every(({ fields }) => fields > 0));
});

test('the options prepare and manager apply to each manager of the operator', async () => {
  const prepared: Manager[] = [];
  const { findings } = await exploreKinds({
    kinds: [Store],
    controllers: [],
    prepare: (manager) => {
      prepared.push(manager);
      manager.add(controller({ hasBug: true }));
    },
    manager: { namespaces: ['default'] },
    ...options,
    shrinkTrials: 0,
  });
  assert.equal(findings[0]?.oracle, 'history');
  assert.ok(prepared.length > 2 && new Set(prepared).size === prepared.length);
  assert.ok(prepared.every((manager) => manager.describe().namespaces?.join() === 'default'));
});
