import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRequestTarget, requestTarget } from './request-target.js';

const pathOf = (url: string): string => requestTarget(url).path;

test('decodes a path without resolving dot segments', () => {
  assert.equal(pathOf('/api/v1/configmaps/..?watch=1'), '/api/v1/configmaps/..');
  assert.equal(pathOf('/api/./%2e%2E//a%2Fb'), '/api/./..//a/b');
  assert.equal(pathOf('/a%C3%A9%20b'), '/aé b');
  assert.equal(pathOf('/a%ff'), '/a\ufffd');
});

test('an invalid percent encoding makes a request target invalid', () => {
  assert.deepEqual(['/a%zz', '/a%', '/a%4', '/a%41', '/a?b=%'].map(isRequestTarget), [false, false, false, true, true]);
  assert.equal(pathOf('/a%zz%41'), '/a%zzA');
});

test('the query starts at the first question mark', () => {
  assert.deepEqual(
    [...requestTarget('/a?b=1&b=2?&c').query],
    [
      ['b', '1'],
      ['b', '2?'],
      ['c', ''],
    ],
  );
});
