import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultSchedule } from './fault-schedule.js';

function requests(seed: number, order: readonly number[]): Map<number, unknown> {
  const plan = faultSchedule(seed, { rate: 0.3 });
  return new Map(order.map((ordinal) => [ordinal, plan.onRequest?.({ verb: 'patch', resource: 'foos', ordinal })]));
}
const upwards = Array.from({ length: 200 }, (_, at) => at + 1);

test('the same seed injects the same faults into the same requests in any order', () => {
  const first = requests(7, upwards);
  const second = requests(7, upwards.toReversed());
  for (const ordinal of upwards) assert.deepEqual(first.get(ordinal), second.get(ordinal));
  assert.notDeepEqual([...first], [...requests(8, upwards)]);
});

test('faultSchedule injects faults into about the requested share of requests', () => {
  const hit = [...requests(1, upwards).values()].filter((fault) => fault !== undefined).length;
  assert.ok(hit > 30 && hit < 90, `${hit} of 200`);
});

test('faultSchedule injects no faults for spared resources or while paused, and lists the injected faults', () => {
  const plan = faultSchedule(1, { rate: 1 });
  assert.equal(plan.onRequest?.({ verb: 'create', resource: 'customresourcedefinitions', ordinal: 1 }), undefined);
  plan.pause();
  assert.equal(plan.onWatchEvent?.({ resource: 'foos', watch: 1, ordinal: 1 }), undefined);
  plan.resume();
  assert.ok(plan.onWatchEvent?.({ resource: 'foos', watch: 1, ordinal: 1 }));
  assert.match(plan.injected.join('\n'), /^watch foos #1, event 1: /);
});

test('the option sparing replaces the default list of spared resources', () => {
  const plan = faultSchedule(1, { rate: 1, sparing: ['leases'] });
  const fault = (resource: string) => plan.onRequest?.({ verb: 'update', resource, ordinal: 1 });
  assert.equal(fault('leases'), undefined);
  assert.ok(fault('customresourcedefinitions'));
});
