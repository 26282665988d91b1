import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ExactJsonParser } from './exact-json-parser.js';
import { parseJson } from './parse-json.js';

/** Most numbers have almost the length from which an integer can be outside the safe range. */
const digits = fc.oneof(fc.stringMatching(/^9[0-9]{14,17}$/), fc.stringMatching(/^[1-9][0-9]{0,50}$/));
const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  digits,
  fc.tuple(fc.string({ maxLength: 5 }), digits).map((parts) => parts.join('')),
);
const scalar = fc.oneof(
  digits,
  text.map((value) => JSON.stringify(value)),
);

test('parseJson keeps every long integer exact, at each position of a document and beside digits in strings', () => {
  const list = fc.array(fc.tuple(fc.stringMatching(/^ {0,20}$/), scalar), { maxLength: 4 });
  fc.assert(
    fc.property(list, (items) => {
      const json = `[${items.map(([space, value]) => `${space}${value}`).join(',')}]`;
      assert.deepEqual(parseJson(json), new ExactJsonParser(json).parse());
    }),
    { numRuns: 2000 },
  );
});
