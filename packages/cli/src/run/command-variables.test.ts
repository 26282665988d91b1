import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withCommandVariables } from './command-variables.js';

test('withCommandVariables adds the names of changed variables to KUBEWRIGHT_COMMAND_VARIABLES', () => {
  const env = { KUBEWRIGHT_CONTEXT: 'mine', KUBEWRIGHT_LOG_FORMAT: 'json', PATH: '/bin' };
  const first = withCommandVariables(env, {
    set: { KUBEWRIGHT_CONTEXT: 'mine', KUBEWRIGHT_KUBECONFIG: 'here' },
    byDefault: { KUBEWRIGHT_LEADER_ELECT: 'false', KUBEWRIGHT_LOG_FORMAT: 'pretty' },
  });
  assert.deepEqual(first, {
    ...env,
    KUBEWRIGHT_KUBECONFIG: 'here',
    KUBEWRIGHT_LEADER_ELECT: 'false',
    KUBEWRIGHT_COMMAND_VARIABLES: 'KUBEWRIGHT_LEADER_ELECT,KUBEWRIGHT_KUBECONFIG',
  });
  const second = withCommandVariables(first, { set: { KUBEWRIGHT_WARNINGS: 'ignore' } });
  assert.equal(
    second['KUBEWRIGHT_COMMAND_VARIABLES'],
    'KUBEWRIGHT_LEADER_ELECT,KUBEWRIGHT_KUBECONFIG,KUBEWRIGHT_WARNINGS',
  );
});
