import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { SourceMap, type SourceMapping } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { BUNDLE_CHUNKS } from 'create-operator';
import type { Project } from '../project/project.js';
import { withBundleOf } from '../test-support/with-bundle-of.js';
import { bundle } from './bundle.js';
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

describe('bundle', () => {
  it('keeps the names of classes and functions, also of those that esbuild renames', async () => {
    await withBundle(({ exports }) => assert.deepEqual(exports.names, [NAMES, NAMES]));
  });

  it('does not set the name of a function that has this name without a call', async () => {
    await withBundle(({ code }) => {
      // esbuild splits strings at the end of a line.
      const lines = code.replaceAll('\\\n', '');
      const names = [...lines.matchAll(/__name\([^;]*?"([^"]*)"\)/g)].map(([, name]) => name);
      const renamed = ['Fields', 'Foo', 'arrow', 'declared', 'expression', 'other'];
      assert.deepEqual(new Set(names), new Set(['Bar', ...renamed]));
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

  it('does not merge a chunk that waits at start for a chunk with other code of the start', async () => {
    const files = {
      'main.js': `import { waited } from './waiting.js';
import { shared } from './shared.js';
import { text } from './text.js';
export const values = [waited, shared, text, ...Object.values(await import('./second.js'))];`,
      'waiting.js': "export const waited = (await import('./lazy.js')).lazy;",
      'lazy.js': "import { shared } from './shared.js';\nexport const lazy = `lazy ${shared}`;",
      'second.js':
        "import { text } from './text.js';\nimport { waited } from './waiting.js';\nexport const second = `${text} ${waited}`;",
      'shared.js': "export const shared = 'shared';",
      'text.js': "export const text = 'text';",
    };
    await withBundleOf(files, async ({ file }) => {
      const { values } = (await import(pathToFileURL(file).href)) as { readonly values: unknown };
      assert.deepEqual(values, ['lazy shared', 'shared', 'text', 'text lazy shared']);
      const main = await readFile(file, 'utf8');
      assert.equal([...main.matchAll(/from"\.\//g)].length, 2);
    });
  });

  it('writes lines of about 120 characters without indentation', async () => {
    await withBundle(({ code }) => {
      const lines = code.trimEnd().split('\n').slice(0, -1);
      assert.ok(lines.every((line) => line.length < 200 && !line.startsWith(' ')));
      assert.ok(code.length > 80 * lines.length);
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

  it('removes the static block that sets the name of a class that has this name', () => {
    for (const [code, expected] of [
      ['var k = class { static { __name(this, "k"); } static a = 1; };', 'var k = class { static a = 1; };'],
      ['class k { static { __name(this, "k"); } name() {} }', 'class k { name() {} }'],
      [
        'var o = { k: class { static { __name(this, "k"); } #f = __name(() => 1, "#f"); } };',
        'var o = { k: class { #f = () => 1; } };',
      ],
    ] as const) {
      assert.equal(withoutRedundantNames(code).replaceAll(/ +/g, ' ').replaceAll(' ;', ';'), expected);
    }
  });

  it('keeps a call that sets another name, and a call in any other place', () => {
    for (const code of [
      'function f2() {}\n__name(f2, "f");',
      'var g2 = __name(() => 1, "g");',
      'var h = __name(function other() {}, "h");',
      'call(__name(() => 1, "i"));',
      'var j = { __proto__: __name(() => 1, "__proto__") };',
      'var k2 = class { static { __name(this, "k"); } };',
      'var k = class k2 { static { __name(this, "k"); } };',
      'var k = class { static { __name(this, "k"); } static name = 1; };',
      'var k = class { static { __name(this, "k"); } static [key]() {} };',
      'var k = class { static { __name(this, "k"); call(); } };',
      'call(class { static { __name(this, "k"); } });',
      'var l = __name(value, "l");',
    ]) {
      assert.equal(withoutRedundantNames(code), code);
    }
  });
});
