import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ServiceAccount } from '@kubewright/api/core/v1';
import { type OperatorPermissions, type Permission, permissionText, rolesOf } from '@kubewright/api/rbac';
import { permissionsOf } from '@kubewright/runtime/permissions';
import { FakeClock, TestEnvironment } from '@kubewright/testing';
import { OperatorProcess } from '../examples/operator-process.js';
import { startEnvironment } from '../server/start-environment.js';
import { inspectedPermissions } from './rbac/inspected-permissions.js';
import { OPERATORS, type OperatorCase } from './rbac/operators.js';
import { SELDOM_USED, UNUSED_WHERE_LISTS_STREAM } from './rbac/seldom-used.js';

describe('each operator works with only the roles derived from its declarations', () => {
  for (const operator of OPERATORS) {
    if (operator.add === undefined) continue;
    test(`the operator ${operator.name} works with its derived roles, and each unused permission has a reason`, async (t) => {
      const clock = operator.fakeClock ? new FakeClock(new Date().toISOString()) : undefined;
      await using env = await environment(operator, clock);
      // A fake clock advances in large steps, so a Lease would expire before the manager renews it.
      const leaderElection = clock === undefined ? operator.leaderElection : undefined;
      const manager = env.manager(leaderElection ? { leaderElection } : {}, { rbac: 'derived' });
      operator.add?.(manager);
      await manager.start();
      await operator.exercise(env, clock);
      await manager.stop();
      const { used, missing, unused } = env.permissions();
      assert.deepEqual(texts(missing), []);
      const unexplained = texts(unused).filter((text) => reasonOf(operator, text) === undefined);
      assert.deepEqual(
        unexplained,
        [],
        'these permissions are unused; add a reason to `unused`, or remove the permissions',
      );
      const stale = Object.keys(operator.unused ?? {}).filter((text) => !texts(unused).includes(text));
      assert.deepEqual(stale, [], 'these permissions are listed as unused, but are used');
      t.diagnostic(`${used.length} permissions used, ${unused.length} unused: ${texts(unused).join(', ')}`);
    });
  }
});

describe('the program of each operator declares the same permissions as its controllers', () => {
  for (const { name, main, add, leaderElection } of OPERATORS) {
    if (main === undefined || add === undefined) continue;
    test(`the program of ${name} declares the same permissions as its controllers`, async () => {
      await using env = await TestEnvironment.start();
      // The inspection describes a program as in a Pod, where the program serves metrics.
      const manager = env.manager({ metrics: {}, ...(leaderElection && { leaderElection }) });
      add(manager);
      assert.deepEqual(placed(await inspectedPermissions(main)), placed(permissionsOf(manager.describe())));
    });
  }
});

describe('a program that no other test deploys runs as a ServiceAccount with only its generated roles', () => {
  for (const operator of OPERATORS) {
    const { name, main, isDeployed = false } = operator;
    if (main === undefined || isDeployed) continue;
    test(`the program of ${name} runs as a ServiceAccount with only its generated roles`, async () => {
      await using env = await environment(operator);
      const metadata = { name: 'operator', namespace: 'default' };
      const account = await env.client.create(new ServiceAccount({ metadata }));
      const names = { namespace: 'default', serviceAccount: 'operator' };
      for (const role of rolesOf(await inspectedPermissions(main), names)) await env.client.create(role);
      const { status } = await env.client.subresource(account, 'token').create({ spec: { audiences: [] } });
      const connection = { ...env.connection, token: status?.token ?? '' };
      await using program = await OperatorProcess.start(main, env, { connection, folder: '.' });
      await operator.exercise(env, undefined);
      const { code, out, err } = await program.terminate();
      assert.equal(code, 0, err);
      assert.doesNotMatch(out, /forbidden/i);
    });
  }
});

function environment({ kinds, workloads = false }: OperatorCase, clock?: FakeClock): Promise<TestEnvironment> {
  return startEnvironment({ kinds, workloads, ...(clock && { clock }) });
}
function texts(permissions: readonly Permission[]): readonly string[] {
  return permissions.map(permissionText);
}
/** Returns the permissions with their namespaces, sorted. The operator runs in the namespace `default`. */
function placed({ cluster, namespaced, own }: OperatorPermissions): readonly string[] {
  return texts([
    ...cluster,
    ...namespaced,
    ...own.map((permission) => ({ ...permission, namespace: 'default' })),
  ]).toSorted();
}
function reasonOf({ unused = {} }: OperatorCase, text: string): string | undefined {
  const reasons = [...SELDOM_USED, ...UNUSED_WHERE_LISTS_STREAM];
  return unused[text] ?? reasons.find(([pattern]) => pattern.test(text))?.[1];
}
