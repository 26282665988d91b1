import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from './api-error.js';
import { ignoreAlreadyExists, ignoreNotFound } from './ignored-errors.js';

function answer(code: number, reason: string): ApiError {
  return new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason });
}
const notFound = answer(404, 'NotFound');
const alreadyExists = answer(409, 'AlreadyExists');
const conflict = answer(409, 'Conflict');
const other = new Error('no connection');

test('[CO-14] ignoreNotFound ignores only NotFound errors', async () => {
  assert.equal(await ignoreNotFound(Promise.reject(notFound)), undefined);
  assert.equal(await ignoreNotFound(Promise.resolve('pod')), 'pod');
  for (const error of [alreadyExists, conflict, other]) {
    await assert.rejects(ignoreNotFound(Promise.reject(error)), (thrown) => thrown === error);
  }
});

test('[CO-15] ignoreAlreadyExists ignores only AlreadyExists errors', async () => {
  assert.equal(await ignoreAlreadyExists(Promise.reject(alreadyExists)), undefined);
  assert.equal(await ignoreAlreadyExists(Promise.resolve('pod')), 'pod');
  for (const error of [notFound, conflict, other]) {
    await assert.rejects(ignoreAlreadyExists(Promise.reject(error)), (thrown) => thrown === error);
  }
});
