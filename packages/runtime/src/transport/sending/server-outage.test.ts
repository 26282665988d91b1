import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KubewrightError } from '@kubewright/api/errors';
import { ManualClock } from '../../test-support/manual-clock.js';
import { RecordingLogger } from '../../test-support/recording-logger.js';
import { isOfLoggedOutage, logFailure, ServerOutage } from './server-outage.js';

const refused = (): KubewrightError =>
  new KubewrightError('REQUEST_FAILED', 'get pod a: refused', {
    cause: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
  });
const broken = (): KubewrightError => new KubewrightError('REQUEST_FAILED', 'get pod a: other side closed');

function setUp(): { readonly outage: ServerOutage; readonly clock: ManualClock; readonly logger: RecordingLogger } {
  const [clock, logger] = [new ManualClock(), new RecordingLogger()];
  return { clock, logger, outage: new ServerOutage({ server: 'https://api', clock, logger }) };
}
const shown = (logger: RecordingLogger): readonly string[] =>
  logger.lines
    .filter(({ level }) => level !== 'debug')
    .map(({ level, fields }) => `${level} ${String(fields['outage'])}`);

test('logs the start and the end of an outage, and counts every minute in between', () => {
  const { outage, clock, logger } = setUp();
  for (let request = 0; request < 1000; request++) {
    const error = new Error('reconcile failed', { cause: refused() });
    outage.failed(error.cause, clock.monotonicMs());
    logFailure(logger, error, { level: 'error', message: 'reconcile failed', fields: { error } });
  }
  assert.deepEqual(shown(logger), ['error begin']);
  clock.advance(125_000);
  assert.deepEqual(shown(logger), ['error begin', 'warn count', 'warn count']);
  outage.answered(clock.monotonicMs());
  assert.deepEqual(logger.lines.at(-1)?.fields, {
    outage: 'end',
    seconds: 125,
    failedRequests: 1000,
    linesNotLogged: 1000,
  });
  clock.advance(600_000);
  assert.equal(shown(logger).length, 4);
});

const report = (logger: RecordingLogger, error: Error): void =>
  logFailure(logger, error, { level: 'error', message: error.message, fields: {} });

test('counts an error of an outage without logging the error, even if the error is reported after the outage', () => {
  const { outage, clock, logger } = setUp();
  const error = refused();
  outage.failed(error, 0);
  assert.equal(isOfLoggedOutage(new AggregateError([new Error('other'), error])), true);
  outage.answered(clock.monotonicMs());
  report(logger, error);
  assert.deepEqual(shown(logger), ['error begin', 'info end']);
  assert.equal(logger.lines.at(-1)?.level, 'debug');
});

test('a request that was sent before the end of an outage and fails later is counted in this outage', () => {
  const { outage, clock, logger } = setUp();
  outage.failed(refused(), 0);
  clock.advance(10);
  outage.answered(clock.monotonicMs());
  clock.advance(10);
  for (const error of [refused(), broken()]) {
    outage.failed(error, 5);
    report(logger, error);
  }
  clock.advance(60_000);
  assert.equal(outage.isOpen, false);
  assert.deepEqual(shown(logger), ['error begin', 'info end']);
});

test('a request that is sent after the end of an outage and fails starts another outage', () => {
  const { outage, clock, logger } = setUp();
  outage.failed(refused(), 0);
  outage.answered(clock.monotonicMs());
  clock.advance(1);
  outage.failed(refused(), 1);
  outage.answered(clock.monotonicMs());
  assert.deepEqual(shown(logger), ['error begin', 'info end', 'error begin', 'info end']);
});

test('logs a single line for several errors of a connection that is replaced within 1 s', () => {
  const { outage, clock, logger } = setUp();
  let last: KubewrightError | undefined;
  for (let request = 0; request < 100; request++) {
    last = broken();
    outage.failed(last, 0);
    report(logger, new Error(`reconcile ${request} failed`, { cause: last }));
  }
  assert.deepEqual(shown(logger), []);
  clock.advance(500);
  outage.answered(500);
  for (let request = 0; request < 100; request++) report(logger, new Error('late', { cause: last }));
  assert.deepEqual(shown(logger), [], 'more lines may follow');
  clock.advance(500);
  const lines = logger.lines.filter(({ level }) => level !== 'debug');
  assert.deepEqual(
    lines.map(({ message, fields }) => [message, fields]),
    [['reconcile 0 failed', { similarLinesNotLogged: 199 }]],
  );
});

test('does not log an outage if a broken connection is replaced within 1 s', () => {
  const { outage, clock, logger } = setUp();
  outage.failed(broken(), 0);
  clock.advance(999);
  outage.answered(clock.monotonicMs());
  clock.advance(60_000);
  assert.deepEqual(shown(logger), []);
  outage.failed(broken(), clock.monotonicMs());
  clock.advance(1000);
  assert.deepEqual(shown(logger), ['error begin']);
});

test('does not log a short outage if a blocked event loop delayed the response', () => {
  const { outage, clock, logger } = setUp();
  outage.failed(broken(), 0);
  clock.block(1500);
  clock.advance(0);
  assert.deepEqual(shown(logger), [], 'the waiting response has not been read');
  outage.answered(clock.monotonicMs());
  clock.advance(60_000);
  assert.deepEqual(shown(logger), []);
});

test('postpones the log line of an outage at most ten times while the event loop is blocked', () => {
  const { outage, clock, logger } = setUp();
  outage.failed(broken(), 0);
  clock.block(1500);
  clock.advance(100);
  assert.deepEqual(shown(logger), ['error begin']);
  outage.answered(clock.monotonicMs());
  clock.advance(1);
  outage.failed(broken(), clock.monotonicMs());
  for (let timers = 0; timers < 10; timers++) {
    clock.block(1500);
    clock.advance(0);
  }
  assert.deepEqual(shown(logger), ['error begin', 'info end']);
  clock.block(1500);
  clock.advance(0);
  assert.deepEqual(shown(logger), ['error begin', 'info end', 'error begin']);
});

test('a request without a response does not start an outage if the server responds to other requests', () => {
  const { outage, clock } = setUp();
  clock.advance(10);
  outage.answered(clock.monotonicMs());
  outage.failed(new KubewrightError('REQUEST_TIMEOUT', 'no answer'), 5);
  assert.equal(outage.isOpen, false);
  outage.failed(new KubewrightError('REQUEST_TIMEOUT', 'no answer'), 10);
  assert.equal(outage.isOpen, true);
});

test('an untrusted certificate, an invalid response or an error that is not from a request does not start an outage', () => {
  const { outage } = setUp();
  const cause = Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  for (const error of [
    new KubewrightError('REQUEST_FAILED', 'x', { cause }),
    new KubewrightError('INVALID_RESPONSE', 'x'),
    new Error('x'),
    'x',
  ]) {
    outage.failed(error, 0);
    assert.equal(outage.isOpen, false);
  }
});

test('calls listeners at the end of an outage until the listeners are removed', () => {
  const { outage, clock } = setUp();
  let calls = 0;
  const remove = outage.onEnd(() => calls++);
  outage.failed(refused(), 0);
  outage.answered(clock.monotonicMs());
  outage.answered(clock.monotonicMs());
  remove();
  outage.failed(refused(), 0);
  outage.answered(clock.monotonicMs());
  assert.equal(calls, 1);
});

test('a response to a request from before an outage does not end the outage', () => {
  const { outage, clock, logger } = setUp();
  clock.advance(10);
  outage.failed(broken(), 5);
  outage.answered(9);
  assert.equal(outage.isOpen, true);
  clock.advance(1000);
  assert.deepEqual(shown(logger), ['error begin']);
  outage.answered(clock.monotonicMs());
  assert.equal(outage.isOpen, false);
});

test('logs postponed error lines when the transport closes', () => {
  const { outage, clock, logger } = setUp();
  const error = broken();
  outage.failed(error, 0);
  report(logger, error);
  outage.close();
  clock.advance(60_000);
  assert.deepEqual(
    logger.lines.filter(({ level }) => level !== 'debug').map(({ message }) => message),
    [error.message],
  );
});
