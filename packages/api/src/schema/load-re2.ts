import { createRequire } from 'node:module';

/**
 * The regular expressions of Go. The library is large, and loaded when there is an expression to look at: whoever reads
 * schemas without any does not pay for it.
 */
export function loadRe2(): typeof import('re2js') {
  return createRequire(import.meta.url)('re2js') as typeof import('re2js');
}
