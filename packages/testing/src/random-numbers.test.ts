import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from './fake-clock.js';
import { seededRandom } from './random-numbers.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('the same seed gives the same random values, and another seed gives other values', () => {
  const values = (seed: number): readonly (string | number)[] => {
    const { number, uuid } = seededRandom(seed);
    return [uuid(), number(), uuid(), number()];
  };
  assert.deepEqual(values(7), values(7));
  assert.notDeepEqual(values(7), values(8));
});

test('seededRandom returns different UUIDs of version 4', () => {
  const { uuid } = seededRandom(7);
  const uuids = Array.from({ length: 1000 }, uuid);
  assert.equal(new Set(uuids).size, 1000);
  for (const each of uuids) assert.match(each, UUID);
});

test('a FakeClock with a seed has random values that depend only on the seed', () => {
  const uuidOf = (clock: FakeClock): string => clock.random.uuid();
  assert.equal(uuidOf(new FakeClock(undefined, { seed: 7 })), seededRandom(7).uuid());
  assert.notEqual(uuidOf(new FakeClock()), uuidOf(new FakeClock()));
});
