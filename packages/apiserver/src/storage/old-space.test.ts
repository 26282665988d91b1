import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { oldSpaceBytes } from './old-space.js';

const MiB = 1024 * 1024;

test('without a flag, the space for long-lived objects is the limit of V8', () => {
  assert.equal(oldSpaceBytes(4000 * MiB, ['--enable-source-maps'], undefined), 4000 * MiB);
});

test('the space for long-lived objects is the size that a flag sets, without the space for new objects', () => {
  assert.equal(oldSpaceBytes(312 * MiB, ['--max-old-space-size=120'], undefined), 120 * MiB);
  assert.equal(
    oldSpaceBytes(312 * MiB, ['--max_old_space_size=500', '--max-old-space-size=120'], undefined),
    120 * MiB,
  );
});

test('the space for long-lived objects is not larger than the limit of V8', () => {
  assert.equal(oldSpaceBytes(100 * MiB, ['--max-old-space-size=120'], undefined), 100 * MiB);
});

test('a thread has the space of its resource limit, unless a flag replaces the limit', async () => {
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
