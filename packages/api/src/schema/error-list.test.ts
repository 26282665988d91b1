import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkStructural, checkStructuralSteps } from './check-structural.js';
import { ErrorList } from './error-list.js';
import { fieldErrors } from './field-errors.js';

const properties = (count: number, property: object) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, property]));

test('an error list keeps the first 1,001 errors in order', () => {
  const list = new ErrorList();
  for (let at = 0; at < 600; at++) list.add([fieldErrors.required(`a${at}`)], [fieldErrors.required(`b${at}`)]);
  assert.equal(list.errors.length, 1001);
  assert.deepEqual(
    list.errors.slice(0, 3).map(({ field }) => field),
    ['a0', 'b0', 'a1'],
  );
});

test('checkStructuralSteps checks large schemas of every form in many steps', () => {
  const shapes: readonly object[] = [
    { properties: properties(1000, { type: 'string' }) },
    { properties: properties(20, { type: 'string', pattern: '^a$' }) },
    { properties: properties(20, { type: 'string', default: 'a' }) },
    { anyOf: Array.from({ length: 1000 }, () => ({ required: ['a'] })) },
  ];
  for (const shape of shapes) {
    const steps = [...checkStructuralSteps({ type: 'object', ...shape }, '')].length;
    assert.ok(steps >= 15, `${steps} steps`);
  }
});

test('checkStructural reports a limited number of list map keys that are not properties', () => {
  const list = (count: number) => ({
    type: 'object',
    properties: {
      list: {
        type: 'array',
        items: { type: 'object' },
        'x-kubernetes-list-type': 'map' as const,
        'x-kubernetes-list-map-keys': Array.from({ length: count }, (_, at) => `k${at}`),
      },
    },
  });
  assert.equal(checkStructural(list(3), '').length, 3);
  assert.equal(checkStructural(list(20_000), '').length, 1);
});
