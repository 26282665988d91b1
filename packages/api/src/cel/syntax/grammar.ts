/** The tokens that can begin an expression, as listed in syntax errors. `?` and `)` are listed only where they are allowed. */
export const START_SET: readonly string[] =
  "'[' '{' '(' ')' '.' '-' '!' '?' 'true' 'false' 'null' NUM_FLOAT NUM_INT NUM_UINT STRING BYTES IDENTIFIER".split(' ');

/** Words that are constants and cannot name a field. */
export const RE_RESERVED = /^(true|false|null)$/;

/** Reserved words that cannot be identifiers. */
export const RESERVED_WORDS: readonly string[] = (
  'true false null in as break const continue else for function if import ' +
  'let loop package namespace return var void while'
).split(' ');
