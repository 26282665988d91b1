import type { Query } from './request-options.js';

/** Returns a path with query parameters. Omits undefined parameters, and repeats a parameter for each item of a list. */
export function pathWithQuery(path: string, query: Query | undefined): string {
  if (query === undefined) return path;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (typeof value === 'object') for (const one of value) parameters.append(name, one);
    else parameters.append(name, String(value));
  }
  const text = parameters.toString();
  if (text === '') return path;
  return `${path}${path.includes('?') ? '&' : '?'}${text}`;
}
