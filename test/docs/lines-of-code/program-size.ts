import { codeLines } from './code-lines.js';

/** How much code there is. */
export interface ProgramSize {
  readonly lines: number;
  /** The characters in these lines, without white space: a ratio of them does not depend on how lines are broken. */
  readonly characters: number;
}

/** The size of a file. */
export function sizeOf(path: string, text: string): ProgramSize {
  const lines = codeLines(path, text);
  return { lines: lines.length, characters: lines.join('').replaceAll(/\s/g, '').length };
}

/** The size of several together. */
export function sum(sizes: Iterable<ProgramSize>): ProgramSize {
  let [lines, characters] = [0, 0];
  for (const size of sizes) {
    lines += size.lines;
    characters += size.characters;
  }
  return { lines, characters };
}
