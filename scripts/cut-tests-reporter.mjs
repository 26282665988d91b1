// A reporter for node --test. If a test process is killed because it exceeds the time limit, prints the tests that had started but not
// finished. The test runner itself prints only the name of the file.
import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { root } from './setup.mjs';
import { inSourcesOf } from './source-positions.mjs';

/**
 * Returns the TypeScript sources of a test program: the source of the program, or the sources of the test files that a .mjs file imports.
 */
function sourcesOf(program) {
  const loaded = program.endsWith('.test.mjs')
    ? [...readFileSync(program, 'utf8').matchAll(/import(?: |\()"(.*)"\)?;/g)].map(([, path]) =>
        resolve(dirname(program), path),
      )
    : [program];
  return loaded.map((path) =>
    path
      .replace(/\/test\/dist\//, '/test/')
      .replace('/dist/', '/src/')
      .replace(/\.js$/, '.ts'),
  );
}

/** Reports whether a test is declared in one of the sources, or in a helper module in the same folder. */
function isOf(sources, { file }) {
  const isShared = !/\.test\.\w+$/.test(file) && sources.some((source) => dirname(source) === dirname(file));
  return sources.includes(file) || isShared;
}

/** Reports whether the test runner or file-limit.mjs killed the process of the test file that a failure event is about. */
function isCutFile({ nesting, name, file, details }) {
  if (nesting !== 0 || file === undefined || resolve(name) !== file) return false;
  return details?.error?.failureType === 'testTimeoutFailure' || details?.error?.signal === 'SIGKILL';
}

export default async function* cutTests(events) {
  const begun = new Map();
  const keyOf = ({ file, line, column, name, nesting }) => [file, line, column, name, nesting].join('|');
  for await (const { type, data } of inSourcesOf(events)) {
    if (type === 'test:dequeue') begun.set(keyOf(data), data);
    if (type === 'test:complete') begun.delete(keyOf(data));
    if (type !== 'test:fail' || !isCutFile(data)) continue;
    const sources = sourcesOf(data.file);
    const cut = [...begun.values()].filter((test) => isOf(sources, test));
    for (const test of cut) begun.delete(keyOf(test));
    yield `\n${relative(root, data.file)} was killed at its time limit; the following tests had not finished:\n`;
    for (const { file, line, name, nesting } of cut)
      yield `${'  '.repeat(nesting + 1)}${name} (${relative(root, file)}:${line})\n`;
  }
}
