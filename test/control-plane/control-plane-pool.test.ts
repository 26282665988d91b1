import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ConfigMap } from '@kubewright/api/core/v1';
import { Job } from '@kubewright/api/batch/v1';
import { startEnvironmentOnLoan } from '@kubewright/testing/internal';
import { ControlPlanePool } from '../server/pool/control-plane-pool.js';
import { leaseControlPlane } from '../server/pool/pool-client.js';
import { PoolServer } from '../server/pool/pool-server.js';
import { type ControlPlaneKind, PooledControlPlane } from '../server/pool/pooled-control-plane.js';

const map = new ConfigMap({ metadata: { name: 'left', namespace: 'default' } });
const container = { name: 'work', image: 'work', command: ['true'] };
const template = { spec: { restartPolicy: 'Never', containers: [container] } };
const job = new Job({ metadata: { name: 'left', namespace: 'default' }, spec: { template } });

describe('a pool of control planes', () => {
  let folder: string;
  let socket: string;
  let pool: ControlPlanePool<ControlPlaneKind, PooledControlPlane>;
  let server: PoolServer;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubewright-pool-'));
    socket = join(folder, 'socket');
    pool = new ControlPlanePool({ start: (kind: ControlPlaneKind) => PooledControlPlane.start(kind), maxIdle: 1 });
    server = await PoolServer.open(pool, socket);
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await pool[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });
  const start = () => startEnvironmentOnLoan(() => leaseControlPlane(socket, 'workloads'), { workloads: true });

  test('a pool leases the same control plane again, without the objects of the previous environment', async () => {
    const first = await start();
    assert.throws(() => first.controlPlane, { code: 'NOT_SUPPORTED' });
    await first.client.create(map);
    await first.client.create(job);
    await first.until(job, ({ status }) => status?.succeeded === 1);
    await first[Symbol.asyncDispose]();
    await using second = await start();
    assert.equal(second.connection.server, first.connection.server);
    assert.equal(await second.client.live.find(ConfigMap, map.metadata), undefined);
    assert.equal(await second.client.live.find(Job, job.metadata), undefined);
    assert.deepEqual(pool.report, { started: 1, leased: 2, discarded: [] });
  });

  test('a pool discards the control plane of a client that disconnects without a release', async () => {
    const { started } = pool.report;
    const client = connect(socket);
    client.write('workloads\n');
    await once(client, 'data');
    client.destroy();
    await using _env = await start();
    assert.equal(pool.report.started, started + 1);
    assert.equal(pool.report.discarded.length, 1);
  });
});
