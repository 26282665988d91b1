import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A line of a stack, `at name (place:row:column)`, or the line above a SyntaxError, `place:row`. */
const LINE = /^(?:at (?:async )?(?:.*? \()?)?((?:file:\/\/|[A-Za-z]:)?[^():]*?[\\/][^:]*?):(\d+)(?::(\d+))?\)?$/;

/**
 * Returns the position in a project at which an error was thrown, such as 'src/main.ts:3:7'; undefined if the stack contains no position in
 * the project. Prefers positions in TypeScript sources to positions in code that the compiler added, such as the helper for decorators.
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
