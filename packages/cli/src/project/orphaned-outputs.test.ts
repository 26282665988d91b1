import assert from 'node:assert/strict';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ProgramFolder } from '../test-support/program-folder.js';
import { compile } from './compile-project.js';
import { findProject } from './find-project.js';

const compilerOptions = {
  module: 'nodenext',
  types: [],
  rootDir: 'src',
  outDir: 'dist',
  declaration: true,
  sourceMap: true,
};
const PROJECT = {
  'package.json': '{ "name": "foo", "type": "module", "kubewright": {} }',
  'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }),
  'src/main.ts': 'export {};\n',
};

async function outputs(folder: ProgramFolder): Promise<readonly string[]> {
  const names = await readdir(join(folder.root, 'dist'), { recursive: true });
  return names.filter((name) => /\.\w*[jt]s(\.map)?$/.test(name)).toSorted();
}
const emitted = (...paths: readonly string[]): readonly string[] =>
  paths.flatMap((path) => [`${path}.d.ts`, `${path}.js`, `${path}.js.map`]);

describe('the output of a source', () => {
  it('kubewright compile removes the output of a source after the source is deleted or renamed', async () => {
    await using folder = await ProgramFolder.create({
      ...PROJECT,
      'src/a/one.ts': 'export const one = 1;\n',
      'src/a/one.test.ts': "import './one.js';\n",
      'src/two.mts': 'export const two = 2;\n',
    });
    const project = await findProject(folder.root);
    await compile(project);
    assert.deepEqual(await outputs(folder), [
      ...emitted('a/one', 'a/one.test', 'main'),
      'two.d.mts',
      'two.mjs',
      'two.mjs.map',
    ]);
    await rm(join(folder.root, 'src/a/one.test.ts'));
    await rm(join(folder.root, 'src/two.mts'));
    await rename(join(folder.root, 'src/a'), join(folder.root, 'src/b'));
    await compile(project);
    assert.deepEqual(await outputs(folder), emitted('b/one', 'main'));
  });

  it('kubewright compile identifies outputs by their source maps, and does not remove other files in the output folder', async () => {
    const others = {
      // A bundle, a script, and the output of other sources.
      'dist/operator.mjs': '',
      'dist/operator.mjs.map': '{ "sources": ["main.js", "../node_modules/a/index.js"] }',
      'dist/script.js': '',
      'dist/odd.js': '',
      'dist/odd.js.map': 'no map',
      'dist/other.js': '',
      'dist/other.js.map': '{ "sources": ["../other/other.ts"] }',
      'dist/node_modules/a/index.js': '',
      'dist/node_modules/a/index.js.map': '{ "sources": ["../../../src/node_modules/a/index.ts"] }',
    };
    await using folder = await ProgramFolder.create({ ...PROJECT, ...others });
    await compile(await findProject(folder.root));
    const expected = [...Object.keys(others).map((path) => path.slice('dist/'.length)), ...emitted('main')];
    assert.deepEqual(await outputs(folder), expected.toSorted());
  });
});
