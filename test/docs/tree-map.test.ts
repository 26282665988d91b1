import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from './markdown-pages.js';

/** Names of the folders that the map does not list: folders that tools create, and folders with helpers for tests. */
const NOT_SHOWN = ['dist', 'node_modules', 'test-support'];

/** Returns the names of all folders in a folder, except folders that tools create, because other tests change these at the same time. */
function foldersIn(path: string): readonly string[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'dist' && entry.name !== 'node_modules')
    .flatMap(({ name }) => [name, ...foldersIn(join(path, name))]);
}

/** Returns the sections of the map in CONTRIBUTING.md, each by the folder that it describes. */
function sectionsOf(text: string): ReadonlyMap<string, string> {
  const [, map = ''] = /^## The map of the tree\n\n(.*?)^\S/ms.exec(text) ?? [];
  return new Map(map.split(/^ {4}(?=\S)/m).map((section) => [section.split(/\s/, 1)[0] ?? '', section]));
}

test('the map in CONTRIBUTING.md lists every folder of the packages and of the tests', () => {
  const sections = sectionsOf(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'));
  const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/src`);
  const missing = [...packages, 'create-operator/src', 'test/'].flatMap((folder) => {
    const section = sections.get(folder) ?? '';
    return readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !NOT_SHOWN.includes(entry.name))
      .filter(({ name }) => !new RegExp(`(^|[\\s,])${name}([/,]|\\s|$)`, 'm').test(section))
      .map(({ name }) => join(folder, name));
  });
  assert.deepEqual(missing, []);
});

test('the map in CONTRIBUTING.md lists no folder that does not exist', () => {
  const sections = sectionsOf(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'));
  assert.ok(sections.size > 10);
  const there = new Set(
    ['packages', 'create-operator', 'test', 'docs', 'scripts', 'examples'].flatMap((top) => [
      top,
      ...foldersIn(join(root, top)),
    ]),
  );
  const named = [...sections.values()].flatMap((section) => [
    ...section.matchAll(/(?<=^|\s)([\w.-]+(?:\/[\w.-]+)*)\/(?=\s|:|$)/gm),
  ]);
  assert.deepEqual(
    named.map(([, path = '']) => path).filter((path) => !path.split('/').every((part) => there.has(part))),
    [],
  );
});
