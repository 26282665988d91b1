import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWithin } from './within-field.js';

test('finds a field and its parts, but not other fields with the same beginning', () => {
  for (const path of ['metadata', 'metadata.name', 'metadata[a]']) assert.equal(isWithin(path, 'metadata'), true, path);
  for (const path of ['metadataPolicy', 'meta', 'spec.metadata', '']) {
    assert.equal(isWithin(path, 'metadata'), false, path);
  }
});
