import { RESERVED_WORDS } from './grammar.js';

const ESCAPES: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/** Returns the name of a property in expressions (`__namespace__`, `a__dash__b`), or undefined if expressions cannot reach the property. */
export function escapeName(name: string): string | undefined {
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(name)) return undefined;
  if (RESERVED_WORDS.includes(name)) return `__${name}__`;
  return name.replace(/__|[-./]/g, (found) => ESCAPES[found] ?? found);
}
