import assert from 'node:assert/strict';
import { test } from 'node:test';
import { valueText } from './value-text.js';

class Disk {
  readonly key = 's3cr3t';
}

const texts: readonly (readonly [title: string, value: unknown, text: string])[] = [
  ['a string', '30x', "'30x'"],
  ['an empty string', '', "''"],
  ['a number', Number.NaN, 'NaN'],
  ['undefined', undefined, 'undefined'],
  ['null', null, 'null'],
  ['a symbol', Symbol('created'), 'Symbol(created)'],
  ['a list of strings', ['SIGKILL', ''], "['SIGKILL', '']"],
  ['a list of objects', [{ password: 's3cr3t' }], '[…]'],
  ['an empty list', [], '[]'],
  ['an object', { kind: Disk, password: 's3cr3t' }, '{ kind: …, password: … }'],
  ['an object without a prototype', Object.assign(Object.create(null), { a: 1 }), '{ a: … }'],
  ['an empty object', {}, 'an empty object'],
  ['an instance of a class', new Disk(), 'an instance of Disk'],
  ['a promise', Promise.resolve('s3cr3t'), 'an instance of Promise'],
  ['a function', Disk, 'the function Disk'],
  [
    'a function without a name',
    (
      () => () =>
        's3cr3t'
    )(),
    'a function',
  ],
];

for (const [title, value, text] of texts) {
  test(`valueText describes ${title}`, () => {
    assert.equal(valueText(value), text);
  });
}

test('valueText shortens a long value', () => {
  assert.equal(valueText('a'.repeat(101)), `'${'a'.repeat(100)}…'`);
  const fields = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`field${at}`, at]));
  assert.ok(valueText(fields).length < 110);
});
