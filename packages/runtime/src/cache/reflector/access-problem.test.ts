import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KubewrightError } from '@kubewright/api/errors';
import { invalidResponse } from '../../transport/answer/list-answer.js';
import { accessProblem } from './access-problem.js';

const source = {
  name: 'pods',
  resource: { kind: 'Pod', apiVersion: 'v1', plural: 'pods', group: '', builtIn: true },
  transport: { connection: { server: 'https://127.0.0.1:1', token: 'secret' } },
} as unknown as Parameters<typeof accessProblem>[2];

test('the error names the failed request and the address of the server if the server does not respond', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
  const error = new KubewrightError('REQUEST_FAILED', `watch pods: ${refused.message}`, { cause: refused });
  for (const verb of ['list', 'watch'] as const) {
    const problem = accessProblem(error, verb, source);
    assert.equal(problem.code, 'SERVER_UNREACHABLE');
    assert.equal(
      problem.message,
      `cannot ${verb} pods (Pod of v1): connect ECONNREFUSED 127.0.0.1:1; check that an API server answers at https://127.0.0.1:1`,
    );
  }
});

test('the error names the user and the address of the server for any other failure', () => {
  const problem = accessProblem(new Error('watch pods: this is not JSON'), 'watch', source);
  assert.equal(
    problem.message,
    'cannot watch pods (Pod of v1) as the bearer of a token at https://127.0.0.1:1: this is not JSON; check that an API server answers at this address',
  );
});

test('the error contains the fix only once if the error of the failed request already contains the fix', () => {
  const unreadable = invalidResponse('list pods', "'items' of the list is missing instead of an array");
  const { code, message } = accessProblem(unreadable, 'list', source);
  assert.equal(code, 'SERVER_FAILED');
  assert.equal(
    message,
    "cannot list pods (Pod of v1) as the bearer of a token at https://127.0.0.1:1: 'items' of the list is missing instead of an array; check that an API server answers at this address",
  );
});

test('the error does not recommend a check of the address if the credentials are missing', () => {
  const plugin = "no credentials available: credential plugin 'login': not found; install it";
  const problem = accessProblem(new KubewrightError('CREDENTIALS_FAILED', `list pods: ${plugin}`), 'list', source);
  assert.equal(
    problem.message,
    `cannot list pods (Pod of v1) as the bearer of a token at https://127.0.0.1:1: ${plugin}`,
  );
});
