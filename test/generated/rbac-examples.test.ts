import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ServiceAccount } from '@kubewright/api/core/v1';
import { type OperatorRights, type Right, rightText, rolesOf } from '@kubewright/api/rbac';
import { rightsOf } from '@kubewright/runtime/rights';
import { FakeClock, TestEnvironment } from '@kubewright/testing';
import { OperatorProcess } from '../examples/operator-process.js';
import { chosenServer } from '../server/chosen-server.js';
import { inspectedRights } from './rbac/inspected-rights.js';
import { OPERATORS, type OperatorCase } from './rbac/operators.js';
import { SELDOM_USED, UNUSED_WHERE_LISTS_STREAM } from './rbac/seldom-used.js';

describe('each operator does its work with nothing but the roles that follow from what it declares', () => {
  for (const operator of OPERATORS) {
    if (operator.add === undefined) continue;
    test(`${operator.name}: nothing is missing, and what is unused has its reason`, async (t) => {
      const clock = operator.fakeClock ? new FakeClock(new Date().toISOString()) : undefined;
      await using env = await environment(operator, clock);
      // A clock that leaps has no Lease: it would be over while it is renewed.
      const leaderElection = clock === undefined ? operator.leaderElection : undefined;
      const manager = env.manager(leaderElection ? { leaderElection } : {}, { rbac: 'derived' });
      operator.add?.(manager);
      await manager.start();
      await operator.exercise(env, clock);
      await manager.stop();
      const { used, missing, unused } = env.rights();
      assert.deepEqual(texts(missing), []);
      const unexplained = texts(unused).filter((text) => reasonOf(operator, text) === undefined);
      assert.deepEqual(
        unexplained,
        [],
        'these permissions are unused; add a reason to `unused`, or remove the permissions',
      );
      const stale = Object.keys(operator.unused ?? {}).filter((text) => !texts(unused).includes(text));
      assert.deepEqual(stale, [], 'these permissions are listed as unused, but are used');
      t.diagnostic(`${used.length} rights used, ${unused.length} unused: ${texts(unused).join(', ')}`);
    });
  }
});

describe('the program of each operator declares what its parts declare', () => {
  for (const { name, main, add, leaderElection } of OPERATORS) {
    if (main === undefined || add === undefined) continue;
    test(name, async () => {
      await using env = await TestEnvironment.start();
      // A program is described as in a Pod, which serves metrics.
      const manager = env.manager({ metrics: {}, ...(leaderElection && { leaderElection }) });
      add(manager);
      assert.deepEqual(placed(await inspectedRights(main)), placed(rightsOf(manager.describe())));
    });
  }
});

describe('a program that is deployed nowhere else runs as a ServiceAccount with nothing but the roles that are made of it', () => {
  for (const operator of OPERATORS) {
    const { name, main, isDeployed = false } = operator;
    if (main === undefined || isDeployed) continue;
    test(name, async () => {
      await using env = await environment(operator);
      const metadata = { name: 'operator', namespace: 'default' };
      const account = await env.client.create(new ServiceAccount({ metadata }));
      const names = { namespace: 'default', serviceAccount: 'operator' };
      for (const role of rolesOf(await inspectedRights(main), names)) await env.client.create(role);
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
  return TestEnvironment.start({ server: chosenServer(), kinds, workloads, ...(clock && { clock }) });
}
function texts(rights: readonly Right[]): readonly string[] {
  return rights.map(rightText);
}
/** The rights by where they are; the operator runs in the namespace default. */
function placed({ cluster, namespaced, own }: OperatorRights): readonly string[] {
  return texts([...cluster, ...namespaced, ...own.map((right) => ({ ...right, namespace: 'default' }))]).toSorted();
}
function reasonOf({ unused = {} }: OperatorCase, text: string): string | undefined {
  const reasons = [...SELDOM_USED, ...UNUSED_WHERE_LISTS_STREAM];
  return unused[text] ?? reasons.find(([pattern]) => pattern.test(text))?.[1];
}
