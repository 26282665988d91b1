import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock, type PlannedRequest } from '@kubewright/testing';
import { EmbeddedCluster } from './embedded-cluster.js';
import { ScheduleClock } from './schedule-clock.js';
import { Replicas } from './replicas.js';
import { scenarioOf } from './scenarios.js';
import { Users } from './users.js';

test('the disposal of Replicas stops an operator whose Events the server still rejects', async () => {
  const refused = new Set<string>();
  const clock = new FakeClock();
  const onRequest = ({ verb, resource }: PlannedRequest) => {
    if (resource !== 'events') return undefined;
    refused.add(verb);
    return { kind: 'status', code: 503 } as const;
  };
  await using cluster = await EmbeddedCluster.start({ faults: { onRequest }, clock, restartable: false });
  const scenario = scenarioOf(1);
  const users = new Users(cluster, scenario);
  const time = new ScheduleClock(clock, new AbortController().signal);
  const replicas = await Replicas.prepare(scenario, { cluster, time, count: 1 });
  await replicas.restart(() => false);
  const [sample] = scenario.samples;
  assert.ok(sample);
  users.create(sample);
  for (let step = 0; step < 1000 && refused.size === 0; step++) await time.step();
  assert.deepEqual([...refused], ['create']);
  await replicas[Symbol.asyncDispose]();
});
