import { createRequire } from 'node:module';

/** Loads the CEL implementation on first use, because most definitions have no rules. */
export function loadCel(): typeof import('../cel.js') {
  return createRequire(import.meta.url)('../cel.js') as typeof import('../cel.js');
}
