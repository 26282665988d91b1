import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CustomResource, Field, Kind } from '@kubewright/api';
import { ConfigMap, Secret } from '@kubewright/api/core/v1';
import { Client, Controller, type Reconciler, Result } from '@kubewright/runtime';
import type { OperatorUnderTest } from '../../operator-under-test.js';
import type { Step } from '../step.js';
import { runTrial, type TrialResult } from '../run-trial.js';
import type { Fault } from './fault.js';
import { faultsOf } from './fault-points.js';

class ShopSpec {
  @Field.int32() size = 1;
}
class ShopStatus {
  @Field.string({ optional: true }) seen?: string;
}
@Kind({ group: 'example.com', version: 'v1' })
class Shop extends CustomResource(ShopSpec, ShopStatus) {}

/** What each instance of the operator observes. */
const observed: string[] = [];

@Controller({ for: Shop, owns: [ConfigMap], reads: [Secret] })
class ShopController implements Reconciler<Shop> {
  constructor(private readonly client: Client) {}

  async reconcile(shop: Shop): Promise<Result> {
    const { name } = shop.metadata;
    const secrets = await this.client.list(Secret, { namespace: 'default' });
    observed.push(`${shop.spec.size} ${secrets.map((secret) => secret.metadata.name).join('')}`);
    const data = { size: String(shop.spec.size) };
    await this.client.applyOwned(shop, [new ConfigMap({ metadata: { name }, data })]);
    await this.client.patchStatus(shop, { seen: data.size });
    return Result.done();
  }
}

const secretOf = (name: string): Secret => new Secret({ metadata: { name, namespace: 'default' } });
const operator: OperatorUnderTest = {
  kinds: [Shop],
  controllers: [ShopController],
  objects: [secretOf('a'), secretOf('b')],
};
const declare = (size: number): Step => ({ action: 'declare', spec: { size } });
const steps = [declare(1), declare(2), { action: 'restart' }] as const;

/** Runs the steps with a fault. Returns the result, and what the operator observed. */
async function run(fault?: Fault): Promise<{ readonly result: TrialResult; readonly seen: readonly string[] }> {
  observed.length = 0;
  const trial = { kind: Shop, steps, ...(fault && { faults: [fault] }) };
  const result = await runTrial(operator, trial, { recordsChanges: fault === undefined });
  return { result, seen: [...observed] };
}

test('a plain trial names its points, and no fault at these points changes the result of a correct operator', async () => {
  const { result: plain, seen } = await run();
  assert.deepEqual(seen, ['1 ab', '2 ab', '2 ab']);
  assert.deepEqual(plain.points?.changes.slice(0, 3), [
    'ADDED Shop/default/subject #1',
    'ADDED ConfigMap/default/subject #1',
    'MODIFIED Shop/default/subject status #1',
  ]);
  assert.ok(plain.points !== undefined);
  const trial = {
    points: plain.points,
    writes: plain.observations.flatMap(({ writes }) => writes),
    hasRestart: true,
    customKinds: ['Shop'],
    hasObjects: true,
  };
  const expected = plain.observations.at(-1)?.state;
  for (const kind of ['request', 'event', 'watch', 'order', 'clock', 'lease', 'cluster'] as const) {
    const fault = faultsOf(kind, trial).at(-1);
    assert.ok(fault !== undefined, kind);
    const { result } = await run(fault);
    assert.deepEqual(result.observations.at(-1)?.state, expected, kind);
    assert.deepEqual(
      result.observations.map(({ unconverged }) => unconverged),
      [undefined, undefined, undefined],
    );
  }
});

test('an operator that restarts against a stale replica observes the earlier state, and then the current state', async () => {
  const { result, seen } = await run({ kind: 'stale', change: 'ADDED ConfigMap/default/subject #1' });
  const distinct = seen.filter((each, at) => each !== seen[at - 1]);
  assert.deepEqual(distinct, ['1 ab', '2 ab', '1 ab', '2 ab']);
  const [, before, after] = result.observations;
  assert.deepEqual(after?.state, before?.state);
});

test('an operator that reads an earlier object of the same name keeps the children of the current object', async () => {
  const recreation: readonly Step[] = [declare(1), { action: 'delete' }, declare(1), { action: 'restart' }];
  const faults = [{ kind: 'stale', change: 'ADDED Shop/default/subject #1' }] as const;
  const { observations } = await runTrial(operator, { kind: Shop, steps: recreation, faults });
  assert.deepEqual(
    observations.map(({ deleted }) => deleted.toSorted()),
    [[], ['ConfigMap default/subject', 'Shop default/subject'], [], []],
  );
});

test('the operator writes again after another replica was the leader, and no write counts as a write without the Lease', async () => {
  const { result } = await run({ kind: 'lease', write: 'apply ConfigMap/default/subject #1' });
  assert.deepEqual(result.points?.unled, []);
  assert.ok(result.observations[1]?.writes.some(({ kind }) => kind === 'ConfigMap'));
});

test('reversed lists change the order in which an operator lists objects', async () => {
  assert.deepEqual((await run({ kind: 'order' })).seen, ['1 ba', '2 ba', '2 ba']);
});

test('an operator never observes a dropped change of a quick history', async () => {
  observed.length = 0;
  const quick: Step = { action: 'declare', spec: { size: 2 }, immediately: true };
  const change = 'MODIFIED Shop/default/subject spec.size #1';
  await runTrial(operator, {
    kind: Shop,
    steps: [declare(1), quick, declare(3)],
    faults: [{ kind: 'event', change, effect: 'dropped' }],
  });
  assert.deepEqual(observed, ['1 ab', '3 ab']);
});

test('a conflict is a real change of the object, which is not part of the result', async () => {
  const request = 'patch Shop/default/subject status #1';
  const { result } = await run({ kind: 'request', request, failure: 'conflict' });
  const { result: plain } = await run();
  assert.deepEqual(result.observations.at(-1)?.state, plain.observations.at(-1)?.state);
  assert.ok(result.observations[0]?.writes.some(({ fields }) => fields.includes('status')));
});

test('with the problem late-objects, the initial objects are missing until the operator has reacted to their absence', async () => {
  const { seen } = await run({ kind: 'cluster', problem: 'late-objects' });
  assert.deepEqual(seen.slice(0, 2), ['1 ', '2 ']);
});
