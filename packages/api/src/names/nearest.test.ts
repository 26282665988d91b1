import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearest } from './nearest.js';

test('nearest returns the most similar known word, or undefined if no word is similar', () => {
  const known = ['name', 'namespace', 'namespaced', 'image'];
  assert.equal(nearest('nmae', known), 'name');
  assert.equal(nearest('Namespce', known), 'namespace');
  assert.equal(nearest('imgae', known), 'image');
  assert.equal(nearest('replicas', known), undefined);
  assert.equal(nearest('', known), undefined);
});
