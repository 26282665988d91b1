import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CustomResource, Field, Kind } from '@kubewright/api';
import { Lease } from '@kubewright/api/coordination/v1';
import { Namespace } from '@kubewright/api/core/v1';
import { Event } from '@kubewright/api/events/v1';
import {
  LEADERSHIP_LOST_EXIT_CODE,
  type LeaseLock,
  type LeaseRecord,
  type Manager,
  type ManagerOptions,
  Result,
} from '@kubewright/runtime';
import type { TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';
import { Program } from './programs/program.js';

class WidgetSpec {
  @Field.string() text!: string;
}
@Kind({ group: 'leading.example.com', version: 'v1' })
class Widget extends CustomResource(WidgetSpec) {}

let env: TestEnvironment;
before(async () => {
  env = await startEnvironment({ kinds: [Widget] });
});
after(() => env[Symbol.asyncDispose]());

/** Creates a manager that contends for the Lease with this name. With the short retryPeriod, the manager detects another holder quickly. */
function contending(name: string, options: ManagerOptions = {}): Manager {
  return env.manager({ leaderElection: { name, namespace: 'default', retryPeriod: '50ms' }, ...options });
}
function leaseOf(name: string) {
  return env.client.live.get(Lease, { name, namespace: 'default' });
}
/** Returns the promise `passed`, which `open` resolves. */
function gate(): { readonly passed: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
}
/** Replaces the holder of the Lease with another identity. */
async function take(name: string): Promise<void> {
  for (;;) {
    const lease = await leaseOf(name);
    try {
      await env.client.patch(lease, (draft) => {
        draft.spec = { ...draft.spec, holderIdentity: 'somebody else' };
      });
      return;
    } catch (error) {
      if ((error as { reason?: string }).reason !== 'Conflict') throw error;
    }
  }
}

test('[MG-18, MG-20, MG-14] a leader holds a Lease with the default duration of client-go, and clears the holder when it stops', async () => {
  const manager = env.manager({ leaderElection: { name: 'plain', namespace: 'default', identity: 'me' } });
  await manager.start();
  await manager.elected;
  assert.equal(manager.isLeader, true);
  assert.equal(manager.leader, 'me');
  const { spec } = await leaseOf('plain');
  assert.equal(spec?.holderIdentity, 'me');
  assert.equal(spec?.leaseDurationSeconds, 15);
  assert.match(await manager.metrics.text(), /^leader_election_master_status\{name="plain"\} 1$/m);
  await manager.stop();
  assert.equal(manager.isLeader, false);
  assert.equal((await leaseOf('plain')).spec?.holderIdentity ?? '', '');
});

test('[MG-11] the manager releases the Lease after all components have ended', async () => {
  const manager = contending('given-up-last');
  const end = gate();
  const stopping = gate();
  manager.add({
    run: async (signal) => {
      await aborted(signal);
      stopping.open();
      await end.passed;
    },
  });
  await manager.start();
  await manager.elected;
  const { spec } = await leaseOf('given-up-last');
  const stopped = manager.stop();
  await stopping.passed;
  assert.equal((await leaseOf('given-up-last')).spec?.holderIdentity, spec?.holderIdentity);
  end.open();
  await stopped;
  assert.equal((await leaseOf('given-up-last')).spec?.holderIdentity ?? '', '');
});

test('the manager does not release the Lease if a leader-only component does not end; the Lease expires', async () => {
  const manager = contending('left-behind', { gracePeriod: '0s' });
  manager.add({ run: () => new Promise(() => undefined) });
  await manager.start();
  await manager.elected;
  await manager.stop();
  assert.notEqual((await leaseOf('left-behind')).spec?.holderIdentity ?? '', '');
});

test('[MG-12] a leader that lost its Lease stops without a grace period, and reports LEADERSHIP_LOST', async () => {
  const called: string[] = [];
  const manager = contending('lost', {
    gracePeriod: false,
    hooks: { lost: () => void called.push('lost'), elected: () => void called.push('elected') },
  });
  let reported: AbortSignal | undefined;
  manager.add({
    run: (signal) => {
      reported = signal;
      return new Promise(() => undefined);
    },
  });
  await manager.start();
  await manager.elected;
  await take('lost');
  await assert.rejects(manager.stopped, { code: 'LEADERSHIP_LOST' });
  assert.equal(reported?.aborted, true);
  assert.equal(manager.isLeader, false);
  assert.deepEqual(called, ['elected', 'lost']);
  assert.equal((await leaseOf('lost')).spec?.holderIdentity, 'somebody else');
});

test('a manager that owns the process exits with code 75 after it lost the Lease, even if the program hangs', async () => {
  await using program = await Program.start('leading-and-hanging', ['hanging'], env);
  await program.untilPrinted('leading');
  await take('hanging');
  const { code } = await program.ended();
  assert.equal(code, LEADERSHIP_LOST_EXIT_CODE);
});

test('[MG-13] a manager that is stopped before it is elected never becomes the leader', async () => {
  const leader = contending('taken');
  await leader.start();
  await leader.elected;
  const candidate = contending('taken');
  let ran = false;
  candidate.add({
    run: async () => {
      ran = true;
    },
  });
  await candidate.start();
  await candidate.stop();
  await assert.rejects(candidate.elected, { code: 'STOPPED' });
  await leader.stop();
  assert.equal((await leaseOf('taken')).spec?.holderIdentity ?? '', '');
  assert.equal(ran, false);
});

test('[MG-15, MG-16, MG-48] the constructor rejects an invalid leader election option and names the option', () => {
  const election = (options: Exclude<ManagerOptions['leaderElection'], undefined>) => () =>
    env.manager({ leaderElection: options });
  const code = 'INVALID_LEADER_ELECTION';
  assert.throws(election(''), { code, message: /name/ });
  assert.throws(election('Not A Lease'), { code, message: /name is not a valid Lease name/ });
  assert.throws(election({ name: 'a', namespace: 'default', duration: '5s', renewDeadline: '10s' }), {
    code,
    message: /duration is '5s' and renewDeadline is '10s'/,
  });
  assert.throws(election({ name: 'a', namespace: 'default', retryPeriod: '10s' }), { code, message: /retryPeriod/ });
});

test('[MG-17] outside a Pod, a Lease requires a namespace', async () => {
  const manager = env.manager({ leaderElection: 'homeless' });
  await assert.rejects(manager.start(), {
    code: 'INVALID_LEADER_ELECTION',
    message: /does not run in a Pod: set the namespace of the Lease .* leaderElection\.namespace/,
  });
});

test('[MG-21] a manager sets the labels of the option leaderElection.labels on the Lease', async () => {
  const manager = env.manager({ leaderElection: { name: 'labelled', namespace: 'default', labels: { team: 'a' } } });
  await manager.start();
  await manager.elected;
  assert.equal((await leaseOf('labelled')).metadata.labels?.['team'], 'a');
  await manager.stop();
});

test('[MG-19, MG-22] a custom lock can replace the Lease, and then the manager sends no requests for a Lease', async () => {
  let record: LeaseRecord | undefined;
  const lock: LeaseLock = {
    name: 'a custom lock',
    get: async () => record,
    create: async (made) => {
      record = made;
    },
    update: async (made) => {
      record = made;
    },
  };
  const manager = env.manager({ leaderElection: { name: 'elsewhere', identity: 'me', lock } });
  await manager.start();
  await manager.elected;
  assert.equal(record?.holderIdentity, 'me');
  await assert.rejects(leaseOf('elsewhere'), { reason: 'NotFound' });
  await manager.stop();
  assert.equal(record?.holderIdentity, '');
});

test('[MG-66] warm-up functions, informers, and queues of controllers start before the election', async () => {
  const leader = contending('warm');
  await leader.start();
  await leader.elected;
  await env.client.create(new Widget({ metadata: { name: 'w', namespace: 'default' }, spec: { text: 'a' } }));
  const warm = gate();
  const reconciled = gate();
  const standby = contending('warm');
  let ran = false;
  standby.add({
    run: async () => {
      ran = true;
    },
    warmUp: async () => warm.open(),
  });
  standby.control({ for: Widget, name: 'warm' }, async () => {
    reconciled.open();
    return Result.done();
  });
  standby.control({ for: Widget, name: 'cold', warmUp: false }, async () => Result.done());
  await standby.start();
  await warm.passed;
  assert.equal(standby.isLeader, false);
  assert.deepEqual(standby.readiness(), { ready: true, reasons: [] });
  assert.equal(ran, false);
  assert.equal(standby.stats().get('warm')?.queue.depth, 1);
  assert.equal(standby.stats().get('cold'), undefined);
  await leader.stop();
  await standby.elected;
  await reconciled.passed;
  assert.equal(ran, true);
  assert.ok(standby.stats().has('cold'));
  await standby.stop();
});

test('components with leaderOnly: false run on every replica, including controllers', async () => {
  const leader = contending('everywhere');
  await leader.start();
  await leader.elected;
  const reconciled = gate();
  const standby = contending('everywhere');
  standby.control({ for: Widget, name: 'reader', leaderOnly: false }, async () => {
    reconciled.open();
    return Result.done();
  });
  await standby.start();
  await env.client.create(new Widget({ metadata: { name: 'x', namespace: 'default' }, spec: { text: 'a' } }));
  await reconciled.passed;
  assert.equal(standby.isLeader, false);
  await standby.stop();
  await leader.stop();
});

test('a manager records events on the Lease when it becomes the leader and when it stops leading', async () => {
  const manager = env.manager({ leaderElection: { name: 'recorded', namespace: 'default', identity: 'me' } });
  await manager.start();
  await manager.elected;
  await manager.stop();
  const items = await env.client.live.list(Event, { namespace: 'default' });
  const notes = items
    .filter(({ regarding }) => regarding?.name === 'recorded')
    .map(({ reason, note }) => [reason, note]);
  assert.deepEqual(
    new Set(notes.map(String)),
    new Set(['LeaderElection,me became leader', 'LeaderElection,me stopped leading']),
  );
});

test('a replica that waits for the Lease is ready; a replica that cannot contend for the Lease is not ready and reports why', async () => {
  const namespace = 'comes-later';
  const manager = env.manager({ leaderElection: { name: 'refused', namespace, retryPeriod: '20ms' } });
  await manager.start();
  while (manager.readiness().ready) await new Promise((resolve) => setImmediate(resolve));
  assert.match(
    manager.readiness().reasons.join(),
    /^cannot acquire Lease comes-later\/refused: .*; create the namespace/,
  );
  await env.client.create(new Namespace({ metadata: { name: namespace } }));
  await manager.elected;
  assert.deepEqual(manager.readiness(), { ready: true, reasons: [] });
  await manager.stop();
});
