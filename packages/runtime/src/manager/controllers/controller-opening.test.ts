import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KubewrightError } from '@kubewright/api/errors';
import { settle } from '../../test-support/controller-bench.js';
import { ManualClock } from '../../test-support/manual-clock.js';
import { refusal } from '../../test-support/object-table.js';
import { RecordingLogger } from '../../test-support/recording-logger.js';
import { ControllerOpening } from './controller-opening.js';

const coded = (code: string): KubewrightError => new KubewrightError(code, `failed with ${code}`);
const clock = new ManualClock();
const logger = new RecordingLogger();
const opening = new ControllerOpening('machine', { clock, logger });
const { signal } = new AbortController();

for (const passing of [
  coded('KIND_NOT_SERVED'),
  coded('REQUEST_FAILED'),
  coded('REQUEST_TIMEOUT'),
  coded('DISCOVERY_FAILED'),
  refusal(503, 'ServiceUnavailable'),
]) {
  test(`repeats the attempt to open a controller after a temporary failure: ${passing.code} ${passing.message}`, async () => {
    const failures: Error[] = [passing];
    const opened = opening.persist(async () => {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      return 'open';
    }, signal);
    opened.catch(() => undefined);
    await settle();
    assert.match(opening.problems.join(), /cannot start its informers/);
    clock.advance(clock.pendingMs[0] ?? 0);
    assert.equal(await opened, 'open');
    assert.deepEqual(opening.problems, []);
    const reported = logger.lines.splice(0).map(({ level, fields }) => ({ level, fields }));
    assert.deepEqual(reported, [
      { level: 'error', fields: { code: passing.code } },
      { level: 'debug', fields: { error: passing } },
    ]);
  });
}

test('rejects immediately if a retry cannot resolve the error', async () => {
  await assert.rejects(
    opening.persist(() => Promise.reject(coded('INVALID_CONTROLLER')), signal),
    { code: 'INVALID_CONTROLLER' },
  );
});
