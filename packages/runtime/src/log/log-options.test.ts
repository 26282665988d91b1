import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LogOptions, resolveLogOptions } from './log-options.js';
import { PinoLogger, type PinoLoggerOptions } from './pino-logger.js';

const resolve = (options: LogOptions, env: Record<string, string> = {}, isTerminal = false) =>
  resolveLogOptions(options, { env, isTerminal });

/** Returns the lines that a logger with these options writes if the same error is logged at each level. */
async function written(options: PinoLoggerOptions): Promise<readonly Record<string, unknown>[]> {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = await PinoLogger.create({ format: 'json', ...options, destination });
  for (const level of ['debug', 'info', 'warn', 'error'] as const) logger[level](level, { error: new Error('broken') });
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}
const messages = async (options: PinoLoggerOptions) => (await written(options)).map(({ msg }) => msg);
const withStack = async (options: PinoLoggerOptions) =>
  (await written({ level: 'debug', ...options }))
    .filter(({ error }) => (error as { stack?: string }).stack !== undefined)
    .map(({ msg }) => msg);

test('[OT-14] omits lines below the minimum level', async () => {
  assert.deepEqual(await messages({}), ['info', 'warn', 'error']);
  assert.deepEqual(await messages({ level: 'debug' }), ['debug', 'info', 'warn', 'error']);
  assert.deepEqual(await messages({ level: 'error' }), ['error']);
  assert.deepEqual(await messages({ level: 'silent' }), []);
});

test('[OT-14] accepts a number as a verbosity', async () => {
  assert.deepEqual(await messages({ level: 0 }), ['info', 'warn', 'error']);
  assert.deepEqual(await messages({ level: 4 }), ['debug', 'info', 'warn', 'error']);
  assert.equal(resolve({}, { KUBEWRIGHT_LOG_LEVEL: '2' }).level, 'debug');
});

test('[OT-14] logs the stacks of errors from a configurable level, by default warn in pretty format and error in JSON', async () => {
  assert.deepEqual(await withStack({}), ['error']);
  assert.deepEqual(await withStack({ stacks: 'info' }), ['info', 'warn', 'error']);
  assert.deepEqual(await withStack({ stacks: 'silent' }), []);
  assert.equal(resolve({ format: 'pretty' }).stacks, 'warn');
});

test('[OT-14] writes times in the requested format', async () => {
  const timeOf = async (options: PinoLoggerOptions) => (await written(options))[0]?.time;
  assert.match(String(await timeOf({})), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const now = Date.now();
  const [ms, s] = [Number(await timeOf({ time: 'epoch-ms' })), Number(await timeOf({ time: 'epoch-s' }))];
  assert.ok(Math.abs(ms - now) < 60_000 && Math.abs(s - now / 1000) < 60);
  assert.equal(await timeOf({ time: 'none' }), undefined);
});

test('[OT-14] defaults to the pretty format on a terminal, and to JSON otherwise', async () => {
  assert.equal(resolve({}, {}, true).format, 'pretty');
  assert.equal(resolve({}, {}, false).format, 'json');
  assert.equal(resolve({}, { KUBEWRIGHT_LOG_FORMAT: 'json' }, true).format, 'json');
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  (await PinoLogger.create({ format: 'pretty', destination })).info('hello', { replicas: 2 });
  assert.match(lines.join(''), /INFO.*hello.*"replicas":2/);
});

test('[OT-14] options take precedence over environment variables, and empty variables are ignored', () => {
  const env = {
    KUBEWRIGHT_LOG_LEVEL: ' DEBUG ',
    KUBEWRIGHT_LOG_FORMAT: 'pretty',
    KUBEWRIGHT_LOG_STACKS: 'info',
    KUBEWRIGHT_LOG_TIME: '',
  };
  assert.deepEqual(resolve({}, env), { level: 'debug', format: 'pretty', stacks: 'info', time: 'iso8601' });
  assert.equal(resolve({ level: 'error' }, env).level, 'error');
});

test('[OT-14] the error for an unknown level, format or time names the option or the variable', () => {
  const wrong = (options: object, env: Record<string, string>, message: RegExp) =>
    assert.throws(() => resolve(options, env), { code: 'INVALID_LOG_OPTIONS', message });
  wrong({}, { KUBEWRIGHT_LOG_LEVEL: 'loud' }, /KUBEWRIGHT_LOG_LEVEL is 'loud'.*debug, info, warn, error, silent/);
  wrong({}, { KUBEWRIGHT_LOG_FORMAT: 'xml' }, /KUBEWRIGHT_LOG_FORMAT/);
  wrong({}, { KUBEWRIGHT_LOG_TIME: 'stardate' }, /KUBEWRIGHT_LOG_TIME/);
  wrong({ time: 'stardate' }, {}, /log option time is 'stardate'/);
  wrong({ stacks: 'panic' }, {}, /log option stacks/);
  wrong({ level: -1 }, {}, /log option level is -1;/);
  wrong({ time: { unit: 's' } }, {}, /log option time is \{ unit: … \};/);
});
