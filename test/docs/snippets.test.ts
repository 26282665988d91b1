import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { markdownPages, readmes, root } from './markdown-pages.js';
import { type Snippet, snippetsOf } from './snippets.js';

const folder = join(root, 'test', 'dist', 'docs-snippets');
const tsconfig = {
  extends: '../../../tsconfig.base.json',
  compilerOptions: {
    composite: false,
    declaration: false,
    declarationMap: false,
    outDir: 'out',
    noUnusedLocals: false,
  },
  include: ['*.ts', '../../docs/foreign-modules.d.ts'],
};

/** Compiles the snippets, and returns the errors of the compiler, with positions in the pages. */
function problemsOf(snippets: readonly Snippet[]): readonly string[] {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  for (const { module, code } of snippets) writeFileSync(join(folder, `${module}.ts`), code);
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
  const { stdout, status } = spawnSync(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const problems = stdout.split('\n').filter((line) => line.trim() !== '');
  assert.equal(status === 0, problems.length === 0, stdout);
  return problems.map((problem) =>
    problem.replace(/^(.+)\.ts\((\d+),(\d+)\)/, (whole, module, line, column) => {
      const snippet = snippets.find((each) => each.module === module);
      return snippet === undefined ? whole : `${snippet.page}:${snippet.line + Number(line) - 1}:${column}`;
    }),
  );
}

const snippets = [...markdownPages(), ...readmes()].flatMap(snippetsOf);

test('every TypeScript block in docs and in READMEs compiles, and every test in a block passes', () => {
  assert.ok(snippets.length > 30);
  assert.deepEqual(problemsOf(snippets), []);
  const tests = snippets.filter(({ code }) => /^test\(/m.test(code));
  assert.ok(tests.length > 3);
  const program = join(folder, 'out', 'tests.js');
  writeFileSync(program, tests.map(({ module }) => `import './${module}.js';\n`).join(''));
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout } = spawnSync(process.execPath, [program], { encoding: 'utf8', env });
  assert.equal(status, 0, stdout);
});
