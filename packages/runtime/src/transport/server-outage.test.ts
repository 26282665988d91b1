import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KubewrightError } from '@kubewright/api/errors';
import { ManualClock } from '../test-support/manual-clock.js';
import { RecordingLogger } from '../test-support/recording-logger.js';
import { logFailure, outageOf, ServerOutage } from './server-outage.js';

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

test('an outage is logged at its beginning and its end, with counts each minute', () => {
  const { outage, clock, logger } = setUp();
  for (let request = 0; request < 1000; request++) {
    const error = new Error('reconcile failed', { cause: refused() });
    outage.failed(error.cause, clock.monotonicMs());
    logFailure(logger, error, { level: 'error', message: 'reconcile failed', fields: { error } });
  }
  assert.deepEqual(shown(logger), ['error begin']);
  clock.advance(125_000);
  assert.deepEqual(shown(logger), ['error begin', 'warn count', 'warn count']);
  outage.answered();
  assert.deepEqual(logger.lines.at(-1)?.fields, {
    outage: 'end',
    seconds: 125,
    failedRequests: 1000,
    linesNotLogged: 1000,
  });
  clock.advance(600_000);
  assert.equal(shown(logger).length, 4);
});

test('an error of an outage is logged in full again after the outage', () => {
  const { outage, logger } = setUp();
  const error = refused();
  outage.failed(error, 0);
  assert.equal(outageOf(error), outage);
  assert.equal(outageOf(new AggregateError([new Error('other'), error])), outage);
  outage.answered();
  assert.equal(outageOf(error), undefined);
  logFailure(logger, error, { level: 'error', message: 'late', fields: {} });
  assert.equal(logger.lines.at(-1)?.level, 'error');
});

test('a connection that breaks and is replaced within a second is not logged as an outage', () => {
  const { outage, clock, logger } = setUp();
  outage.failed(broken(), 0);
  clock.advance(999);
  outage.answered();
  clock.advance(60_000);
  assert.deepEqual(shown(logger), []);
  outage.failed(broken(), clock.monotonicMs());
  clock.advance(1000);
  assert.deepEqual(shown(logger), ['error begin']);
});

test('a request without an answer does not begin an outage while the server answers others', () => {
  const { outage, clock } = setUp();
  clock.advance(10);
  outage.answered();
  outage.failed(new KubewrightError('REQUEST_TIMEOUT', 'no answer'), 5);
  assert.equal(outage.isOpen, false);
  outage.failed(new KubewrightError('REQUEST_TIMEOUT', 'no answer'), 10);
  assert.equal(outage.isOpen, true);
});

test('an untrusted certificate, a refusal and another error do not begin an outage', () => {
  const { outage } = setUp();
  const cause = Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  for (const error of [
    new KubewrightError('REQUEST_FAILED', 'x', { cause }),
    new KubewrightError('INVALID_ANSWER', 'x'),
    new Error('x'),
    'x',
  ]) {
    outage.failed(error, 0);
    assert.equal(outage.isOpen, false);
  }
});

test('listeners are called at the end of an outage, until they are removed', () => {
  const { outage } = setUp();
  let calls = 0;
  const remove = outage.onEnd(() => calls++);
  outage.failed(refused(), 0);
  outage.answered();
  outage.answered();
  remove();
  outage.failed(refused(), 0);
  outage.answered();
  assert.equal(calls, 1);
});
