import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fieldErrors } from '../../schema/field-errors.js';
import { FaultyFields } from './faulty-fields.js';

test('FaultyFields.hasWithin returns the same result as a search through all fields', () => {
  const field = fc
    .array(fc.constantFrom('a', 'b', '.', '['), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.array(field, { maxLength: 6 }), field, (fields, path) => {
      const faulty = new FaultyFields(fields.map((each) => fieldErrors.required(each)));
      assert.equal(
        faulty.hasWithin(path),
        fields.some((each) => each.startsWith(path)),
      );
    }),
    { numRuns: 2000 },
  );
});
