import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Tests that fail outside of their function, and tests that are declared after asynchronous work. */
const SOURCE = `import { AsyncLocalStorage } from 'node:async_hooks';
import { after, before, describe, it, test } from 'node:test';
const delay = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const storage = new AsyncLocalStorage();
describe('outer', { concurrency: 2 }, () => {
  before(() => delay(1));
  it('passes', () => delay(5));
  it('fails because of a rejection', async () => { await delay(1); Promise.reject(new Error('late')); await delay(50); });
  describe('inner', async () => { await delay(3); it('is declared late', () => {}); });
  after(() => delay(1));
});
await describe('file', async () => { await delay(1); test('is declared in a suite', () => {}); await delay(1); test('is also in the suite', () => {}); });
test('fails because of a timer', async (t) => {
  await delay(1);
  await t.test('subtest', () => {});
  setTimeout(() => { throw new Error('uncaught'); }, 1);
  await delay(1000);
});
test('fails because of an emitter', async () => {
  const emitter = new (await import('node:events')).EventEmitter();
  storage.run(1, () => queueMicrotask(() => process.nextTick(() => emitter.emit('error', new Error('emitted')))));
  await delay(1000);
});
test('passes at the end', () => {});
`;

test('with the hook for tests, the runner attributes errors and late tests like without the hook', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kubewright-hooks-'));
  try {
    await writeFile(join(folder, 'a.test.mjs'), SOURCE);
    await writeFile(
      join(folder, 'reporter.mjs'),
      `export default async function* (events) {
        for await (const { type, data: { name, nesting, details } } of events)
          if (type === 'test:pass' || type === 'test:fail')
            yield JSON.stringify([type, nesting, name, details.error?.failureType, details.error?.cause?.message]) + '\\n';
      }`,
    );
    const results = async (flags: readonly string[]): Promise<string> => {
      const output = join(folder, 'output');
      const reporter = [`--test-reporter=${join(folder, 'reporter.mjs')}`, `--test-reporter-destination=${output}`];
      const { NODE_TEST_CONTEXT: _, ...env } = process.env;
      await new Promise((resolve) => {
        const args = [...flags, '--test', ...reporter, join(folder, 'a.test.mjs')];
        execFile(process.execPath, args, { env }, resolve);
      });
      return await readFile(output, 'utf8');
    };
    const expected = await results([]);
    assert.equal(expected.match(/"test:fail"/g)?.length, 4, expected);
    assert.match(expected, /"late"[^]*"uncaught"[^]*"emitted"/);
    const hooks = pathToFileURL(join(root, 'scripts', 'test-hooks.mjs')).href;
    assert.equal(await results([`--import=${hooks}`]), expected);
  } finally {
    await rm(folder, { recursive: true });
  }
});
