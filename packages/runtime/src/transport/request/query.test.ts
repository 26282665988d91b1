import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathWithQuery } from './query.js';

test('omits undefined parameters, repeats a parameter for each item of a list, and extends an existing query', () => {
  assert.equal(pathWithQuery('/a', undefined), '/a');
  assert.equal(pathWithQuery('/a', { dryRun: undefined, none: [] }), '/a');
  assert.equal(pathWithQuery('/a', { limit: 500, watch: true, dryRun: undefined }), '/a?limit=500&watch=true');
  assert.equal(pathWithQuery('/a?x=1', { command: ['ls', '-l'] }), '/a?x=1&command=ls&command=-l');
});

test('encodes names and values in the same way as URLSearchParams', () => {
  const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
  const texts = [
    '',
    'app in (a,b),tier!=web',
    'metadata.name=x',
    'a b+c',
    'ü/日本',
    '\ud800',
    '~',
    ...ascii,
    ascii.join(''),
  ];
  for (const text of texts) {
    const query = { [text]: text, fieldManager: text };
    assert.equal(pathWithQuery('/a', query), `/a?${new URLSearchParams(query).toString()}`);
  }
});
