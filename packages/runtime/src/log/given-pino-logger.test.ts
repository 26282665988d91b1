import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Logger as Pino, type LoggerOptions, pino } from 'pino';
import { GivenPinoLogger } from './given-pino-logger.js';
import { isPinoInstance } from './pino-instance.js';
import { SilentLogger } from './silent-logger.js';
import { withLevelsOf } from './with-levels-of.js';

type Line = Readonly<Record<string, unknown>>;

/** Creates a pino instance with these options and a logger for it. Returns the instance, the logger and the written lines. */
function logging<L extends string = never>(options: LoggerOptions<L> = {}) {
  const lines: Line[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Line) };
  const root: Pino<L> = pino({ base: null, timestamp: false, ...options }, destination);
  return { root, lines, logger: GivenPinoLogger.of(root) };
}

test('uses the levels, formatters, base fields and redaction of the instance', () => {
  const { lines, logger } = logging({
    base: { service: 'dns' },
    messageKey: 'message',
    formatters: { level: (severity) => ({ severity }) },
    redact: ['zone.owner'],
  });
  logger.with({ controller: 'zone' }).warn('slow', { zone: { name: 'a', owner: 'jane' } });
  logger.debug('not written');
  assert.deepEqual(lines, [
    { severity: 'warn', service: 'dns', controller: 'zone', zone: { name: 'a', owner: '[Redacted]' }, message: 'slow' },
  ]);
});

test('with() returns a logger for a child of the instance', () => {
  const children: unknown[] = [];
  const { root, lines, logger } = logging({ onChild: (child) => void children.push(child) });
  const own = GivenPinoLogger.of(root.child({ component: 'operator' }));
  children.splice(0);
  own.with({ controller: 'zone' }).with({ object: 'Zone a' }).info('reconciled');
  assert.equal(children.length, 1);
  assert.ok(isPinoInstance(children[0]));
  assert.deepEqual(lines, [
    { level: 30, component: 'operator', controller: 'zone', object: 'Zone a', msg: 'reconciled' },
  ]);
  assert.notEqual(own, logger);
});

test('passes fields to the serializers of the instance without changes', () => {
  const { lines, logger } = logging({
    serializers: { zone: ({ name }: { name: string }) => `zone ${name}`, token: (token: string) => token.length },
  });
  logger.with({ zone: { name: 'a' } }).info('read', { token: 'abc', password: 'secret' });
  assert.deepEqual(lines, [{ level: 30, zone: 'zone a', token: 3, password: '***', msg: 'read' }]);
});

test('writes an error under the errorKey of the instance with its serializer, and masks secrets in the error', () => {
  class ZoneError extends Error {
    readonly code = 'NO_ZONE';
    readonly #zone = 'a';
    get zone(): string {
      return this.#zone;
    }
  }
  const error = new ZoneError('refused: Authorization: Bearer abcdefghijkl', { cause: new Error('offline') });
  for (const errorKey of ['err', 'failure']) {
    const { lines, logger } = logging({ errorKey, serializers: { [errorKey]: pino.stdSerializers.err } });
    logger.with({ controller: 'zone' }).error('failed', { error, attempt: 2 });
    const { [errorKey]: written, ...others } = lines[0] ?? {};
    assert.deepEqual(others, { level: 50, controller: 'zone', attempt: 2, msg: 'failed' });
    const { type, message, stack, code } = written as Record<string, string>;
    assert.deepEqual([type, message, code], ['ZoneError', 'refused: Authorization: Bearer ***: offline', 'NO_ZONE']);
    assert.ok(stack?.includes('at ') && !stack.includes('abcdefghijkl'));
  }
});

test('uses the nearest level of an instance that has only custom levels', () => {
  const { root, lines, logger } = logging({
    customLevels: { notice: 35, alarm: 60 },
    useOnlyCustomLevels: true,
    level: 'notice',
  });
  logger.info('started');
  logger.error('failed');
  assert.deepEqual(
    lines.map(({ level, msg }) => [level, msg]),
    [
      [35, 'started'],
      [60, 'failed'],
    ],
  );
  root.level = 'alarm';
  logger.info('not written');
  assert.equal(lines.length, 2);
});

test('a change of the level of the logger or of the instance applies to all loggers', () => {
  const { root, lines, logger } = logging();
  const child = logger.with({ controller: 'zone' });
  child.debug('not written');
  logger.level = 'debug';
  child.debug('written');
  root.level = 'error';
  child.info('not written');
  assert.deepEqual(
    lines.map(({ msg }) => msg),
    ['written'],
  );
  assert.throws(() => {
    logger.level = 'loud';
  }, /unknown level loud/);
});

test('withLevelsOf returns the logger with the levels of the instance, and secrets in these lines are masked', () => {
  const { root, lines, logger } = logging({
    customLevels: { audit: 35 },
    redact: ['owner'],
    serializers: { zone: ({ name }: { name: string }) => `zone ${name}` },
  });
  const log = withLevelsOf(logger.with({ controller: 'zone' }), root);
  const child = log.child({ record: 'www' });
  log.audit('token=abcdefghijkl', { zone: { name: 'a' }, owner: 'jane', password: 'secret' });
  child.audit('removed', { error: new Error('offline') });
  child.with({ attempt: 2 }).fatal('lost');
  child.trace('not written');
  // @ts-expect-error: the instance does not have this level
  assert.equal(log.notice, undefined);
  const [first, second, third] = lines;
  assert.equal(lines.length, 3);
  assert.deepEqual(first, {
    level: 35,
    controller: 'zone',
    zone: 'zone a',
    owner: '[Redacted]',
    password: '***',
    msg: 'token=***',
  });
  const { level, controller, record, err } = second ?? {};
  assert.deepEqual([level, controller, record], [35, 'zone', 'www']);
  assert.equal((err as Error).message, 'offline');
  assert.deepEqual(third, { level: 60, controller: 'zone', record: 'www', attempt: 2, msg: 'lost' });
  root.level = 'error';
  child.audit('not written');
  assert.equal(lines.length, 3);
});

test('withLevelsOf writes to the pino instance if the logger does not have the custom levels', () => {
  const { root, lines } = logging({ customLevels: { audit: 35 } });
  const { logger } = logging();
  for (const log of [new SilentLogger(), logger.with({ controller: 'zone' })]) {
    withLevelsOf(log, root).audit('removed', { password: 'secret' });
  }
  const line = { level: 35, password: '***', msg: 'removed' };
  assert.deepEqual(lines, [line, line]);
});

test('a custom level with the name of a method of the logger does not replace this method', () => {
  const { lines, logger } = logging({ customLevels: { with: 35 } });
  logger.with({ controller: 'zone' }).info('read');
  assert.deepEqual(lines, [{ level: 30, controller: 'zone', msg: 'read' }]);
});
