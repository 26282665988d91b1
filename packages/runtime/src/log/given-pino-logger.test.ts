import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Logger as Pino, type LoggerOptions, pino } from 'pino';
import { GivenPinoLogger } from './given-pino-logger.js';
import { isPinoInstance } from './pino-instance.js';

type Line = Readonly<Record<string, unknown>>;

/** A logger on an instance of these options, and the lines that it wrote. */
function logging<L extends string = never>(options: LoggerOptions<L> = {}) {
  const lines: Line[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Line) };
  const root: Pino<L> = pino({ base: null, timestamp: false, ...options }, destination);
  return { root, lines, logger: GivenPinoLogger.of(root) };
}

test('writes through the instance with its levels, formatters, base fields and redaction', () => {
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

test('loggers that with() returns are children of the instance', () => {
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

test("hands fields to the instance's serializers as they are", () => {
  const { lines, logger } = logging({
    serializers: { zone: ({ name }: { name: string }) => `zone ${name}`, token: (token: string) => token.length },
  });
  logger.with({ zone: { name: 'a' } }).info('read', { token: 'abc', password: 'secret' });
  assert.deepEqual(lines, [{ level: 30, zone: 'zone a', token: 3, password: '***', msg: 'read' }]);
});

test('writes an error under the errorKey of the instance, with its serializer, and masks secrets in it', () => {
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

test('uses the nearest level of an instance with custom levels only', () => {
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

test('all loggers follow a change of the level, made here or at the instance', () => {
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
