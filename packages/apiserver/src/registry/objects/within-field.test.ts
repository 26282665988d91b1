import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWithin } from './within-field.js';

test('isWithin returns true for a field and the paths within the field, and false for other fields with the same prefix', () => {
  for (const path of ['metadata', 'metadata.name', 'metadata[a]']) assert.equal(isWithin(path, 'metadata'), true, path);
  for (const path of ['metadataPolicy', 'meta', 'spec.metadata', '']) {
    assert.equal(isWithin(path, 'metadata'), false, path);
  }
});
