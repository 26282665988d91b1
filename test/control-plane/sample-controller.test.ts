import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { Foo } from '@kubewright/example-foo';
import { startEnvironment } from '../server/start-environment.js';
import { FooOperator } from './foo-operator.js';
import { FooScenario, type Observations } from './foo-scenario.js';

const upstream = FooOperator.upstreamPath();
const skip = upstream === undefined || !existsSync(upstream) ? 'sample-controller is not built' : false;

/**
 * Fields that differ between two runs and are not compared. `collisionCount` depends on a race between two controllers of the server: it
 * shows whether the ReplicaSet of a deleted Deployment still existed when the Deployment was recreated.
 */
const left: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'managedFields',
  'creationTimestamp',
  'collisionCount',
]);

describe('the sample-controller of Kubernetes and the example foo', { skip }, () => {
  const observed = new Map<string, Observations>();

  for (const server of ['embedded', 'control-plane'] as const) {
    test(`both controllers produce the same objects, statuses, and events from the same inputs on the server '${server}'`, async () => {
      await using env = await startEnvironment({ server, kinds: [Foo], workloads: true });
      const theirs = await watched(() => FooOperator.upstream(env), new FooScenario(env, 'foos-in-go'));
      const ours = await watched(() => FooOperator.ours(env), new FooScenario(env, 'foos-in-typescript'));
      observed.set(server, theirs);
      assert.deepEqual(ours, theirs);
    });
  }

  test('both controllers produce the same result on the embedded server and on a real server', () => {
    assert.ok(observed.has('embedded'));
    assert.deepEqual(observed.get('embedded'), observed.get('control-plane'));
  });
});

async function watched(start: () => Promise<FooOperator>, scenario: FooScenario): Promise<Observations> {
  await using operator = await start();
  try {
    return comparable(await scenario.run()) as Observations;
  } catch (error) {
    throw new Error(`the scenario failed; the output of the operator: ${operator.output}`, { cause: error });
  }
}

/**
 * Removes uids, versions, times, managed fields, and the labels and annotations of Kubewright. Keeps only the common fields of Events,
 * because the two API groups for Events store the reporter and the count in different fields. Sorts conditions by type, because a changed
 * condition moves to the end of the list. A Deployment is temporarily unavailable only if its controller runs before the operator restores
 * the number of replicas.
 */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value === 'string')
    return value.replace(/foos-in-\w+/, '<namespace>').replace(/-[a-z0-9]{9,10}"/, '-<hash>"');
  if (typeof value !== 'object' || value === null) return value;
  if ((value as { readonly kind?: unknown }).kind === 'Event') return eventText(value as Record<string, unknown>);
  const fields = Object.entries(value)
    .filter(([key]) => !left.has(key) && !key.endsWith('Time') && !/kubewright\.dev\//.test(key))
    .map(([key, child]) => [key, comparable(key === 'conditions' ? byType(child) : child)] as const);
  return Object.fromEntries(fields.filter(([key, child]) => key !== 'labels' || Object.keys(Object(child)).length > 0));
}

function byType(conditions: unknown): unknown {
  assert.ok(Array.isArray(conditions));
  return conditions.toSorted((a: { type: string }, b: { type: string }) => a.type.localeCompare(b.type));
}

function eventText({ type, reason, message, involvedObject, reportingComponent }: Record<string, unknown>): unknown {
  const { apiVersion, kind, namespace, name } = involvedObject as Record<string, unknown>;
  const about = comparable({ apiVersion, kind, namespace, name });
  return { type, reason, message, reportingComponent, about };
}
