import { createRequire } from 'node:module';

/** The expression language, which is loaded when there is a rule to look at: most definitions have none. */
export function loadCel(): typeof import('../cel.js') {
  return createRequire(import.meta.url)('../cel.js') as typeof import('../cel.js');
}
