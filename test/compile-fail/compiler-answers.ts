import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the cases, relative to the compiled file. */
export const casesFolder = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'compile-fail', 'cases');

/** A file that must not compile: the recorded errors in its first lines, and the code below them. */
export interface Case {
  readonly file: string;
  readonly recorded: string;
  readonly code: string;
}

/** Returns all cases, sorted by file name. */
export function readCases(): readonly Case[] {
  const files = readdirSync(casesFolder).filter((name) => name.endsWith('.ts'));
  return files.sort().map((file) => {
    const lines = readFileSync(join(casesFolder, file), 'utf8').split('\n');
    const first = lines.findIndex((line) => !line.startsWith('// '));
    const recorded = lines.slice(0, first).map((line) => line.slice('// '.length));
    return { file, recorded: recorded.join('\n'), code: lines.slice(first).join('\n') };
  });
}

/** Returns the compiler's errors for each case, without positions. A case that compiles has no entry. */
export function compilerAnswers(): ReadonlyMap<string, string> {
  const resolve = createRequire(import.meta.url).resolve;
  const compiler = join(dirname(resolve('typescript/package.json')), 'bin', 'tsc');
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', casesFolder, '--pretty', 'false'], {
    cwd: casesFolder,
    encoding: 'utf8',
  });
  const answers = new Map<string, string[]>();
  let current: string[] | undefined;
  for (const line of stdout.split('\n')) {
    const [, file, message] = /^(?:.*\/)?([\w-]+\.ts)\(\d+,\d+\): error (.*)$/.exec(line) ?? [];
    if (file !== undefined && message !== undefined) {
      current = answers.get(file) ?? [];
      answers.set(file, current);
      current.push(message);
    } else if (line.trim() !== '') current?.push(line);
  }
  return new Map([...answers].map(([file, lines]) => [file, lines.join('\n')]));
}
