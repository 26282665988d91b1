import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecordingLogger } from '../test-support/recording-logger.js';
import { LateLogger } from './late-logger.js';

test('[OT-11] writes the stored lines, with the fields of their loggers, when a logger is set', () => {
  const late = new LateLogger();
  const child = late.with({ controller: 'foo' });
  const grandchild = child.with({ object: 'Foo default/a' });
  late.info('first');
  grandchild.warn('second', { attempt: 2 });
  const log = new RecordingLogger();
  late.to(log);
  child.error('third', { controller: 'other' });
  late.with({ name: 'x' }).debug('fourth');
  assert.deepEqual(log.lines, [
    { level: 'info', message: 'first', fields: {} },
    { level: 'warn', message: 'second', fields: { controller: 'foo', object: 'Foo default/a', attempt: 2 } },
    { level: 'error', message: 'third', fields: { controller: 'other' } },
    { level: 'debug', message: 'fourth', fields: { name: 'x' } },
  ]);
});

test('[OT-11] uses only the first logger that is set', () => {
  const late = new LateLogger();
  const [first, second] = [new RecordingLogger(), new RecordingLogger()];
  late.to(first);
  late.to(second);
  late.info('line');
  assert.equal(first.lines.length, 1);
  assert.deepEqual(second.lines, []);
});

test('keeps at most 1,000 lines, and writes the number of dropped lines', () => {
  const late = new LateLogger();
  for (let line = 0; line < 1500; line++) late.info(`line ${line}`);
  const log = new RecordingLogger();
  late.to(log);
  assert.equal(log.lines.length, 1001);
  assert.deepEqual(log.lines.at(-1)?.fields, { lines: 500 });
});
