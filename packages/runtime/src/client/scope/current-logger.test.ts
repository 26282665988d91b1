import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecordingLogger } from '../../test-support/recording-logger.js';
import { currentLogger } from './current-logger.js';
import { runInScope } from './reconcile-scope.js';

test('[OT-12] currentLogger returns the given logger outside of a reconcile', () => {
  const given = new RecordingLogger();
  assert.equal(currentLogger(given), given);
  runInScope({ controller: 'foo', owns: [] }, () => assert.equal(currentLogger(given), given));
});

test('[OT-12] currentLogger returns the logger of the reconcile at any call depth, with the fields of the reconcile and added fields', async () => {
  const other = new RecordingLogger();
  const log = new RecordingLogger();
  const deep = async (): Promise<void> => {
    await Promise.resolve();
    currentLogger(other).with({ step: 'resize' }).info('resizing', { disk: 'a' });
  };
  await runInScope({ controller: 'foo', owns: [], log: log.with({ controller: 'foo' }) }, deep);
  assert.deepEqual(log.lines, [
    { level: 'info', message: 'resizing', fields: { controller: 'foo', step: 'resize', disk: 'a' } },
  ]);
  assert.deepEqual(other.lines, []);
});
