import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { findProject } from '../project/find-project.js';
import { textIfExists } from '../project/if-exists.js';
import { ProgramFolder } from '../test-support/program-folder.js';
import { SourceCompiler } from './source-compiler.js';

/** The maximum time in milliseconds that a test waits for a condition. */
const LIMIT_MS = 60_000;

/** The program of a fake compiler that reads main.ts at the start, writes the output when the file `go` exists, and misses all changes. */
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

/**
 * The program of a fake compiler that counts its runs. From the second run on, resets the modification time of main.ts if it is in the
 * future.
 */
const COUNTING_COMPILER = `
import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
const runs = Number(readFileSync('runs', 'utf8')) + 1;
if (runs > 1 && statSync('src/main.ts').mtimeMs > Date.now()) utimesSync('src/main.ts', 0, 0);
console.log('12:00:00 AM - Starting compilation in watch mode...');
console.log('12:00:00 AM - Found 0 errors. Watching for file changes.');
writeFileSync('runs', String(runs));
setInterval(() => undefined, 1000);
`;

/**
 * The program of a fake compiler that misses all changes. The first run prints an error on SIGTERM. The second run compiles after 300 ms.
 */
const LATE_COMPILER = `
import { readFileSync, writeFileSync } from 'node:fs';
const runs = Number(readFileSync('runs', 'utf8')) + 1;
writeFileSync('runs', String(runs));
const begin = () => console.log('12:00:00 AM - Starting compilation in watch mode...');
const fail = () => console.log('src/main.ts(1,1): error TS2304: no name.\\n12:00:00 AM - Found 1 error. Watching for file changes.');
if (runs === 1) {
  process.on('SIGTERM', () => {
    fail();
    process.exit();
  });
  begin();
  console.log('12:00:00 AM - Found 0 errors. Watching for file changes.');
} else {
  setTimeout(() => {
    begin();
    fail();
  }, 300);
}
setInterval(() => undefined, 1000);
`;

async function projectWith(compiler: string): Promise<ProgramFolder> {
  const folder = await ProgramFolder.create({
    'package.json': '{ "name": "a", "type": "module", "kubewright": {} }',
    'tsconfig.json': '{ "compilerOptions": { "rootDir": "src", "outDir": "dist" } }',
    'src/main.ts': 'first',
  });
  await rm(join(folder.root, 'node_modules'));
  await mkdir(join(folder.root, 'node_modules'));
  await folder.write('node_modules/typescript/package.json', '{ "type": "module" }');
  await folder.write('node_modules/typescript/bin/tsc', compiler);
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
  test(`SourceCompiler restarts a compiler that does not detect a change ${when}`, async () => {
    await using folder = await projectWith(BLIND_COMPILER);
    const compiled: string[] = [];
    const output = (): string => readFileSync(join(folder.root, 'dist/main.js'), 'utf8');
    await using _compiler = new SourceCompiler(await findProject(folder.root), {
      call: ['-p', '.'],
      writesAlways: true,
      onCompiled: () => void compiled.push(output()),
      onEnded: (detail) => assert.fail(detail),
    });
    const isRead = async (): Promise<boolean> => (await textIfExists(join(folder.root, 'read'))) === 'first';
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

test('SourceCompiler runs the compiler with the given environment variables', async () => {
  await using folder = await projectWith('console.log(process.env.NAME);');
  const printed: string[] = [];
  await using _compiler = new SourceCompiler(await findProject(folder.root), {
    call: ['-p', '.'],
    writesAlways: true,
    env: { NAME: 'given' },
    onCompiled: () => undefined,
    onEnded: (said) => void printed.push(said),
  });
  await until(() => printed.length > 0);
  assert.deepEqual(printed, ['given']);
});

test('SourceCompiler does not report a compilation that began before the last change of a source', async () => {
  await using folder = await projectWith(COUNTING_COMPILER);
  const runs = (): string => readFileSync(join(folder.root, 'runs'), 'utf8');
  await folder.write('runs', '0');
  const inAnHour = Date.now() / 1000 + 3600;
  await utimes(join(folder.root, 'src/main.ts'), inAnHour, inAnHour);
  const compiled: string[] = [];
  await using _compiler = new SourceCompiler(await findProject(folder.root), {
    call: ['-p', '.'],
    writesAlways: true,
    outdatedMs: LIMIT_MS,
    onCompiled: () => void compiled.push(runs()),
    onEnded: (detail) => assert.fail(detail),
  });
  await until(() => runs() === '1');
  await folder.write('src/other.ts', '');
  await utimes(join(folder.root, 'src/other.ts'), 0, 0);
  await until(() => compiled.length > 0);
  assert.notEqual(compiled[0], '1');
});

test('SourceCompiler ignores the output of a compiler that is being replaced', async () => {
  await using folder = await projectWith(LATE_COMPILER);
  await folder.write('runs', '0');
  const compiled: (readonly string[])[] = [];
  await using _compiler = new SourceCompiler(await findProject(folder.root), {
    call: ['-p', '.'],
    writesAlways: true,
    onCompiled: ({ problems }) => void compiled.push(problems),
    onEnded: (detail) => assert.fail(detail),
  });
  await until(() => compiled.length === 1);
  await folder.write('src/main.ts', 'second');
  await until(() => compiled.length === 2);
  assert.deepEqual(compiled, [[], ['src/main.ts:1:1: no name. (TS2304)']]);
});
