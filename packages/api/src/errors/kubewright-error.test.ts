import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { KubewrightError } from './kubewright-error.js';

test('a KubewrightError has a cause only if a cause is defined', () => {
  const cause = new Error('disk full');
  assert.equal(new KubewrightError('X', 'cannot write', { cause }).cause, cause);
  assert.ok(!inspect(new KubewrightError('X', 'cannot write', { cause: undefined })).includes('cause'));
});
