import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { findProject } from '../project/find-project.js';
import { textIfThere } from '../project/if-there.js';
import { ProgramFolder } from '../test-support/program-folder.js';
import { SourceCompiler } from './source-compiler.js';

/** Bounds a wait for a state. */
const LIMIT_MS = 60_000;

/** A compiler that compiles once, reads its sources before the file `go` exists, and then misses every change. */
const BLIND_COMPILER = `
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
console.log('12:00:00 AM - Starting compilation in watch mode...');
const text = readFileSync('src/main.ts', 'utf8');
writeFileSync('read', text);
const timer = setInterval(() => {
  if (!existsSync('go')) return;
  clearInterval(timer);
  mkdirSync('dist', { recursive: true });
  writeFileSync('dist/main.js', text);
  console.log('12:00:00 AM - Found 0 errors. Watching for file changes.');
  setInterval(() => undefined, 1000);
}, 5);
`;

async function blindProject(): Promise<ProgramFolder> {
  const folder = await ProgramFolder.create({
    'package.json': '{ "name": "a", "type": "module", "kubewright": {} }',
    'tsconfig.json': '{ "compilerOptions": { "rootDir": "src", "outDir": "dist" } }',
    'src/main.ts': 'first',
  });
  await rm(join(folder.root, 'node_modules'));
  await mkdir(join(folder.root, 'node_modules'));
  await folder.write('node_modules/typescript/package.json', '{ "type": "module" }');
  await folder.write('node_modules/typescript/bin/tsc', BLIND_COMPILER);
  return folder;
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const limit = AbortSignal.timeout(LIMIT_MS);
  while (!(await condition())) {
    limit.throwIfAborted();
    await setImmediate();
  }
}

for (const when of ['during its first compilation', 'while it watches'] as const) {
  test(`the compiler is restarted after a change that it misses ${when}`, async () => {
    await using folder = await blindProject();
    const compiled: string[] = [];
    const output = (): string => readFileSync(join(folder.root, 'dist/main.js'), 'utf8');
    await using _compiler = new SourceCompiler(await findProject(folder.root), {
      call: ['-p', '.'],
      writesAlways: true,
      onCompiled: () => void compiled.push(output()),
      onEnded: (said) => assert.fail(said),
    });
    const isRead = async (): Promise<boolean> => (await textIfThere(join(folder.root, 'read'))) === 'first';
    await until(isRead);
    if (when === 'while it watches') {
      await folder.write('go', '');
      await until(() => compiled.includes('first'));
    }
    await folder.write('src/main.ts', 'second');
    await folder.write('go', '');
    await until(() => compiled.includes('second'));
    assert.equal(await readFile(join(folder.root, 'dist/main.js'), 'utf8'), 'second');
  });
}
