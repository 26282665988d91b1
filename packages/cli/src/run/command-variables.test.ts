import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withCommandVariables } from './command-variables.js';

test('what a command sets is listed, what somebody set to the same is not', () => {
  const env = { KUBEWRIGHT_CONTEXT: 'mine', PATH: '/bin' };
  const first = withCommandVariables(env, { KUBEWRIGHT_CONTEXT: 'mine', KUBEWRIGHT_LEADER_ELECT: 'false' });
  assert.deepEqual(first, {
    ...env,
    KUBEWRIGHT_LEADER_ELECT: 'false',
    KUBEWRIGHT_COMMAND_VARIABLES: 'KUBEWRIGHT_LEADER_ELECT',
  });
  const { KUBEWRIGHT_COMMAND_VARIABLES: both } = withCommandVariables(first, { KUBEWRIGHT_LOG_FORMAT: 'pretty' });
  assert.equal(both, 'KUBEWRIGHT_LEADER_ELECT,KUBEWRIGHT_LOG_FORMAT');
});
