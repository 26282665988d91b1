import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as api from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { pino } from 'pino';
import { PinoLogger } from '../log/pino-logger.js';
import { SilentLogger } from '../log/silent-logger.js';
import { ManagerLog } from './manager-log.js';
import { resolveManagerOptions } from './settings/resolved-manager-options.js';

type Line = Readonly<Record<string, unknown>>;

before(() => {
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  api.trace.setGlobalTracerProvider(new BasicTracerProvider());
});
after(() => {
  api.trace.disable();
  api.context.disable();
});

/** Creates the log of a manager with a pino instance of the program. Returns the log and its lines. */
function givenPino(levelSignal: NodeJS.Signals | false = false) {
  const lines: Line[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Line) };
  const instance = pino({ base: null, timestamp: false }, destination);
  return { instance, lines, log: new ManagerLog({ logger: instance, log: {}, levelSignal }) };
}

test('writes to the pino instance of the program, even before the manager starts', () => {
  const { lines, log } = givenPino();
  log.logger.info('early');
  assert.deepEqual(lines, [{ level: 30, msg: 'early' }]);
});

test('adds the ids of the active span to lines of a pino instance', async () => {
  const { lines, log } = givenPino();
  await log.open();
  const span = api.trace.getTracer('test').startSpan('reconcile');
  const { traceId, spanId } = span.spanContext();
  await api.context.with(api.trace.setSpan(api.context.active(), span), async () => {
    await Promise.resolve();
    log.logger.with({ controller: 'zone' }).info('inside');
    log.logger.error('failed', { error: new Error('offline') });
  });
  log.logger.info('outside');
  const ids = lines.map(({ msg, trace_id, span_id, trace_flags }) => [msg, trace_id, span_id, trace_flags]);
  assert.deepEqual(ids, [
    ['inside', traceId, spanId, '01'],
    ['failed', traceId, spanId, '01'],
    ['outside', undefined, undefined, undefined],
  ]);
});

test('adds the ids of the active span to lines of the default logger', async () => {
  const written: string[] = [];
  const destination = { write: (line: string) => void written.push(line) };
  const logger = await PinoLogger.create({ format: 'json', destination, ambient: () => ({ trace_id: 'abc' }) });
  logger.with({ controller: 'zone' }).info('reconciled');
  const { trace_id, controller } = JSON.parse(written[0] ?? '') as Line;
  assert.deepEqual([trace_id, controller], ['abc', 'zone']);
});

test('the signal switches the level to debug and back, until the log is closed', async () => {
  const { lines, instance, log } = givenPino('SIGHUP');
  const own = log.logger.with({ controller: 'zone' });
  await log.open();
  log.listen();
  process.emit('SIGHUP', 'SIGHUP');
  assert.deepEqual([log.level, instance.level], ['debug', 'debug']);
  own.debug('detailed');
  process.emit('SIGHUP', 'SIGHUP');
  assert.equal(instance.level, 'info');
  own.debug('not written');
  log.close();
  process.emit('SIGHUP', 'SIGHUP');
  assert.equal(instance.level, 'info');
  assert.deepEqual(
    lines.map(({ msg, logLevel }) => [msg, logLevel]),
    [
      ['the log level changed', 'debug'],
      ['detailed', undefined],
      ['the log level changed', 'info'],
    ],
  );
});

test('changes the level while the manager runs, and rejects an unknown level', async () => {
  const { log, instance } = givenPino();
  log.level = 'warn';
  assert.equal(instance.level, 'warn');
  const unknown = { code: 'INVALID_LOG_OPTIONS', message: /level 'loud'/ };
  assert.throws(() => {
    log.level = 'loud';
  }, unknown);
  const own = new ManagerLog({ logger: undefined, log: { level: 'silent' }, levelSignal: false });
  assert.equal(own.level, undefined);
  assert.throws(
    () => {
      own.level = 'debug';
    },
    { code: 'INVALID_LOG_OPTIONS', message: /not open/ },
  );
  await own.open();
  own.level = 'error';
  assert.equal(own.level, 'error');
  assert.throws(
    () => {
      own.level = 'loud';
    },
    { code: 'INVALID_LOG_OPTIONS', message: /'loud'/ },
  );
});

test('rejects a level change for a logger that is not pino', () => {
  const log = new ManagerLog({ logger: new SilentLogger(), log: {}, levelSignal: false });
  assert.throws(
    () => {
      log.level = 'debug';
    },
    { code: 'INVALID_LOG_OPTIONS', message: /not a pino instance/ },
  );
});

test('listens to SIGUSR2 by default only in a Pod, and not if the program handles the signals', () => {
  const pod = { env: { KUBERNETES_SERVICE_HOST: '10.0.0.1' }, args: [] };
  const signalOf = (options: Parameters<typeof resolveManagerOptions>[0]) => resolveManagerOptions(options).levelSignal;
  assert.equal(signalOf({ settings: pod }), 'SIGUSR2');
  assert.equal(signalOf({ settings: { env: {}, args: [] } }), false);
  assert.equal(signalOf({ settings: pod, signals: false }), false);
  assert.equal(signalOf({ settings: pod, signals: ['SIGUSR2'] }), false);
  assert.equal(signalOf({ settings: { env: {}, args: ['--log-level-signal=SIGHUP'] } }), 'SIGHUP');
  assert.throws(() => signalOf({ logLevelSignal: 'SIGKILL' as never }), { code: 'INVALID_MANAGER' });
});
