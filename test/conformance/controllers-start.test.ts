import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { CustomResource, Field, Kind } from '@kubewright/api';
import { ConfigMap } from '@kubewright/api/core/v1';
import {
  Channel,
  type ControllerOptions,
  type Manager,
  type ManagerOptions,
  Result,
  type Source,
  sourceOf,
  watch,
} from '@kubewright/runtime';
import { FakeClock, type TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';
import { kinds, lacksOnly, namespace, Rack, rack, Reported } from './watched-kinds.js';

class MissingSpec {
  @Field.string({ optional: true }) text?: string;
}
/** A kind that no server serves. */
@Kind({ group: 'watch.example.com', version: 'v1' })
class Missing extends CustomResource(MissingSpec) {}

const syncTimeout = '400ms';
const never = (): Promise<never> => new Promise(() => undefined);
const unsynced: Source = { name: 'unsynced', start: () => undefined, synced: never };
const blocking: Source = { name: 'blocking', start: never };
const broken: Source = {
  name: 'broken',
  start: () => undefined,
  synced: () => Promise.reject(new Error('no such queue')),
};

describe('the start of controllers', () => {
  let env: TestEnvironment;
  let lease = 0;
  before(async () => {
    env = await startEnvironment({ kinds });
  });
  after(() => env[Symbol.asyncDispose]());

  const reported = new Reported();
  function withRacks(options: Partial<ControllerOptions<Rack>>, of: ManagerOptions = {}): Manager {
    reported.clear();
    return env.manager(of).control({ for: Rack, name: 'racks', ...options }, async ({ metadata }) => {
      reported.add(metadata.name);
      return Result.done();
    });
  }
  /** Returns a manager that waits to be elected, and the manager that is the leader. */
  async function standby(
    options: Partial<ControllerOptions<Rack>>,
    of: ManagerOptions = {},
  ): Promise<{ readonly manager: Manager; readonly leader: Manager }> {
    const leaderElection = { name: `controllers-${++lease}`, namespace, retryPeriod: '50ms' } as const;
    const leader = env.manager({ leaderElection });
    await leader.start();
    await leader.elected;
    return { leader, manager: withRacks(options, { leaderElection, ...of }) };
  }
  async function refused(manager: Manager, code: string, message: RegExp): Promise<void> {
    await assert.rejects(manager.start(), { code, message });
    assert.equal(manager.status().state, 'stopped');
  }
  /** Asserts that the start fails after 400 ms and not earlier. Advances the clock as soon as the controller waits only for `missing`. */
  async function tooLate({ manager, clock }: { manager: Manager; clock: FakeClock }, missing: RegExp): Promise<void> {
    let isOver = false;
    const message = new RegExp(`after 0\\.4 s: ${missing.source}`);
    const ended = refused(manager, 'NOT_SYNCED', message).finally(() => {
      isOver = true;
    });
    await Promise.race([lacksOnly(manager, 'racks', missing), ended]);
    await clock.advance('399ms');
    assert.equal(isOver, false);
    await clock.advance('1ms');
    await ended;
  }

  test('[CS-01] if a kind cannot be listed, the start fails with an error that names the kind, the reason, and the elapsed time', async () => {
    const watches = [watch(Missing, { map: () => [] })];
    const clock = new FakeClock();
    await tooLate({ manager: withRacks({ watches, syncTimeout }, { clock }), clock }, /controller 'racks' .*Missing/);
  });

  test('[CS-02] if a source does not sync in time, the start fails with the name of the source and the elapsed time', async () => {
    const clock = new FakeClock();
    const manager = withRacks({ sources: [unsynced], syncTimeout }, { clock });
    await tooLate({ manager, clock }, /source 'unsynced' of controller 'racks' is not synced yet/);
  });

  test('[CS-04, CS-25] the error for a source whose start does not return differs from the error for a source that does not sync', async () => {
    const clock = new FakeClock();
    const manager = withRacks({ sources: [blocking], syncTimeout }, { clock });
    await tooLate({ manager, clock }, /source 'blocking' .* has not started yet: 'start' must return/);
    const { manager: warming, leader } = await standby({ sources: [blocking], syncTimeout }, { clock });
    await tooLate({ manager: warming, clock }, /source 'blocking' .* has not started yet/);
    await leader.stop();
  });

  test('[CS-03, CS-24] a manager can be stopped without an error while its sources sync or warm up', async () => {
    const { manager: warming, leader } = await standby({ sources: [unsynced] });
    for (const manager of [withRacks({ sources: [unsynced] }), warming]) {
      const ended = assert.rejects(manager.start(), { code: 'STOPPED' });
      await manager.stop();
      await ended;
      await manager.stopped;
    }
    await leader.stop();
  });

  test('[CS-05] the start succeeds with a sufficient syncTimeout and without a syncTimeout', async () => {
    for (const syncTimeout of ['10s', false] as const) {
      await using manager = withRacks({ syncTimeout });
      await manager.start();
      assert.equal(manager.controller('racks').state, 'working');
    }
  });

  test('[CS-06] a controller reconciles nothing before each of its watches has received every existing object', async () => {
    const labels = { list: 'initial' };
    const count = 30;
    await env.client.create(rack('first'));
    for (let at = 0; at < count; at++) {
      await env.client.create(new ConfigMap({ metadata: { name: `initial-${at}`, namespace, labels } }));
    }
    const seen = new Set<string>();
    const atFirst: number[] = [];
    await using manager = env.manager();
    const watches = [
      watch(ConfigMap, {
        labels,
        map: ({ metadata }) => {
          seen.add(metadata.name);
          return [];
        },
      }),
    ];
    manager.control({ for: Rack, name: 'racks', watches }, async () => {
      atFirst.push(seen.size);
      return Result.done();
    });
    await manager.start();
    await env.settled();
    assert.equal(atFirst[0], count);
  });

  test('[CS-21, CS-26, CS-27, CN-18] a controller warms up before the election: lists and channels fill its queue, and it reconciles nothing', async () => {
    await env.client.create(rack('warm'));
    const channel = new Channel();
    const { manager, leader } = await standby({ sources: [sourceOf('channel', channel)] });
    await manager.start();
    const controller = manager.controller('racks');
    assert.equal(controller.state, 'warm');
    await channel.send({ namespace, name: 'from-channel' });
    const { depth } = controller.stats?.queue ?? {};
    assert.ok(depth !== undefined && depth > 1, `${depth}`);
    assert.deepEqual([reported.all, controller.problems], [[], []]);
    await leader.stop();
    await manager.elected;
    await reported.until('warm');
    assert.equal(controller.state, 'working');
    await manager.stop();
  });

  test('[CS-22, CS-23] the start fails if a warm-up fails or exceeds the syncTimeout', async () => {
    const failing = await standby({ sources: [broken] });
    await refused(failing.manager, 'SOURCE_FAILED', /its source 'broken' failed: no such queue/);
    const clock = new FakeClock();
    const slow = await standby({ sources: [unsynced], syncTimeout }, { clock });
    await tooLate({ manager: slow.manager, clock }, /source 'unsynced'/);
    await Promise.all([failing.leader.stop(), slow.leader.stop()]);
  });

  test('[CS-31] with warmUp: false, a controller starts its informers and sources only after the election', async () => {
    await env.client.create(rack('cold'));
    let starts = 0;
    const source: Source = { name: 'counted', start: () => void starts++ };
    const { manager, leader } = await standby({ warmUp: false, sources: [source] });
    await manager.start();
    assert.deepEqual([manager.controller('racks').state, starts, manager.status().informers], ['waiting', 0, []]);
    await leader.stop();
    await manager.elected;
    await reported.until('cold');
    assert.equal(starts, 1);
    await manager.stop();
  });
});
