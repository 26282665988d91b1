import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { oldSpaceBytes } from './old-space.js';

const MiB = 1024 * 1024;

test('the old-space size is the heap limit of V8 if no flag is set', () => {
  assert.equal(oldSpaceBytes(4000 * MiB, ['--enable-source-maps'], undefined), 4000 * MiB);
});

test('the old-space size is the size in the last --max-old-space-size flag', () => {
  assert.equal(oldSpaceBytes(312 * MiB, ['--max-old-space-size=120'], undefined), 120 * MiB);
  assert.equal(
    oldSpaceBytes(312 * MiB, ['--max_old_space_size=500', '--max-old-space-size=120'], undefined),
    120 * MiB,
  );
});

test('the old-space size does not exceed the heap limit of V8', () => {
  assert.equal(oldSpaceBytes(100 * MiB, ['--max-old-space-size=120'], undefined), 100 * MiB);
});

test('the old-space size of a worker thread is its resource limit, unless a flag is set', async () => {
  assert.equal(oldSpaceBytes(300 * MiB, [], 40), 40 * MiB);
  assert.equal(oldSpaceBytes(300 * MiB, ['--max-old-space-size=120'], 40), 120 * MiB);
  const source = `import { parentPort } from 'node:worker_threads';
    import { oldSpaceBytes } from ${JSON.stringify(new URL('./old-space.js', import.meta.url).href)};
    parentPort.postMessage(oldSpaceBytes());`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), {
    resourceLimits: { maxOldGenerationSizeMb: 30 },
  });
  assert.equal(await new Promise((resolve) => worker.once('message', resolve)), 30 * MiB);
});
