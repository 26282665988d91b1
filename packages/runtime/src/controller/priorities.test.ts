import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { counted, Disk, disk, done, type MachineObject, machine, setUp } from '../test-support/controller-bench.js';

const byImage = (object: KubeObject): number => Number((object as MachineObject).spec.image ?? 0);

test('reconciles objects with a higher priority first, regardless of the trigger', async () => {
  const { calls, run } = counted(done);
  const bench = await setUp(run, { priority: byImage, owns: [Disk], reconcileCondition: false });
  const { machines, disks, settle } = bench;
  const uids = ['5', '1', '9'].map((image) => machines.put(machine(`m${image}`, { image })).metadata.uid);
  await settle();
  assert.deepEqual(calls, ['m5', 'm9', 'm1'], 'the first key was taken before the others were queued');
  calls.length = 0;
  for (const [at, image] of ['5', '1', '9'].entries()) {
    const owner = {
      apiVersion: 'test.dev/v1',
      kind: 'Machine',
      controller: true,
      name: `m${image}`,
      uid: uids[at] ?? '',
    };
    disks.put(disk(`d${image}`, { ownerReferences: [owner] }));
  }
  await settle();
  assert.deepEqual(calls, ['m5', 'm9', 'm1']);
});

test('uses priority 0 if a priority function throws or returns an invalid number, and logs only the first error', async () => {
  const { calls, run } = counted(done);
  let call = 0;
  const priority = (): number => {
    if (++call === 1) throw new Error('of the function');
    return Number.NaN;
  };
  const { machines, settle, logger } = await setUp(run, { priority });
  machines.put(machine('a'));
  machines.put(machine('b'));
  await settle();
  assert.deepEqual(calls, ['a', 'b']);
  assert.equal(logger.lines.filter(({ level }) => level === 'error').length, 1);
});
