import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubectlFor } from '../dev/dev-cluster.js';
import { operatorCluster } from './operator-environment.js';

const text = 'kind: Config\nusers: [{ name: jane, user: { token: secret } }]\n';

test('operatorCluster resolves the path of a kubeconfig against the working directory', () => {
  const env = { KUBEWRIGHT_KUBECONFIG: 'config', KUBEWRIGHT_CONTEXT: 'dev' };
  assert.deepEqual(operatorCluster({ env, cwd: '/work' }, {}), { kubeconfig: '/work/config', context: 'dev' });
});

test('operatorCluster does not change the text of a kubeconfig, and kubectlFor omits the text', () => {
  const choice = operatorCluster({ env: { KUBEWRIGHT_KUBECONFIG: text }, cwd: '/work' }, { context: 'dev' });
  assert.deepEqual(choice, { kubeconfig: text, context: 'dev' });
  assert.equal(kubectlFor(choice), 'kubectl --context dev');
});
