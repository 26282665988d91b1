import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ApiServer } from '@kubewright/apiserver';
import { KeptPorts } from '@kubewright/testing/internal';
import { type RestorableServer, restoreWhileOperated } from './restored-operator.js';

test('the cache recovers by itself from a data folder that is put back while the operator runs', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'kubewright-restore-'));
  const [data, backup] = [join(folder, 'data'), join(folder, 'backup')];
  await using kept = await KeptPorts.take(1);
  const [port = 0] = kept.ports;
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
    },
  };
  try {
    const { recoveryMs, lines } = await restoreWhileOperated(restorable);
    t.diagnostic(`recovered in ${Math.round(recoveryMs)} ms`);
    assert.equal(lines.length, 1);
    for (const [before, now] of lines) assert.ok(now < before, `${now} < ${before}`);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
});
