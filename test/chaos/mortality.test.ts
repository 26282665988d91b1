import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Mortality } from './mortality.js';

const write = { verb: 'patch', resource: 'pods', ordinal: 1 };
const death = { atWrite: 1, done: true };

test('blocks all requests of an operator that crashed at a write until the next operator starts', () => {
  let deaths = 0;
  const mortality = new Mortality({}, [death], () => deaths++);
  assert.deepEqual(mortality.onRequest(write), { kind: 'cut', after: 'write' });
  assert.deepEqual(mortality.onRequest(write), { kind: 'cut', after: 'none' });
  mortality.revive();
  assert.equal(mortality.onRequest(write), undefined);
  assert.equal(deaths, 1);
});

test('does not crash a spared operator, and keeps a crashed operator blocked until the next operator starts', () => {
  const spared = new Mortality({}, [death], () => undefined);
  spared.spare();
  assert.equal(spared.onRequest(write), undefined);
  assert.equal(spared.dead, false);
  const dead = new Mortality({}, [death, { ...death, atWrite: 2 }], () => undefined);
  dead.onRequest(write);
  dead.spare();
  assert.equal(dead.dead, true);
  dead.revive();
  assert.equal(dead.onRequest(write), undefined);
});
