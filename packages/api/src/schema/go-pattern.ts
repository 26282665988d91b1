import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';

/** A compiled regular expression of Go. Matching takes time linear in the length of the text. */
export type GoPattern = RE2JS;

/** A compiled pattern, or the reason in Go's words why the pattern is not a regular expression. */
export type CompiledPattern =
  | { readonly compiled: GoPattern; readonly error?: undefined }
  | { readonly compiled?: undefined; readonly error: string };

/**
 * Compiles a pattern as Go's `regexp` package does. The library is large, so the first call loads it: programs that read schemas without
 * patterns do not pay for it.
 */
export function compileGoPattern(pattern: string): CompiledPattern {
  const { RE2JS, RE2JSException } = createRequire(import.meta.url)('re2js') as typeof import('re2js');
  try {
    return { compiled: RE2JS.compile(pattern) };
  } catch (error) {
    if (error instanceof RE2JSException) return { error: error.message };
    throw error;
  }
}
