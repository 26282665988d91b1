import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { KubewrightError } from '@kubewright/api/errors';
import { compilerNotes, notingIn } from './compiler-notes.js';
import { removeOrphanedOutputs } from './orphaned-outputs.js';
import { runProgram } from './run-program.js';
import { sortedMistakes } from './test-mistakes.js';
import type { Project } from './project.js';

/** How a project is to be compiled. */
export interface CompileOptions {
  /** Ends the compiler. @default never */
  readonly signal?: AbortSignal;
  /** Receives the mistakes if only tests have some and the program is compiled nevertheless. @default such mistakes fail like all others */
  readonly onTestMistakes?: (mistakes: readonly string[]) => void;
}

/** The compiler found mistakes and wrote its output. */
const OUTPUT_WITH_MISTAKES = 2;

/**
 * Compiles a project by its own TypeScript and its own tsconfig.json, as far as something has changed. What was compiled of sources that
 * are gone is removed.
 * @throws KubewrightError COMPILATION_FAILED with a sentence `src/x.ts:3:7: …` for each mistake, NO_TYPESCRIPT when it is not installed,
 *   NO_TSCONFIG when there is no tsconfig.json
 */
export async function compile(project: Project, options: CompileOptions = {}): Promise<void> {
  const notes = await compilerNotes(project);
  // Only `-b` compiles what a project refers to, and it takes no options.
  const call = notes === undefined ? ['-b', 'tsconfig.json'] : ['-p', 'tsconfig.json', ...notingIn(notes)];
  await build(project, options, call);
  // The compiler looks at what it noted of the last time, not at whether its output is still there.
  if (!existsSync(project.main) && existsSync(join(project.sourceFolder, 'main.ts'))) {
    if (notes !== undefined) await rm(notes, { force: true });
    await build(project, options, notes === undefined ? [...call, '--force'] : call);
  }
  await removeOrphanedOutputs(project);
}

async function build(
  { root }: Project,
  { signal, onTestMistakes }: CompileOptions,
  call: readonly string[],
): Promise<void> {
  const args = [compilerOf(root), ...call, '--pretty', 'false'];
  const { exitCode, stdout, stderr } = await runProgram(process.execPath, args, {
    cwd: root,
    ...(signal && { signal }),
  });
  if (exitCode === 0) return;
  const sentences = compilerSentences(stdout);
  const { ofTests, ofProgram } = sortedMistakes(sentences);
  if (exitCode === OUTPUT_WITH_MISTAKES && ofTests.length > 0 && ofProgram.length === 0 && onTestMistakes) {
    return onTestMistakes(ofTests);
  }
  const said = sentences.join('\n') || `${stdout}${stderr}`.trim() || `the compiler ended with ${exitCode}`;
  throw new KubewrightError('COMPILATION_FAILED', `cannot compile the project:\n${said}`);
}

/** The file of the compiler that a project has installed. Throws NO_TYPESCRIPT, and NO_TSCONFIG where nothing tells it what to do. */
export function compilerOf(root: string): string {
  if (!existsSync(join(root, 'tsconfig.json'))) {
    throw new KubewrightError(
      'NO_TSCONFIG',
      `cannot compile the project: ${root} has no tsconfig.json; take the one of a project that 'npm create operator' makes, and write ` +
        '"allowJs": true in its "compilerOptions" where the sources are JavaScript',
    );
  }
  try {
    const manifest = createRequire(join(root, 'package.json')).resolve('typescript/package.json');
    return join(dirname(manifest), 'bin', 'tsc');
  } catch (cause) {
    const message = `cannot compile the project: ${root} has no TypeScript installed; run 'npm install', or 'npm install --save-dev typescript'`;
    throw new KubewrightError('NO_TYPESCRIPT', message, { cause });
  }
}

/** What the compiler says of each mistake, in the form that editors and terminals can open. */
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
