import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SystemClock } from '@kubewright/api/clock';
import { Pod } from '@kubewright/api/core/v1';
import { RecordingLogger } from '../test-support/recording-logger.js';
import { ClientContext } from './client-context.js';
import { OpenInformers } from './open-informers.js';
import { runInScope } from './reconcile-scope.js';

test('whoever reads waits for a first list that is not there, again when there is more to wait for, and no longer than the reconcile', async () => {
  let waits = 0;
  const informer = { hasSynced: false, synced: async () => void (waits += 1) };
  const backend = { cache: { acquire: async () => informer } };
  const context = new ClientContext({
    backend: backend as never,
    clock: new SystemClock(),
    logger: new RecordingLogger(),
    fieldManager: 'tester',
  });
  const open = new OpenInformers(context, {});
  assert.equal(await open.of(Pod), informer);
  assert.equal(waits, 1);
  informer.hasSynced = true;
  assert.equal(await open.of(Pod), informer);
  assert.equal(waits, 1);
  informer.hasSynced = false;
  assert.equal(await open.of(Pod), informer);
  assert.equal(waits, 2);
  const reason = new Error('it took too long');
  for (const hasSynced of [false, true]) {
    informer.hasSynced = hasSynced;
    const scope = { controller: 'pods', owns: [], signal: AbortSignal.abort(reason) };
    await assert.rejects(
      runInScope(scope, () => open.of(Pod)),
      reason,
    );
  }
});
