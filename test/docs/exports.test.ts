import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { root } from './markdown-pages.js';

const reexport = /^export (?:type )?\{(?<names>[^}]*)\} from '(?<from>\.[^']+)\.js';$/gm;

interface Exported {
  readonly name: string;
  readonly path: string;
}

/** Returns the exports of the entry point of a package, each with the file that declares the export. */
function exportsOf(name: string): readonly Exported[] {
  const index = join('packages', name, 'src', 'index.ts');
  return [...readFileSync(join(root, index), 'utf8').matchAll(reexport)].flatMap(({ groups = {} }) => {
    const path = join(dirname(index), `${groups['from']}.ts`);
    const names = (groups['names'] ?? '').split(',').map((each) => each.trim().replace(/^type /, ''));
    return names.filter((each) => each !== '').map((each) => ({ name: each, path }));
  });
}

/** Whether a doc comment precedes the declaration. Decorators may be in between. */
function isDocumented({ name, path }: Exported): boolean {
  const text = readFileSync(join(root, path), 'utf8');
  const declared = new RegExp(
    String.raw`\*/\n(?:@.*\n)*export (?:declare |abstract |async )*(?:class|interface|function\*?|const|type) ${name}\b`,
  );
  return declared.test(text);
}

test('everything that the packages export has a doc comment', () => {
  const exported = ['api', 'runtime', 'testing', 'apiserver', 'cli'].flatMap(exportsOf);
  assert.ok(exported.length > 250);
  assert.deepEqual(
    exported.filter((each) => !isDocumented(each)).map(({ name, path }) => `${name} in ${path}`),
    [],
  );
});

/** Option types that have no section in a reference page, because programs only implement or pass on these options. */
const PARTS = new Set(['CommonRequestOptions', 'RequestOptions', 'ServedLeaseOptions']);

test('the tests of the reference pages check all exported options', () => {
  const tests = ['options-page', 'decorators-page'].map((name) =>
    readFileSync(join(root, 'test', 'docs', `${name}.test.ts`), 'utf8'),
  );
  const held = new Set(
    tests.flatMap((text) => [...text.matchAll(/\b(\w+(?:Options|Settings|Hooks))\b/g)].map(([, name]) => name)),
  );
  const exported = ['api', 'runtime', 'testing'].flatMap(exportsOf).map(({ name }) => name);
  const options = exported.filter((name) => /^[A-Z]\w*(?:Options|Settings|Hooks)$/.test(name));
  assert.ok(options.length > 30);
  assert.deepEqual(
    options.filter((name) => !held.has(name) && !PARTS.has(name)),
    [],
  );
});
