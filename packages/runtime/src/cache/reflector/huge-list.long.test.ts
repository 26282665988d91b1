import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SystemClock } from '@kubewright/api/clock';
import { configMap, CONFIG_MAPS } from '../../test-support/reflector-bench.js';
import { RecordingLogger } from '../../test-support/recording-logger.js';
import type { Transport } from '../../transport/sending/transport.js';
import { SharingParser } from '../parsing/sharing-parser.js';
import { SharedValues } from '../parsing/sharing-reader.js';
import { listPages } from './list-pages.js';
import { ObjectSource } from './object-source.js';

const GB = 1e9;

/** Yields a list of `count` objects in chunks. The objects have `bytes` bytes each. */
function* hugeList(count: number, bytes: number): Generator<Buffer> {
  yield Buffer.from('{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"10"},"items":[');
  const text = 'x'.repeat(bytes);
  for (let at = 0; at < count; at++) {
    const item = JSON.stringify(configMap(`name-${at % 5}`, String(at), { data: { text } }));
    yield Buffer.from(`${at === 0 ? '' : ','}${item}`);
  }
  yield Buffer.from(']}');
}

test('reads a list of 5 GB with little memory if the source keeps few of its objects', async () => {
  const [count, bytes] = [5000, 1e6];
  assert.ok(count * bytes >= 5 * GB);
  let maxBytes = 0;
  const body = {
    contentType: 'application/json',
    close: () => undefined,
    async *[Symbol.asyncIterator]() {
      for (const chunk of hugeList(count, bytes)) {
        const { heapUsed, external } = process.memoryUsage();
        maxBytes = Math.max(maxBytes, heapUsed + external);
        yield chunk;
      }
    },
  };
  const source = new ObjectSource({
    transport: { stream: () => Promise.resolve(body) } as unknown as Transport,
    resource: CONFIG_MAPS,
    names: new Set(['name-unknown']),
    parser: new SharingParser(new SharedValues(), 0),
    clock: new SystemClock(),
    logger: new RecordingLogger(),
  });
  const before = process.memoryUsage();
  for await (const page of listPages(source, { resourceVersion: '', signal: new AbortController().signal }))
    assert.deepEqual([page.objects.length, page.resourceVersion], [0, '10']);
  const grown = maxBytes - before.heapUsed - before.external;
  assert.ok(grown < 0.1 * GB, `${grown} bytes`);
});
