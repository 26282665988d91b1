import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SystemClock } from '@kubewright/api/clock';
import type { Lease } from '@kubewright/api/coordination/v1';
import { LeaderElection, resolveLeaderElection } from '@kubewright/runtime';
import { Transport } from '@kubewright/runtime/internal';
import { ControlPlane } from '@kubewright/testing';
import { quietLogger } from '../leader-election/quiet-logger.js';

const group = '/apis/coordination.k8s.io';
const clock = new SystemClock();
let plane: ControlPlane;
let transport: Transport;

before(async () => {
  plane = await ControlPlane.start({
    apiServerFlags: [
      '--feature-gates=CoordinatedLeaderElection=true',
      '--runtime-config=coordination.k8s.io/v1beta1=true',
    ],
  });
  transport = new Transport(plane.connection, { clock });
});
after(async () => {
  await transport.close();
  await plane.stop();
});

function candidate(identity: string, binaryVersion: string): LeaderElection {
  const options = resolveLeaderElection({
    name: 'coordinated',
    namespace: 'default',
    identity,
    duration: '3s',
    renewDeadline: '2s',
    retryPeriod: '400ms',
    coordinated: { binaryVersion },
  });
  return new LeaderElection(options, { transport, clock, logger: quietLogger });
}

test('[CG-163, CG-164] the server elects the candidate with the lowest version, ends the term of another leader, and elects again after a release', async () => {
  const { signal } = new AbortController();
  await using newer = candidate('newer', '1.1.0');
  await newer.acquire(signal);
  assert.equal(newer.isLeader, true);
  const older = candidate('older', '1.0.0');
  const acquired = older.acquire(signal);
  const lost = await newer.lost;
  assert.match(lost.message, /the server ended the term of the leader/);
  await acquired;
  assert.equal(older.isLeader, true);
  const lease = await transport.request<Lease>({
    method: 'GET',
    path: `${group}/v1/namespaces/default/leases/coordinated`,
  });
  assert.equal(lease.spec.holderIdentity, 'older');
  assert.equal(lease.spec.strategy, 'OldestEmulationVersion');
  await older.release();
  await newer.release();
  await using next = candidate('next', '1.2.0');
  await next.acquire(signal);
  assert.equal(next.isLeader, true);
  const { items } = await transport.request<{ items: readonly { readonly metadata: { readonly name: string } }[] }>({
    method: 'GET',
    path: `${group}/v1beta1/namespaces/default/leasecandidates`,
  });
  assert.deepEqual(
    items.map(({ metadata }) => metadata.name),
    ['next'],
    'stopped candidates delete their LeaseCandidates',
  );
});
