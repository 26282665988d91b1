import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ProgramFolder } from '../test-support/program-folder.js';
import { findProject } from './find-project.js';
import { readTsconfig } from './tsconfig.js';

const PROJECT = '{ "name": "foo", "dependencies": { "@kubewright/runtime": "1" } }';

describe('findProject', () => {
  it('findProject returns the nearest parent folder whose package.json depends on @kubewright/runtime', async () => {
    await using folder = await ProgramFolder.create({
      'package.json': PROJECT,
      'src/deep/package.json': '{"name":"x"}',
    });
    await mkdir(join(folder.root, 'src/deep/er'));
    const { root, sourceFolder, outFolder, main, settings } = await findProject(join(folder.root, 'src/deep/er'));
    assert.equal(root, folder.root);
    assert.equal(settings.name, 'foo');
    assert.deepEqual(
      [sourceFolder, outFolder, main],
      ['src', 'dist', 'dist/main.js'].map((path) => join(root, path)),
    );
  });
  it('findProject finds a package with "kubewright" in package.json and without dependencies', async () => {
    await using folder = await ProgramFolder.create({ 'package.json': '{ "name": "foo", "kubewright": {} }' });
    assert.equal((await findProject(folder.root)).root, folder.root);
  });
  it('findProject reads the folders in a tsconfig.json with comments, trailing commas, and extended files', async () => {
    await using folder = await ProgramFolder.create({
      'package.json': PROJECT,
      'tsconfig.json':
        '// mine\n{ "extends": ["./base/a", "./base/b.json"], "compilerOptions": { "outDir": "built", }, /* end */ }',
      'base/a.json': '{ "compilerOptions": { "outDir": "no", "rootDir": "code" } }',
      'base/b.json': '{ "compilerOptions": { "rootDir": "${configDir}/code//ts" } }',
    });
    const { root, sourceFolder, main } = await findProject(folder.root);
    assert.equal(sourceFolder, join(root, 'code/ts'));
    assert.equal(main, join(root, 'built/main.js'));
  });
  it('findProject finds the sources in src if the project is compiled from its root folder', async () => {
    for (const options of [{ rootDir: '.' }, { composite: true }]) {
      await using folder = await ProgramFolder.create({
        'package.json': `\uFEFF${PROJECT}`,
        'tsconfig.json': JSON.stringify({ compilerOptions: { ...options, outDir: 'built' } }),
        'src/main.ts': '',
      });
      const { root, sourceFolder, outFolder, main } = await findProject(folder.root);
      assert.deepEqual(
        [sourceFolder, outFolder, main],
        ['src', 'built/src', 'built/src/main.js'].map((path) => join(root, path)),
      );
    }
  });
  it('findProject uses the folders of the referenced project with main.ts if tsconfig.json only has references', async () => {
    const [api, main] = [
      { composite: true, outDir: '../../built/api' },
      { composite: true, outDir: '../built' },
    ];
    await using folder = await ProgramFolder.create({
      'package.json': PROJECT,
      'tsconfig.json': '{ "files": [], "references": [{ "path": "src/api" }, { "path": "./src/tsconfig.json" }] }',
      'src/api/tsconfig.json': JSON.stringify({ compilerOptions: api }),
      'src/tsconfig.json': JSON.stringify({ compilerOptions: { ...main, experimentalDecorators: true } }),
      'src/main.ts': '',
    });
    const { root, sourceFolder, outFolder } = await findProject(folder.root);
    assert.deepEqual([sourceFolder, outFolder], [join(root, 'src'), join(root, 'built')]);
    const { experimentalDecorators, hasReferences } = await readTsconfig(join(root, 'tsconfig.json'));
    assert.deepEqual([experimentalDecorators, hasReferences], [true, true]);
  });
  it('findProject rejects with NO_PROJECT without a project, and with INVALID_PROJECT for an invalid package.json or tsconfig.json', async () => {
    await using folder = await ProgramFolder.create({ 'package.json': '{ "name": "other" }' });
    const refuses = (pattern: RegExp, code = 'INVALID_PROJECT') =>
      assert.rejects(findProject(folder.root), { code, message: pattern });
    await refuses(/found no project in .* or its parent folders: .*npm create operator/, 'NO_PROJECT');
    await folder.write('package.json', '{');
    await refuses(/package\.json is not valid JSON: /);
    await folder.write('package.json', PROJECT);
    await folder.write('tsconfig.json', '{ "extends": "./gone.json" }');
    await refuses(/tsconfig\.json: it extends \.\/gone\.json, which does not exist/);
    await folder.write('tsconfig.json', '{ "extends": "@nobody/base" }');
    await refuses(/tsconfig\.json: it extends @nobody\/base, which is not installed/);
    await folder.write('tsconfig.json', '{ "extends": "./tsconfig.json" }');
    await refuses(/tsconfig\.json: it extends itself/);
    await folder.write('tsconfig.json', '[]');
    await refuses(/tsconfig\.json: it is not a JSON object/);
    await folder.write('tsconfig.json', '{ "extends": 7 }');
    await refuses(/"extends" is 7; write the path of a file/);
  });
});
