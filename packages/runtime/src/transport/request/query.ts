import type { Query } from './request-options.js';

/** Matches a name or a value that is written to the query without percent-encoding. */
const PLAIN = /^[\w.*-]*$/;

/** Returns a path with query parameters. Omits undefined parameters, and repeats a parameter for each item of a list. */
export function pathWithQuery(path: string, query: Query | undefined): string {
  let text = '';
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined) continue;
    if (typeof value === 'object') for (const one of value) text += parameter(name, one);
    else text += parameter(name, String(value));
  }
  if (text === '') return path;
  return `${path}${path.includes('?') ? '&' : '?'}${text.slice(1)}`;
}

function parameter(name: string, value: string): string {
  const isPlain = PLAIN.test(name) && PLAIN.test(value);
  return `&${isPlain ? `${name}=${value}` : new URLSearchParams([[name, value]]).toString()}`;
}
