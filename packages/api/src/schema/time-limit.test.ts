import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StructuralSchema } from './structural-schema.js';
import { TakesLong, TimeLimit } from './time-limit.js';
import { validateBriefly } from './validate.js';
import { validateUpdate } from './validate-update.js';

/** Returns a clock that advances by 1 ms each time it is read. */
function ticking(): () => number {
  let nowMs = 0;
  return () => nowMs++;
}

const repeated = <T>(value: T): readonly T[] => Array.from({ length: 100 }, () => value);
const text = 'a'.repeat(100_000);
const numbers = Array.from({ length: 10_000 }, (_, at) => at);
const cases: Readonly<Record<string, readonly [unknown, StructuralSchema]>> = {
  'a large pattern on a long text': [text, { type: 'string', pattern: '[ab].{900}c$' }],
  'small patterns on many texts': [Array(10_000).fill('abc'), { type: 'array', items: { pattern: '^[a-z]+$' } }],
  'a format of a long text': [text, { type: 'string', format: 'duration' }],
  'many values with a large enum': [numbers, { type: 'array', items: { enum: numbers } }],
  'a large enum of lists': [numbers, { enum: numbers.map((at) => [at]) }],
  'many alternatives': [numbers, { type: 'array', items: { not: { allOf: repeated({ maximum: 5 }) } } }],
  'alternatives within lists': [[numbers], { anyOf: repeated({ items: { items: { type: 'string' } } }) }],
  'many required fields': [repeated({}), { items: { required: numbers.map(String) } }],
};

for (const [title, [value, schema]] of Object.entries(cases)) {
  test(`${title}: a validation with a time limit throws TakesLong`, () => {
    assert.throws(() => validateBriefly(value, schema, { limit: new TimeLimit(ticking()) }), TakesLong);
    const limit = new TimeLimit(ticking());
    assert.throws(() => validateUpdate(value, 0, { schema, authored: schema, limit }), TakesLong);
  });
}

test('a validation with a time limit returns the errors of an ordinary value', () => {
  const schema: StructuralSchema = { properties: { a: { type: 'string', pattern: '^[a-z]+$', enum: ['abcd'] } } };
  const errors = validateBriefly({ a: 'A' }, schema, { limit: new TimeLimit(ticking()) });
  assert.deepEqual(
    errors.map(({ field, reason }) => `${field} ${reason}`),
    ['a FieldValueInvalid', 'a FieldValueNotSupported'],
  );
});
