import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finish } from '@kubewright/api/apply';
import { SystemClock } from '@kubewright/api/clock';
import { Store } from '../../storage/store.js';
import { fieldFaults } from './field-faults.js';
import { Registry } from '../registry.js';
import { systemContext } from '../requests/request-context.js';

const { definition } = new Registry({ store: new Store(), clock: new SystemClock() }).builtIn('/v1/configmaps');

test('sorts the unknown fields of a patched object only if the object has several unknown fields', () => {
  let orders = 0;
  const context = {
    ...systemContext('test', 'patch'),
    *patchedInOrder() {
      orders += 1;
      yield;
      return { b: 1, a: 1 };
    },
  };
  const faults = (unknown: readonly string[]) => finish(fieldFaults(unknown, { a: 1, b: 1 }, { definition, context }));
  assert.deepEqual(faults([]), []);
  assert.deepEqual(faults(['a']), ['unknown field "a"']);
  assert.equal(orders, 0);
  assert.deepEqual(faults(['a', 'b']), ['unknown field "b"', 'unknown field "a"']);
  assert.equal(orders, 1);
});

test('searches large objects for unknown fields in steps', () => {
  const count = 20_000;
  const body = { data: Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v'])), x: 1, y: 1 };
  const steps = fieldFaults(['x', 'y'], body, { definition, context: systemContext('test', 'patch') });
  let breaks = 0;
  while (steps.next().done !== true) breaks += 1;
  assert.ok(breaks >= count / 1000, `${breaks} breaks`);
});
