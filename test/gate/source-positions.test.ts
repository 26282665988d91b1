import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The exports of scripts/source-positions.mjs. */
interface SourcePositions {
  readonly inSources: (text: string) => string;
}

const root = fileURLToPath(new URL('../../../', import.meta.url));
const script = (name: string): string => join(root, 'scripts', name);

/** Line 1 of the compiled file is line 11 of its source, line 2 is line 12, and so on. */
const LINES_10_LATER = { version: 3, sources: ['../src/a.test.ts'], names: [], mappings: 'AAUA;AACA;AACA;AACA;AACA' };
const SOURCE = `import { test } from 'node:test';
test('passes', () => {});
test('fails', () => {
  throw new Error('outer', { cause: new Error('inner') });
});
//# sourceMappingURL=a.test.js.map
`;

/** Calls `use` with a folder that contains the compiled file dist/a.test.js and its source map. */
async function withCompiledFile(use: (folder: string, compiled: string) => Promise<void>): Promise<void> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'kubewright positions-')));
  try {
    await mkdir(join(folder, 'dist'));
    const compiled = join(folder, 'dist', 'a.test.js');
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await writeFile(compiled, SOURCE);
    await writeFile(`${compiled}.map`, JSON.stringify(LINES_10_LATER));
    await use(folder, compiled);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('the reporters print and record positions in the TypeScript sources without --enable-source-maps', async () => {
  await withCompiledFile(async (folder, compiled) => {
    const record = join(folder, 'record.json');
    const reporters = [
      [script('spec-reporter.mjs'), 'stdout'],
      [script('cut-tests-reporter.mjs'), 'stdout'],
      [script('results-reporter.mjs'), record],
    ].flatMap(([reporter, destination]) => [
      `--test-reporter=${reporter}`,
      `--test-reporter-destination=${destination}`,
    ]);
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const printed = await new Promise<string>((resolve) => {
      execFile(process.execPath, ['--test', ...reporters, compiled], { cwd: folder, env }, (_error, stdout) =>
        resolve(stdout),
      );
    });
    const source = join(folder, 'src', 'a.test.ts');
    assert.match(printed, /✔ passes/);
    assert.match(printed, /test at src[\\/]a\.test\.ts:13:\d+\n/);
    // The error and its cause were created in line 4 of the compiled file.
    for (const message of ['outer', 'inner']) {
      assert.ok(new RegExp(`Error: ${message}\\n.*[\\\\/]src[\\\\/]a\\.test\\.ts:14:`).test(printed), printed);
    }
    assert.doesNotMatch(printed, /a\.test\.js:\d/);
    const { tests } = JSON.parse(await readFile(record, 'utf8')) as {
      readonly tests: readonly { readonly file: string; readonly line: number; readonly name: string }[];
    };
    assert.deepEqual(
      tests.map(({ file, line, name }) => [file, line, name]),
      [
        [relative(root, source), 12, 'passes'],
        [relative(root, source), 13, 'fails'],
      ],
    );
  });
});

test('inSources replaces paths and URLs with a source map, and keeps all other text', async () => {
  const { inSources } = (await import(pathToFileURL(script('source-positions.mjs')).href)) as SourcePositions;
  await withCompiledFile(async (folder, compiled) => {
    const expected = `    at run (${join(folder, 'src', 'a.test.ts')}:14:1)\n    at node:internal/x:1:2`;
    const frames = (position: string): string => `    at run (${position}:4:1)\n    at node:internal/x:1:2`;
    assert.equal(inSources(frames(pathToFileURL(compiled).href)), expected);
    assert.equal(inSources(frames(compiled)), expected);
    assert.equal(inSources(expected), expected);
    const unknown = frames(join(folder, 'dist', 'b.test.js'));
    assert.equal(inSources(unknown), unknown);
  });
});
