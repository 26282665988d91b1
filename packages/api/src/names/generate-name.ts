const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;
const PREFIX_LENGTH = 63 - SUFFIX_LENGTH;

/**
 * A name as the API server makes one from `generateName`: the prefix, cut to 58 characters, and five random characters
 * that cannot spell a word. `random` yields numbers in [0, 1) and makes the result repeatable. @default Math.random
 */
export function generateName(prefix: string, random: () => number = Math.random): string {
  let name = prefix.slice(0, PREFIX_LENGTH);
  for (let count = 0; count < SUFFIX_LENGTH; count++) {
    name += ALPHABET.charAt(Math.floor(random() * ALPHABET.length));
  }
  return name;
}
