import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Matches a line of a stack trace, `at name (path:line:column)`, or the line before a SyntaxError, `path:line`. */
const LINE = /^(?:at (?:async )?(?:.*? \()?)?((?:file:\/\/|[A-Za-z]:)?[^():]*?[\\/][^:]*?):(\d+)(?::(\d+))?\)?$/;

/**
 * Returns the first position in the project in the stack trace of an error, such as 'src/main.ts:3:7'. Returns undefined if there is none.
 * Prefers positions in TypeScript sources to positions in generated code, such as the decorator helper of the compiler.
 */
export function placeIn(root: string, thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const places = (thrown.stack ?? '').split('\n').flatMap((line) => placeOf(line.trim(), root) ?? []);
  return places.find((place) => /\.[cm]?tsx?:/.test(place)) ?? places[0];
}

function placeOf(line: string, root: string): string | undefined {
  const [, place, row, column] = LINE.exec(line) ?? [];
  if (place === undefined || line.includes('node:')) return undefined;
  const path = relative(root, place.startsWith('file:') ? fileURLToPath(place) : place);
  if (path.startsWith('..') || path.split(sep).includes('node_modules')) return undefined;
  return [path.replaceAll(sep, '/'), row, column].filter((part) => part !== undefined).join(':');
}
