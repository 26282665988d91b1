import { codeLines } from './code-lines.js';

/** The size of code. */
export interface ProgramSize {
  readonly lines: number;
  /** Number of characters in these lines, without white space. Unlike the number of lines, this number does not depend on line breaks. */
  readonly characters: number;
}

/** Returns the size of a file. */
export function sizeOf(path: string, text: string): ProgramSize {
  const lines = codeLines(path, text);
  return { lines: lines.length, characters: lines.join('').replaceAll(/\s/g, '').length };
}

/** Returns the sum of sizes. */
export function sum(sizes: Iterable<ProgramSize>): ProgramSize {
  let [lines, characters] = [0, 0];
  for (const size of sizes) {
    lines += size.lines;
    characters += size.characters;
  }
  return { lines, characters };
}
