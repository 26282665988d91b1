import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventEncoder } from './event-encoder.js';

const largeText = 'a'.repeat(1024 * 1024);

test('encodes an object once for all watches that send the same type of event', () => {
  const encoder = new EventEncoder();
  const [first, second] = [{ name: 'a' }, { name: 'b' }];
  const line = encoder.line('ADDED', first);
  encoder.line('ADDED', second);
  encoder.line('MODIFIED', first);
  assert.equal(encoder.line('ADDED', first), line);
  assert.equal(Buffer.from(line).toString(), '{"type":"ADDED","object":{"name":"a"}}\n');
});

test('removes the oldest cached lines when the total size exceeds 4 MiB', () => {
  const encoder = new EventEncoder();
  const objects = Array.from({ length: 5 }, () => ({ text: largeText }));
  const lines = objects.map((object) => encoder.line('ADDED', object));
  assert.equal(encoder.line('ADDED', objects[4] ?? {}), lines[4]);
  assert.notEqual(encoder.line('ADDED', objects[0] ?? {}), lines[0]);
});

test('caches the line of an object larger than 4 MiB until the next object is encoded', () => {
  const encoder = new EventEncoder();
  const large = { text: largeText.repeat(5) };
  const line = encoder.line('ADDED', large);
  assert.equal(encoder.line('ADDED', large), line);
  encoder.line('ADDED', { name: 'a' });
  assert.notEqual(encoder.line('ADDED', large), line);
});

test('does not cache the lines of bookmarks and errors', () => {
  const encoder = new EventEncoder();
  for (const type of ['BOOKMARK', 'ERROR']) {
    const object = { name: 'a' };
    const line = encoder.line(type, object);
    assert.notEqual(encoder.line(type, object), line);
    assert.deepEqual(encoder.line(type, object), line);
  }
});
