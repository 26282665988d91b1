import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PinoLogger } from './pino-logger.js';

function lines(): { readonly written: string[]; write(line: string): void } {
  const written: string[] = [];
  return { written, write: (line) => void written.push(line) };
}

test('a line contains its level, its message and the fields of all parent loggers', async () => {
  const destination = lines();
  const logger = await PinoLogger.create({ level: 'info', format: 'json', destination });
  logger.with({ controller: 'foo' }).with({ object: 'Foo default/a' }).info('synced', { replicas: 2 });
  const { time, ...line } = JSON.parse(destination.written[0] ?? '') as Record<string, unknown>;
  assert.deepEqual(line, { level: 'info', controller: 'foo', object: 'Foo default/a', replicas: 2, msg: 'synced' });
  assert.ok(typeof time === 'string');
});

test('masks secrets and does not write lines below the level', async () => {
  const destination = lines();
  const logger = await PinoLogger.create({ level: 'info', format: 'json', destination });
  logger.debug('nothing');
  logger.error('failed', { password: 'x', error: new Error('broken') });
  assert.equal(destination.written.length, 1);
  const line = JSON.parse(destination.written[0] ?? '') as { password: string; error: { message: string } };
  assert.equal(line.password, '***');
  assert.equal(line.error.message, 'broken');
});
