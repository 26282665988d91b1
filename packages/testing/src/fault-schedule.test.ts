import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultSchedule } from './fault-schedule.js';

function requests(seed: number, order: readonly number[]): Map<number, unknown> {
  const plan = faultSchedule(seed, { rate: 0.3 });
  return new Map(order.map((ordinal) => [ordinal, plan.onRequest?.({ verb: 'patch', resource: 'foos', ordinal })]));
}
const upwards = Array.from({ length: 200 }, (_, at) => at + 1);

test('the same seed brings the same faults upon the same requests, whatever their order', () => {
  const first = requests(7, upwards);
  const second = requests(7, upwards.toReversed());
  for (const ordinal of upwards) assert.deepEqual(first.get(ordinal), second.get(ordinal));
  assert.notDeepEqual([...first], [...requests(8, upwards)]);
});

test('about the asked share of requests is hit', () => {
  const hit = [...requests(1, upwards).values()].filter((fault) => fault !== undefined).length;
  assert.ok(hit > 30 && hit < 90, `${hit} of 200`);
});

test('spared resources and a paused schedule go without faults, and what happened is listed', () => {
  const plan = faultSchedule(1, { rate: 1 });
  assert.equal(plan.onRequest?.({ verb: 'create', resource: 'customresourcedefinitions', ordinal: 1 }), undefined);
  plan.pause();
  assert.equal(plan.onWatchEvent?.({ resource: 'foos', watch: 1, ordinal: 1 }), undefined);
  plan.resume();
  assert.ok(plan.onWatchEvent?.({ resource: 'foos', watch: 1, ordinal: 1 }));
  assert.match(plan.injected.join('\n'), /^watch foos #1, event 1: /);
});

test('what is to be spared is said anew, in place of the definitions of kinds', () => {
  const plan = faultSchedule(1, { rate: 1, sparing: ['leases'] });
  const fault = (resource: string) => plan.onRequest?.({ verb: 'update', resource, ordinal: 1 });
  assert.equal(fault('leases'), undefined);
  assert.ok(fault('customresourcedefinitions'));
});
