import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { withBundleOf } from '../test-support/with-bundle-of.js';

/** The smallest operator: a manager with one controller. */
const OPERATOR = `import { ConfigMap } from '${modulePath('@kubewright/api/core/v1')}';
import { Manager, Result } from '${modulePath('@kubewright/runtime')}';
const manager = new Manager();
manager.control({ for: ConfigMap, name: 'config-map' }, async () => Result.done());
await manager.start();
`;

const ON_DEMAND = ['@kubernetes/client-node', '@peculiar/x509', 'js-yaml', 'pino', 'prom-client', 'tsyringe', 'undici'];
const UNUSED =
  /\/runtime\/(?:src|dist)\/(?:certificates\/managed|serving\/self-signed|manager\/plan\/|rbac\/webhook-conf|transport\/kubeconfig\/kubeconfig-conn)|\/api\/(?:src|dist)\/(?:generated\/all-def|certificates\/)/;

function modulePath(specifier: string): string {
  return fileURLToPath(import.meta.resolve(specifier));
}

/** Returns a file of a bundle, and all files that it imports statically. */
async function filesAtStart(file: string): Promise<readonly string[]> {
  const found = new Set([file]);
  for (const each of found) {
    const code = await readFile(each, 'utf8');
    for (const [, path = ''] of code.matchAll(/(?:from|import)"(\.{1,2}\/[^"]+\.mjs)"/g))
      found.add(resolve(dirname(each), path));
  }
  return [...found];
}

/** Returns the absolute paths of the sources of a file. */
async function sourcesOf(file: string): Promise<readonly string[]> {
  const { sources } = JSON.parse(await readFile(`${file}.map`, 'utf8')) as { readonly sources: readonly string[] };
  return sources.map((source) => resolve(dirname(file), source));
}

test('the bundle of the smallest operator', async (t) => {
  await withBundleOf({ 'main.js': OPERATOR }, async ({ file, bytes, packages, atStart }) => {
    await t.test(
      'starts with reflect-metadata, and contains other packages in chunks that are loaded on demand',
      () => {
        const names = atStart.packages.map(({ name }) => name);
        assert.deepEqual(names.toSorted(), ['(own)', 'reflect-metadata']);
        for (const name of ON_DEMAND)
          assert.ok(
            packages.some((each) => each.name === name),
            name,
          );
        assert.ok(atStart.bytes < bytes * 0.4, `${atStart.bytes} of ${bytes}`);
      },
    );

    await t.test('starts with the main file and one chunk, which contain no code of unused features', async () => {
      const files = await filesAtStart(file);
      assert.equal(files.length, 2);
      const sources = (await Promise.all(files.map(sourcesOf))).flat();
      assert.ok(sources.some((source) => source.includes('/api/')));
      assert.deepEqual(
        sources.filter((source) => UNUSED.test(source)),
        [],
      );
    });

    await t.test('contains only the used code of a package that an unused module imports dynamically', () => {
      // `toClientNode`, which is not used, imports all models of client-node: 13 MB.
      const { bytes: used = 0 } = packages.find(({ name }) => name === '@kubernetes/client-node') ?? {};
      assert.ok(used < 2_000_000, `${used}`);
    });
  });
});

test('a bundle loads CommonJS packages from chunks: loggers, metrics and certificates', async () => {
  const main = `import { Metrics, PinoLogger } from '${modulePath('@kubewright/runtime')}';
import { createAuthority } from '${modulePath('@kubewright/runtime/internal')}';
const lines = [];
const destination = { write: (line) => lines.push(line) };
for (const format of ['json', 'pretty']) (await PinoLogger.create({ format, destination })).info('hello');
export const texts = [...lines, await new Metrics().text()];
const notBefore = new Date();
export const { cert } = await createAuthority({ notBefore, notAfter: new Date(notBefore.getTime() + 60_000) });
`;
  await withBundleOf({ 'main.js': main }, async ({ file }) => {
    const { texts, cert } = (await import(pathToFileURL(file).href)) as { texts: readonly string[]; cert: string };
    const [json = '', pretty = '', metrics = ''] = texts;
    assert.equal((JSON.parse(json) as { msg: string }).msg, 'hello');
    assert.match(pretty, /INFO.*hello/);
    assert.match(metrics, /^process_cpu_seconds_total /m);
    assert.ok(new X509Certificate(cert).ca);
  });
});
