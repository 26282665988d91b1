import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { ConfigMap } from '@kubewright/api/core/v1';
import { Manager } from '@kubewright/runtime';
import { policyObjects } from '@kubewright/runtime/internal';
import { TestEnvironment } from '@kubewright/testing';
import { CommandContext } from '../command/command-context.js';
import { KubeApi } from './kube-api.js';
import { removeOldPolicies } from './operator-policies.js';

const settings = {
  name: 'web-operator',
  image: 'web-operator:v1',
  namespace: 'web-operator-system',
  namespaced: false,
};
const labels = { 'app.kubernetes.io/managed-by': 'kubewright', 'app.kubernetes.io/name': 'web-operator' };

/** Returns a policy and its binding. */
function policy(name: string, more: Readonly<Record<string, string>> = labels): readonly KubeObject[] {
  const { policies = [] } = new Manager().enforce({ name, for: ConfigMap, validations: [{ rule: 'true' }] }).describe();
  return policyObjects(policies, { prefix: 'web-operator-', labels: more });
}

test('removeOldPolicies deletes policies and bindings that the operator no longer has, except in a dry run', async () => {
  const foreign = policy('foreign', { 'app.kubernetes.io/name': 'web-operator' });
  await using env = await TestEnvironment.start({ objects: [...policy('old'), ...policy('new'), ...foreign] });
  await using api = new KubeApi(env.connection, () => undefined);
  const lines: string[] = [];
  const context = new CommandContext({
    cwd: '/',
    env: { NO_COLOR: '1' },
    stdout: { write: (text) => lines.push(text) },
    stderr: { write: () => true },
  });
  const remove = async (dryRun: boolean): Promise<readonly string[]> => {
    const done = await removeOldPolicies(context, api, { settings, objects: policy('new'), dryRun });
    return done.map(({ kind, name, outcome }) => `${outcome} ${kind} ${name}`);
  };
  const expected = [
    'deleted ValidatingAdmissionPolicyBinding web-operator-old',
    'deleted ValidatingAdmissionPolicy web-operator-old',
  ];
  assert.deepEqual(await remove(true), expected);
  assert.deepEqual(await remove(false), expected);
  assert.deepEqual(await remove(false), []);
  assert.match(lines.join(''), /^would delete .*web-operator-old\n.*\ndeleted /);
});
