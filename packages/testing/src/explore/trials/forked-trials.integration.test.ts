import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CustomResource, Field, Kind } from '@kubewright/api';
import { ConfigMap, Pod } from '@kubewright/api/core/v1';
import { Client, Controller, type Reconciler, Result } from '@kubewright/runtime';
import type { Fault } from './faults/fault.js';
import { ForkedTrials, worldOf } from './forked-trials.js';
import { type Conditions, runTrial, type Trial, type TrialResult, type TrialWorld } from './run-trial.js';
import type { Step } from './step.js';
import { nameOf } from '../state/stored-object.js';

class ShopSpec {
  @Field.int32({ minimum: 1 }) size = 1;
}
@Kind({ group: 'example.com', version: 'v1' })
class Shop extends CustomResource(ShopSpec) {}

let starts = 0;

@Controller({ for: Shop, owns: [ConfigMap, Pod] })
class ShopController implements Reconciler<Shop> {
  constructor(private readonly client: Client) {
    starts++;
  }
  async reconcile(shop: Shop): Promise<Result> {
    const { name } = shop.metadata;
    await this.client.applyOwned(shop, [
      new ConfigMap({ metadata: { name }, data: { size: String(shop.spec.size) } }),
      new Pod({ metadata: { name }, spec: { containers: [{ name: 'main', image: 'shop' }] } }),
    ]);
    return Result.done();
  }
}

const operator = { kinds: [Shop], controllers: [ShopController] };
const declare = (size: number): Step => ({ action: 'declare', spec: { size } });
const write = 'apply ConfigMap/default/subject data.size #2';
const crash: Fault = { kind: 'crash', at: 'after', write };
const throttled: Fault = { kind: 'request', request: write, failure: 'throttled' };

const trials: Readonly<Record<string, Trial>> = {
  deletion: { kind: Shop, steps: [declare(1), { action: 'restart' }, { action: 'delete' }] },
  back: { kind: Shop, steps: [declare(1), declare(2), declare(1)] },
  away: { kind: Shop, steps: [declare(1), { action: 'stop' }, declare(2), { action: 'start' }] },
  crash: { kind: Shop, steps: [declare(1), declare(2)], faults: [crash] },
  throttled: { kind: Shop, steps: [declare(1), declare(2)], faults: [throttled] },
  plain: { kind: Shop, steps: [declare(1), declare(2)] },
  recreation: { kind: Shop, steps: [declare(1), { action: 'delete' }, declare(1)] },
};

/** Returns what the search reads from a result. */
function comparable({ observations, refused, missingPermission }: TrialResult) {
  return {
    refused,
    missingPermission,
    observations: observations.map(({ state, objects, writes, ...observation }) => ({
      ...observation,
      objects: objects
        .filter(({ kind }) => kind !== 'Event')
        .map(nameOf)
        .toSorted(),
      state: state && [...state],
      writes: writes.map(({ verb, kind, name, fields, occurrence }) => ({ verb, kind, name, fields, occurrence })),
    })),
  };
}

test('forked trials have the same results as trials in new worlds, in any order', async () => {
  await using forked = new ForkedTrials(operator);
  for (const name of [...Object.keys(trials), ...Object.keys(trials).toReversed()]) {
    const trial = trials[name] as Trial;
    const [expected, result] = [await runTrial(operator, trial), await forked.run(trial, { world: 'forked' })];
    assert.deepEqual(comparable(result), comparable(expected), name);
  }
});

test('forked trials name the same points, and faults at these points have the same results', async () => {
  await using forked = new ForkedTrials(operator);
  const steps: readonly Step[] = [declare(1), { action: 'restart' }, declare(2), { action: 'restart' }];
  const history: Trial = { kind: Shop, steps };
  const conditions = { recordsChanges: true, world: 'whole' } as const;
  const { points } = await runTrial(operator, history, conditions);
  for (let run = 0; run < 2; run++) assert.deepEqual((await forked.run(history, conditions)).points, points);
  const change = points?.changes.findLast((name) => name.startsWith('MODIFIED Shop/')) ?? '';
  const [read = ''] = points?.reads ?? [];
  assert.ok(change !== '' && read !== '', JSON.stringify(points));
  const faults: readonly Fault[] = [
    { kind: 'event', change, effect: 'dropped' },
    { kind: 'event', change, effect: 'held' },
    { kind: 'stale', change },
    { kind: 'watch', resource: 'configmaps' },
    { kind: 'request', request: read, failure: 'error' },
    { kind: 'order' },
  ];
  for (const fault of faults) {
    const trial = { ...history, faults: [fault] };
    const [expected, result] = [await runTrial(operator, trial), await forked.run(trial, { world: 'forked' })];
    assert.equal(result.isForked, true);
    assert.deepEqual(comparable(result), comparable(expected), fault.kind);
  }
});

test('a forked trial repeats no steps, and a whole trial repeats all steps with a new operator', async () => {
  await using forked = new ForkedTrials(operator);
  const { back } = trials as { readonly back: Trial };
  await forked.run(back, { world: 'forked' });
  const before = starts;
  await forked.run({ ...back, steps: [declare(1), declare(3)] }, { world: 'forked' });
  assert.equal(starts, before, 'the operator continues to run');
  await forked.run(back, { world: 'whole' });
  assert.equal(starts, before + 1);
});

test('a trial runs in a new world if the operator has external systems', async () => {
  const calls: number[] = [];
  const external = () => {
    const shops = { count: 0 };
    return [{ provide: () => void calls.push(shops.count++), state: () => shops.count }];
  };
  await using forked = new ForkedTrials({ ...operator, external });
  const { away } = trials as { readonly away: Trial };
  for (let run = 0; run < 2; run++) {
    const result = await forked.run(away, { world: 'forked' });
    assert.equal(result.isForked, undefined);
    assert.equal(result.observations.at(-1)?.state?.get('external system 1'), 2);
  }
  assert.deepEqual(calls, [0, 1, 0, 1]);
});

test('a trial runs in the world of earlier trials unless its faults, steps or conditions need a new world', () => {
  const { plain } = trials as { readonly plain: Trial };
  const withFaults = (...faults: readonly Fault[]): Trial => ({ ...plain, faults });
  const withStep = (step: Step): Trial => ({ ...plain, steps: [declare(1), step] });
  const worlds: readonly [TrialWorld, Trial, Conditions?][] = [
    ['forked', plain],
    ['forked', withFaults(crash, throttled)],
    ['forked', withFaults({ ...crash, at: 'before' })],
    ['whole', plain, { world: 'whole' }],
    ['whole', plain, { recordsChanges: true }],
    ['whole', withFaults({ kind: 'order' })],
    ['whole', withFaults(crash, { kind: 'watch', resource: 'pods' })],
    ['whole', withFaults({ kind: 'request', request: 'get shops/default/subject #1', failure: 'error' })],
    ['new', plain, { world: 'new' }],
    ['new', plain, { trace: true }],
    ['new', plain, { start: '2026-03-04T05:06:07Z' }],
    ['new', withFaults({ kind: 'lease', write })],
    ['new', withFaults(crash, { kind: 'cluster', problem: 'no-nodes' })],
    ['new', withFaults({ kind: 'clock', start: '2040-02-29T23:59:00Z' })],
    ['new', withStep({ action: 'plant' })],
    ['new', withStep({ action: 'edit-child', object: 'Pod default/subject' })],
    ['new', withStep({ action: 'delete', other: true })],
  ];
  for (const [expected, trial, conditions] of worlds) {
    assert.equal(worldOf(operator, trial, { world: 'forked', ...conditions }), expected, JSON.stringify(trial));
  }
});
