import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';
import { patternWeight } from './pattern-weight.js';

/** A compiled regular expression of Go. Matching takes time linear in the length of the text. */
export type GoPattern = RE2JS;

/** A compiled pattern, or the reason why the pattern is not a valid regular expression, in the wording of Go. */
export type CompiledPattern =
  | { readonly compiled: GoPattern; readonly error?: undefined }
  | { readonly compiled?: undefined; readonly error: string };

/** The maximum weight of a pattern. A pattern of this weight compiles in about 20 ms. Go accepts larger patterns. */
export const MOST_PATTERN_WEIGHT = 10_000;
/** The maximum total weight of the cached patterns. One unit takes up to 400 bytes. */
const MAX_CACHED_WEIGHT = 65_536;
/** The additional weight of a compiled pattern beyond its text. */
const OWN_WEIGHT = 16;

const cache = new Map<string, CompiledPattern & { readonly weight: number }>();
let cachedWeight = 0;

/**
 * Compiles a pattern as Go's `regexp` package does. Caches the most recent patterns. The library is large, so it is loaded on the first
 * call. A pattern is too large if its text with all repetitions written out is longer than `MOST_PATTERN_WEIGHT`.
 */
export function compileGoPattern(pattern: string): CompiledPattern {
  const known = cache.get(pattern);
  if (known !== undefined) return known;
  if (pattern.length > MOST_PATTERN_WEIGHT) return tooLarge;
  const weight = patternWeight(pattern);
  if (weight > MOST_PATTERN_WEIGHT) return tooLarge;
  const made = compile(pattern);
  keep(pattern, { ...made, weight: weight + OWN_WEIGHT });
  return made;
}

/** Returns the work to match a text with a pattern whose program has the given size, in units of about 30 ns. */
export function matchingWork(length: number, programSize: number): number {
  return length * (4 + programSize);
}

const tooLarge: CompiledPattern = { error: 'error parsing regexp: expression too large' };

function keep(pattern: string, entry: CompiledPattern & { readonly weight: number }): void {
  cache.set(pattern, entry);
  cachedWeight += entry.weight;
  for (const [oldest, { weight }] of cache) {
    if (cachedWeight <= MAX_CACHED_WEIGHT) return;
    cache.delete(oldest);
    cachedWeight -= weight;
  }
}

function compile(pattern: string): CompiledPattern {
  const { RE2JS, RE2JSException } = createRequire(import.meta.url)('re2js') as typeof import('re2js');
  try {
    return { compiled: RE2JS.compile(pattern) };
  } catch (error) {
    if (error instanceof RE2JSException) return { error: error.message };
    throw error;
  }
}
