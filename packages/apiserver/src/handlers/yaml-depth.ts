import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
/** The nesting that the library carries, which goes into itself at each level, with room to spare; no manifest comes near it. */
const MOST_LEVELS = 500;

/**
 * Whether a text of YAML is nested too deeply to be read. It has to be known before: a process whose stack ends where a regular expression
 * is compiled does not throw, it is gone.
 */
export function isYamlTooDeep(text: string): boolean {
  // A level takes a character at least.
  if (text.length <= MOST_LEVELS) return false;
  const { Lexer, Parser } = require('yaml') as typeof import('yaml');
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    // What is found is of no interest, but only who takes it lets the parser go on.
    for (const _token of parser.next(lexeme));
    if (parser.stack.length > MOST_LEVELS) return true;
  }
  return false;
}
