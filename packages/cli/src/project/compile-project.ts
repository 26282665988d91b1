import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { KubewrightError } from '@kubewright/api/errors';
import { compilerNotes, notingIn } from './compiler-notes.js';
import { removeOrphanedOutputs } from './orphaned-outputs.js';
import { runProgram } from './run-program.js';
import { sortedProblems } from './test-problems.js';
import type { Project } from './project.js';

/** The options of `compile`. */
export interface CompileOptions {
  /** Aborts the compilation. @default the compilation cannot be aborted */
  readonly signal?: AbortSignal;
  /** The environment variables of the compiler. @default the environment of this process */
  readonly env?: NodeJS.ProcessEnv;
  /** Called with the errors if only tests have errors and the output is written. @default `compile` rejects also for errors in tests */
  readonly onTestProblems?: (problems: readonly string[]) => void;
}

/** The exit code of tsc for a compilation that found errors and wrote the output. */
const OUTPUT_WITH_PROBLEMS = 2;

/**
 * Compiles the changed sources of a project with the TypeScript version and the tsconfig.json of the project. Removes the output of deleted
 * sources.
 * @throws KubewrightError COMPILATION_FAILED with a line `src/x.ts:3:7: …` for each error, NO_TYPESCRIPT if TypeScript is not installed,
 *   and NO_TSCONFIG if there is no tsconfig.json
 */
export async function compile(project: Project, options: CompileOptions = {}): Promise<void> {
  const notes = await compilerNotes(project);
  // If the project configures build information or references, uses `-b`, which compiles referenced projects. With `-b`, tsc does not
  // support the options in `notingIn`.
  const call = notes === undefined ? ['-b', 'tsconfig.json'] : ['-p', 'tsconfig.json', ...notingIn(notes)];
  await build(project, options, call);
  // Compiles again if the output was deleted, because tsc relies on the build information and does not check that the output exists.
  if (!existsSync(project.main) && existsSync(join(project.sourceFolder, 'main.ts'))) {
    if (notes !== undefined) await rm(notes, { force: true });
    await build(project, options, notes === undefined ? [...call, '--force'] : call);
  }
  await removeOrphanedOutputs(project);
}

async function build(
  { root }: Project,
  { signal, env, onTestProblems }: CompileOptions,
  call: readonly string[],
): Promise<void> {
  const args = [compilerOf(root), ...call, '--pretty', 'false'];
  const { exitCode, stdout, stderr } = await runProgram(process.execPath, args, {
    cwd: root,
    ...(env && { env }),
    ...(signal && { signal }),
  });
  if (exitCode === 0) return;
  const sentences = compilerSentences(stdout);
  const { ofTests, ofProgram } = sortedProblems(sentences);
  if (exitCode === OUTPUT_WITH_PROBLEMS && ofTests.length > 0 && ofProgram.length === 0 && onTestProblems) {
    return onTestProblems(ofTests);
  }
  const report = sentences.join('\n') || `${stdout}${stderr}`.trim() || `the compiler exited with code ${exitCode}`;
  throw new KubewrightError('COMPILATION_FAILED', `cannot compile the project:\n${report}`);
}

/**
 * Returns the path of tsc in the TypeScript package of a project.
 * @throws KubewrightError NO_TYPESCRIPT if TypeScript is not installed, and NO_TSCONFIG if there is no tsconfig.json
 */
export function compilerOf(root: string): string {
  if (!existsSync(join(root, 'tsconfig.json'))) {
    throw new KubewrightError(
      'NO_TSCONFIG',
      `cannot compile the project: ${root} has no tsconfig.json; copy the file from a project that 'npm create operator' creates, and set ` +
        '"allowJs": true in its "compilerOptions" if the sources are JavaScript',
    );
  }
  try {
    const manifest = createRequire(join(root, 'package.json')).resolve('typescript/package.json');
    return join(dirname(manifest), 'bin', 'tsc');
  } catch (cause) {
    const message = `cannot compile the project: TypeScript is not installed in ${root}; run 'npm install', or 'npm install --save-dev typescript'`;
    throw new KubewrightError('NO_TYPESCRIPT', message, { cause });
  }
}

/**
 * Converts the output of tsc to error messages with the format `src/x.ts:3:7: …`, which editors and terminals can open. Errors without a
 * position have the format `tsconfig.json: …`.
 */
export function compilerSentences(text: string): readonly string[] {
  const found: string[] = [];
  for (const line of text.split('\n')) {
    const [, place, row, column, code, message] = /^(.+?)\((\d+),(\d+)\): error (TS\d+): (.*)$/.exec(line) ?? [];
    const [, general, reason] = /^error (TS\d+): (.*)$/.exec(line) ?? [];
    if (place !== undefined) found.push(`${place}:${row}:${column}: ${message} (${code})`);
    else if (general !== undefined) found.push(`tsconfig.json: ${reason} (${general})`);
    else if (line.startsWith(' ') && found.length > 0) found.push(line.trimEnd());
  }
  return found;
}
