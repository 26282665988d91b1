import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ApiServer } from '@kubewright/apiserver';
import { ReservedPorts } from '@kubewright/testing/internal';
import { type RestorableServer, type RestoredOperator, restoreWhileOperated } from './restored-operator.js';

/** Number of writes after the restore. This number exceeds the number of changes between the backup and the restore. */
const WRITES = 1000;

/** Restores a server while an operator runs. `afterRestore` runs before the server answers the operator. */
async function restoreFolder(afterRestore: (store: ApiServer['store']) => void): Promise<RestoredOperator> {
  const folder = mkdtempSync(join(tmpdir(), 'kubewright-restore-'));
  const [data, backup] = [join(folder, 'data'), join(folder, 'backup')];
  await using reserved = await ReservedPorts.take(1);
  const [port = 0] = reserved.ports;
  let server = await ApiServer.start({ data, port });
  const restorable: RestorableServer = {
    connection: { server: server.url, ca: server.certificateAuthority, token: server.token },
    backUp: () => {
      cpSync(data, backup, { recursive: true, filter: (path) => !path.endsWith('.lock') });
      return Promise.resolve();
    },
    restore: async () => {
      await server.stop();
      rmSync(data, { recursive: true });
      cpSync(backup, data, { recursive: true });
      server = await ApiServer.start({ data, port });
      afterRestore(server.store);
    },
  };
  try {
    return await restoreWhileOperated(restorable);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

test('the cache recovers from a data folder that is restored while the operator runs', async (t) => {
  const { recoveryMs, lines } = await restoreFolder(() => undefined);
  t.diagnostic(`recovered in ${Math.round(recoveryMs)} ms`);
  assert.equal(lines.length, 1);
  for (const [before, now] of lines) assert.ok(now < before, `${now} < ${before}`);
});

test('the cache recovers if the restored server has already reached a newer resourceVersion than the cache', async (t) => {
  const { recoveryMs, lines } = await restoreFolder((store) => {
    const metadata = { namespace: 'default', name: 'counter', uid: 'counter' };
    store.create('/configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata });
    for (let write = 0; write < WRITES; write++)
      store.update('/configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { write: String(write) } });
  });
  t.diagnostic(`recovered in ${Math.round(recoveryMs)} ms`);
  assert.equal(lines.length, 1);
  for (const [before, now] of lines) assert.ok(now > before, `${now} > ${before}`);
});
