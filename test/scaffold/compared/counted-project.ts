import { codeLines } from '../../docs/lines-of-code/code-lines.js';

/** The files of a project by their path. */
export type Files = ReadonlyMap<string, string>;

/** What somebody has to deal with who makes an operator. */
export interface CountedProject {
  /** All that is in the repository, but for the versions of what is installed. */
  readonly files: number;
  /** The lines of all that, with the empty ones. */
  readonly lines: number;
  /** Of the files, what is not generated again and again: what belongs to the person. */
  readonly ownFiles: number;
  /** The lines of what belongs to the person. */
  readonly linesToRead: number;
  /** The lines of code of the types, the reconciler and its test. */
  readonly operatorLines: number;
  /** The lines of code that the scaffold did not have. */
  readonly linesByHand: number;
}

/** How a kind of project is to be counted. */
export interface Counting {
  /** What belongs to nobody: locked versions, and what other commands make. */
  readonly leftOut: (path: string) => boolean;
  /** What a generator writes over. */
  readonly generated: (path: string, text: string) => boolean;
  /** Where the types, the reconciler and its test are. */
  readonly operator: (path: string) => boolean;
}

/** Counts a project as it is scaffolded, and what was written until it was the operator. */
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

/** How many lines of code a file has that it did not have before. */
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
