import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Mortality } from './mortality.js';

const write = { verb: 'patch', resource: 'pods', ordinal: 1 };
const death = { atWrite: 1, done: true };

test('who dies at a write reaches the server no more until another one lives', () => {
  let deaths = 0;
  const mortality = new Mortality({}, [death], () => deaths++);
  assert.deepEqual(mortality.onRequest(write), { kind: 'cut', after: 'write' });
  assert.deepEqual(mortality.onRequest(write), { kind: 'cut', after: 'none' });
  mortality.revive();
  assert.equal(mortality.onRequest(write), undefined);
  assert.equal(deaths, 1);
});

test('who is spared does not die, and who is dead by then stays so until another one lives', () => {
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
