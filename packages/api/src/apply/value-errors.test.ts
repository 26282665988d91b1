import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rootAtom } from './atom.js';
import { valueErrors } from './value-errors.js';

// More items than the maximum number of arguments of a call.
const MANY = 300_000;

test('valueErrors finds the errors of a list with more items than the maximum number of call arguments', () => {
  const list = { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } } as const;
  const lists = { type: 'array', 'x-kubernetes-list-type': 'atomic', items: list } as const;
  const atom = rootAtom({ type: 'object', properties: { list, lists } });
  const repeated = Array.from({ length: MANY }, () => 'a');
  assert.equal([...valueErrors({ list: repeated }, atom)].length, MANY - 1);
  const numbers = Array.from({ length: MANY }, () => 1);
  assert.ok([...valueErrors({ lists: [numbers] }, atom)].length >= MANY);
});
