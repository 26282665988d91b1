/** What an expression may begin with, as syntax errors list it; `?` and `)` only where they are allowed. */
export const START_SET: readonly string[] =
  "'[' '{' '(' ')' '.' '-' '!' '?' 'true' 'false' 'null' NUM_FLOAT NUM_INT NUM_UINT STRING BYTES IDENTIFIER".split(' ');

/** Words that are constants and therefore cannot name a field. */
export const RE_RESERVED = /^(true|false|null)$/;

/** Words of the language that no identifier may be. */
export const RESERVED_WORDS: readonly string[] = (
  'true false null in as break const continue else for function if import ' +
  'let loop package namespace return var void while'
).split(' ');
