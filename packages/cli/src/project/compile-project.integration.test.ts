import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ProgramFolder } from '../test-support/program-folder.js';
import { runRecorded } from '../test-support/run-recorded.js';
import { compile } from './compile-project.js';
import { findProject } from './find-project.js';
import type { Project } from './project.js';

const compilerOptions = { module: 'nodenext', strict: true, types: [], rootDir: 'src', outDir: 'dist' };
const PROJECT = {
  'package.json': '{ "name": "foo", "type": "module", "kubewright": {} }',
  'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }),
};

async function projectOf(folder: ProgramFolder): Promise<Project> {
  return findProject(folder.root);
}

describe('compile', () => {
  it('compile writes the output again after the output folder is deleted', async () => {
    await using folder = await ProgramFolder.create({ ...PROJECT, 'src/main.ts': 'export const one: number = 1;\n' });
    const project = await projectOf(folder);
    for (let times = 0; times < 2; times++) {
      await compile(project);
      assert.ok(existsSync(project.main));
      await rm(project.outFolder, { recursive: true });
    }
  });
  it('compile writes only into the output folder, and restores a deleted output file', async () => {
    await using folder = await ProgramFolder.create({ ...PROJECT, 'src/main.ts': 'export const one: number = 1;\n' });
    const project = await projectOf(folder);
    const before = await readdir(folder.root);
    for (let times = 0; times < 2; times++) {
      await compile(project);
      assert.ok(existsSync(project.main));
      assert.deepEqual((await readdir(folder.root)).toSorted(), [...before, 'dist'].toSorted());
      await rm(project.main);
    }
  });
  it('compile first compiles the referenced projects', async () => {
    const referring = { compilerOptions, include: ['src'], references: [{ path: 'other' }] };
    await using folder = await ProgramFolder.create({
      ...PROJECT,
      'tsconfig.json': JSON.stringify(referring),
      'other/tsconfig.json': JSON.stringify({ compilerOptions: { ...compilerOptions, rootDir: '.', composite: true } }),
      'other/two.ts': 'export const two = 2;\n',
      'src/main.ts': "export { two } from '../other/two.js';\n",
    });
    const project = await projectOf(folder);
    await compile(project);
    assert.ok(existsSync(project.main) && existsSync(join(folder.root, 'other/dist/two.js')));
  });
  it('compile reports each error with the file, line, column, and message', async () => {
    await using folder = await ProgramFolder.create({
      ...PROJECT,
      'src/main.ts':
        "import { one } from './one.js';\nconst two: { a: { b: number } } = { a: { b: one } };\nvoid two;\n",
      'src/one.ts': "export const one = '1';\nlet x: number = '';\n",
    });
    await assert.rejects(compile(await projectOf(folder)), {
      code: 'COMPILATION_FAILED',
      message: [
        'cannot compile the project:',
        "src/main.ts:2:42: Type 'string' is not assignable to type 'number'. (TS2322)",
        "src/one.ts:2:5: Type 'string' is not assignable to type 'number'. (TS2322)",
      ].join('\n'),
    });
    await folder.write('tsconfig.json', '{ "compilerOptions": { "module": "nowhere" } }');
    await assert.rejects(compile(await projectOf(folder)), {
      message: /\ntsconfig\.json:1:34: Argument for '--module' /,
    });
  });
  it('compile passes errors in tests to onTestProblems, and rejects if the program has errors or is not written', async () => {
    await using folder = await ProgramFolder.create({
      ...PROJECT,
      'src/main.ts': 'export const one: number = 1;\n',
      'src/one.test.ts': "import { one } from './main.js';\nexport const two: { a: string } = { a: one };\n",
      'src/test/help.ts': 'export const three: string = 3;\n',
    });
    const reported: string[] = [];
    const onTestProblems = (problems: readonly string[]) => void reported.push(...problems);
    const problems = [
      "src/one.test.ts:2:37: Type 'number' is not assignable to type 'string'. (TS2322)",
      "src/test/help.ts:1:14: Type 'number' is not assignable to type 'string'. (TS2322)",
    ];
    const message = ['cannot compile the project:', ...problems].join('\n');
    for (const more of [{}, { incremental: true }]) {
      await folder.write('tsconfig.json', JSON.stringify({ compilerOptions: { ...compilerOptions, ...more } }));
      const project = await projectOf(folder);
      await compile(project, { onTestProblems });
      assert.deepEqual(reported.splice(0), problems);
      assert.ok(existsSync(project.main));
      await assert.rejects(compile(project), { code: 'COMPILATION_FAILED', message });
    }
    await folder.write('src/main.ts', "export const one: number = '';\n");
    await assert.rejects(compile(await projectOf(folder), { onTestProblems }), /src\/main\.ts:1:14: /);
    await folder.write('src/main.ts', 'export const one: number = 2;\n');
    const strict = { compilerOptions: { ...compilerOptions, noEmitOnError: true } };
    await folder.write('tsconfig.json', JSON.stringify(strict));
    await assert.rejects(compile(await projectOf(folder), { onTestProblems }), { message });
    assert.deepEqual(reported, []);
  });
  it('compile and the commands that compile pass their environment variables to the compiler', async () => {
    await using folder = await ProgramFolder.create(PROJECT);
    await rm(join(folder.root, 'node_modules'));
    await folder.write('node_modules/typescript/package.json', '{ "type": "module" }');
    await folder.write('node_modules/typescript/bin/tsc', 'console.log(process.env.NAME); process.exitCode = 1;\n');
    const env = { NAME: 'given' };
    const message = 'cannot compile the project:\ngiven';
    await assert.rejects(compile(await projectOf(folder), { env }), { code: 'COMPILATION_FAILED', message });
    for (const command of ['compile', 'build', 'generate']) {
      const { exitCode, stderr } = await runRecorded([command], { cwd: folder.root, env });
      assert.deepEqual([exitCode, stderr], [3, `error: ${message}\n`]);
    }
  });
  it('compile reports a missing compiler and a missing tsconfig.json', async () => {
    await using folder = await ProgramFolder.create(PROJECT);
    const project = await projectOf(folder);
    await rm(join(folder.root, 'tsconfig.json'));
    await assert.rejects(compile(project), {
      code: 'NO_TSCONFIG',
      message: /has no tsconfig\.json; copy the file from .* "allowJs": true .* if the sources are JavaScript$/,
    });
    await folder.write('tsconfig.json', '{}');
    await rm(join(folder.root, 'node_modules'));
    await assert.rejects(compile(await projectOf(folder)), {
      code: 'NO_TYPESCRIPT',
      message: /TypeScript is not installed in .*; run 'npm install'/,
    });
  });
});
