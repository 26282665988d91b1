const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;
const PREFIX_LENGTH = 63 - SUFFIX_LENGTH;

/**
 * Generates a name from `generateName` as the API server does: the prefix, truncated to 58 characters, and five random characters that
 * cannot form a word. For a repeatable result, pass `random`, a function that returns numbers in [0, 1). @default Math.random
 */
export function generateName(prefix: string, random: () => number = Math.random): string {
  let name = prefix.slice(0, PREFIX_LENGTH);
  for (let count = 0; count < SUFFIX_LENGTH; count++) {
    name += ALPHABET.charAt(Math.floor(random() * ALPHABET.length));
  }
  return name;
}
