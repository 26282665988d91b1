import { codeLines } from '../../docs/lines-of-code/code-lines.js';

/** The files of a project by path. */
export type Files = ReadonlyMap<string, string>;

/** The counts of an operator project. */
export interface CountedProject {
  /** Number of files in the repository, without lock files. */
  readonly files: number;
  /** Number of lines of all these files, including empty lines. */
  readonly lines: number;
  /** Number of files that the author owns because no command regenerates them. */
  readonly ownFiles: number;
  /** Number of lines of the files that the author owns. */
  readonly linesToRead: number;
  /** Number of lines of code of the types, the reconciler and its test. */
  readonly operatorLines: number;
  /** Number of lines of code that are not in the scaffold. */
  readonly linesByHand: number;
}

/** The rules by which the files of a type of project are counted. */
export interface Counting {
  /** Files that are not counted: lock files, and files that other commands generate. */
  readonly leftOut: (path: string) => boolean;
  /** Files that a generator overwrites. */
  readonly generated: (path: string, text: string) => boolean;
  /** Files of the types, the reconciler and its test. */
  readonly operator: (path: string) => boolean;
}

/** Counts a finished project, and the lines that were added to its scaffold. */
export function countProject(scaffold: Files, finished: Files, counting: Counting): CountedProject {
  const { leftOut, generated, operator } = counting;
  const files = [...finished].filter(([path]) => !leftOut(path));
  const own = files.filter(([path, text]) => !generated(path, text));
  return {
    files: files.length,
    lines: linesIn(files),
    ownFiles: own.length,
    linesToRead: linesIn(own),
    operatorLines: own.reduce((sum, [path, text]) => sum + (operator(path) ? newLines(path, '', text) : 0), 0),
    linesByHand: own.reduce((sum, [path, text]) => sum + newLines(path, scaffold.get(path) ?? '', text), 0),
  };
}

function linesIn(files: readonly (readonly [path: string, text: string])[]): number {
  return files.reduce((sum, [, text]) => sum + linesOf(text).length, 0);
}

/** Returns the number of lines of code that were added to a file. */
function newLines(path: string, before: string, after: string): number {
  const known = new Map<string, number>();
  for (const line of linesOf(before)) known.set(line.trim(), (known.get(line.trim()) ?? 0) + 1);
  return codeLines(path, after).filter((line) => {
    const left = known.get(line) ?? 0;
    known.set(line, left - 1);
    return left <= 0;
  }).length;
}

function linesOf(text: string): readonly string[] {
  return text.replace(/\n$/, '').split('\n');
}
