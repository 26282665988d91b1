import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { SourceMap, type SourceMapping } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { BUNDLE_CHUNKS } from 'create-operator';
import type { Project } from '../project/project.js';
import { type Bundle, bundle } from './bundle.js';
import { withoutRedundantNames } from './redundant-names.js';

/** A module with a function of every form, and classes that refer to themselves. */
const FORMS = `
export class Foo { static self = Foo; create() { return new Foo(); } }
let Bar = class Bar extends Foo {};
const decorated = Bar;
const arrow = () => 1;
const expression = function () {};
const named = function other() {};
function declared(option = () => 2) {
  function inner() {}
  const local = (value) => value;
  let later;
  later = async () => 3;
  return [inner, local, later, option];
}
const object = { short() {}, arrow: () => 4, 'a-b': function* () {}, __proto__: null };
class Fields { field = () => 5; static { this.done = () => 6; } }
export const functions = [
  Foo, Bar, decorated, arrow, expression, named, declared, ...declared(), object.short, object.arrow, object['a-b'],
  Fields, new Fields().field, Fields.done, class {}, () => 7,
];
`;
const NAMES = 'Foo Bar Bar arrow expression other declared inner local later option short arrow a-b Fields field'
  .split(' ')
  .concat('', '', '');
const FAILING = `  const fail = (text = 'ü') => { throw new Error(text); };`;
/** Two modules that declare the same names, so that esbuild renames the declarations of one of them. */
const FILES = {
  'forms.js': FORMS,
  'main.js': `import { functions as others } from './forms.js';
import { broken } from './broken.js';
${FORMS}
export const names = [functions, others].map((list) => list.map(({ name }) => name));
export { broken };
`,
  'broken.js': `export const broken = () => {
${FAILING}
  fail();
};
`,
};

/** Bundles files in a temporary folder, and calls a function with the bundle. */
async function withBundleOf(
  files: Readonly<Record<string, string>>,
  check: (built: Bundle) => Promise<void>,
): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'kubewright-bundle-'));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text);
    await check(await bundle({ root, main: 'main.js' } as unknown as Project));
  } finally {
    await rm(root, { recursive: true });
  }
}

/** Bundles the files above, and calls a function with the code and the exports of the bundle. */
async function withBundle(
  check: (built: { code: string; map: SourceMap; exports: Record<string, unknown> }) => void,
): Promise<void> {
  await withBundleOf(FILES, async ({ file }) => {
    const map = new SourceMap(JSON.parse(await readFile(`${file}.map`, 'utf8')));
    const exports = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
    check({ code: await readFile(file, 'utf8'), map, exports });
  });
}

/** Returns the sources of a file of a bundle and of all files that it imports statically, relative to the repository. */
async function sourcesAtStart(file: string, found = new Set<string>()): Promise<ReadonlySet<string>> {
  const { sources } = JSON.parse(await readFile(`${file}.map`, 'utf8')) as { readonly sources: readonly string[] };
  for (const source of sources) found.add(resolve(dirname(file), source));
  const code = await readFile(file, 'utf8');
  const imported = [...code.matchAll(/^(?:import|\} from|export \*).*"(\.{1,2}\/.*?\.mjs)";$/gm)];
  for (const [, path = ''] of imported) await sourcesAtStart(resolve(dirname(file), path), found);
  return found;
}

describe('bundle', () => {
  it('keeps the names of classes and functions, also of those that esbuild renames', async () => {
    await withBundle(({ exports }) => assert.deepEqual(exports.names, [NAMES, NAMES]));
  });

  it('does not set the name of a function that has this name without a call', async () => {
    await withBundle(({ code }) => {
      const names = [...code.matchAll(/__name\([^;]*?"([^"]*)"\)/g)].map(([, name]) => name);
      const renamed = ['arrow', 'declared', 'expression', 'other'];
      assert.deepEqual(new Set(names), new Set(['Bar', 'Fields', 'Foo', ...renamed]));
      assert.equal(names.filter((name) => name === 'arrow').length, 1);
    });
  });

  it('writes a source map with the positions of the bundle', async () => {
    await withBundle(({ code, map }) => {
      const before = code.slice(0, code.indexOf('new Error(text)')).split('\n');
      const found = map.findEntry(before.length - 1, before.at(-1)?.length ?? 0) as SourceMapping;
      assert.match(found.originalSource, /broken\.js$/);
      assert.deepEqual([found.originalLine, found.originalColumn], [1, FAILING.indexOf('new Error')]);
    });
  });
});

/** The smallest operator: a manager with one controller. */
const OPERATOR = `import { ConfigMap } from '${modulePath('@kubewright/api/core/v1')}';
import { Manager, Result } from '${modulePath('@kubewright/runtime')}';
const manager = new Manager();
manager.control({ for: ConfigMap, name: 'config-map' }, async () => Result.done());
await manager.start();
`;

function modulePath(specifier: string): string {
  return fileURLToPath(import.meta.resolve(specifier));
}

describe('the bundle of an operator', () => {
  it('starts with reflect-metadata, and contains other packages in chunks that are loaded on demand', async () => {
    await withBundleOf({ 'main.js': OPERATOR }, async ({ bytes, packages, atStart }) => {
      const names = atStart.packages.map(({ name }) => name);
      assert.deepEqual(names.toSorted(), ['(own)', 'reflect-metadata']);
      const onDemand = [
        '@kubernetes/client-node',
        '@peculiar/x509',
        'js-yaml',
        'pino',
        'prom-client',
        'tsyringe',
        'undici',
      ];
      for (const name of onDemand)
        assert.ok(
          packages.some((each) => each.name === name),
          name,
        );
      assert.ok(atStart.bytes < bytes * 0.4, `${atStart.bytes} of ${bytes}`);
    });
  });

  it('does not start with code of unused features', async () => {
    await withBundleOf({ 'main.js': OPERATOR }, async ({ file }) => {
      const sources = [...(await sourcesAtStart(file))];
      assert.ok(sources.length > 0);
      const features =
        /\/runtime\/(?:src|dist)\/(?:certificates\/managed|manager\/plan\/|rbac\/webhook-conf|transport\/kubeconfig\/kubeconfig-conn)|\/api\/(?:src|dist)\/generated\/all-def/;
      assert.deepEqual(
        sources.filter((source) => features.test(source)),
        [],
      );
    });
  });

  it('loads CommonJS packages from chunks: loggers, metrics and certificates', async () => {
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

  it('contains only the used code of a package that an unused module imports dynamically', async () => {
    await withBundleOf({ 'main.js': OPERATOR }, async ({ packages }) => {
      // `toClientNode`, which is not used, imports all models of client-node: 13 MB.
      const { bytes = 0 } = packages.find(({ name }) => name === '@kubernetes/client-node') ?? {};
      assert.ok(bytes < 2_000_000, `${bytes}`);
    });
  });

  it('replaces the chunks of an earlier build', async () => {
    const main = 'await import("./lazy.js");';
    await withBundleOf({ 'main.js': main, 'lazy.js': 'export const lazy = 1;' }, async ({ file }) => {
      const root = dirname(dirname(file));
      const chunks = join(root, BUNDLE_CHUNKS);
      const before = await readdir(chunks);
      await writeFile(join(root, 'lazy.js'), 'export const lazy = 2;');
      await bundle({ root, main: 'main.js' } as unknown as Project);
      const after = await readdir(chunks);
      assert.equal(after.length, before.length);
      assert.notDeepEqual(after, before);
    });
  });
});

describe('withoutRedundantNames', () => {
  it('keeps the length of every line', () => {
    const code = 'function f() {}\n__name(f, "f");\nvar g = /* @__PURE__ */ __name(() => "ü", "g");\n';
    const edited = withoutRedundantNames(code);
    assert.doesNotMatch(edited, /__name/);
    const lengths = (text: string): number[] => text.split('\n').map(({ length }) => length);
    assert.deepEqual(lengths(edited), lengths(code));
  });

  it('keeps a call that sets another name, and a call in any other place', () => {
    for (const code of [
      'function f2() {}\n__name(f2, "f");',
      'var g2 = __name(() => 1, "g");',
      'var h = __name(function other() {}, "h");',
      'call(__name(() => 1, "i"));',
      'var j = { __proto__: __name(() => 1, "__proto__") };',
      'var k = class { static { __name(this, "k"); } };',
      'var l = __name(value, "l");',
    ]) {
      assert.equal(withoutRedundantNames(code), code);
    }
  });
});
