import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A line of a stack, `at name (place:row:column)`, or the line above a SyntaxError, `place:row`. */
const LINE = /^(?:at (?:async )?(?:.*? \()?)?((?:file:\/\/|[A-Za-z]:)?[^():]*?[\\/][^:]*?):(\d+)(?::(\d+))?\)?$/;

/** Where in a project something was thrown, such as 'src/main.ts:3:7'; undefined where its stack does not tell. */
export function placeIn(root: string, thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  for (const line of (thrown.stack ?? '').split('\n')) {
    const [, place, row, column] = LINE.exec(line.trim()) ?? [];
    if (place === undefined || line.includes('node:')) continue;
    const path = relative(root, place.startsWith('file:') ? fileURLToPath(place) : place);
    if (path.startsWith('..') || path.split(sep).includes('node_modules')) continue;
    return [path.replaceAll(sep, '/'), row, column].filter((part) => part !== undefined).join(':');
  }
  return undefined;
}
