import type { Steps } from '../apply/steps.js';

/** The number of fields that one step visits. */
const fieldsPerStep = 10_000;
const CODES = {
  quote: 0x22,
  comma: 0x2c,
  bracket: 0x5b,
  backslash: 0x5c,
  closingBracket: 0x5d,
  brace: 0x7b,
  closingBrace: 0x7d,
} as const;

interface Open {
  /** The names seen so far. Undefined for an array. */
  readonly names: Set<string> | undefined;
  readonly path: string;
  index: number;
  name: string;
}

/**
 * Calls `visit` for each field of a JSON document, in the order of the text. `visit` receives a function that returns the path of the
 * field, such as `spec.items[0].name`, and whether the same object already contained the field. The calls are meaningless if the document
 * is not valid JSON.
 */
export function* visitFieldsSteps(json: string, visit: (path: () => string, repeated: boolean) => void): Steps<void> {
  let visited = 0;
  const stack: Open[] = [];
  let expectsName = false;
  for (let at = 0; at < json.length; at++) {
    const open = stack.at(-1);
    switch (json.charCodeAt(at)) {
      case CODES.brace:
      case CODES.bracket: {
        const names = json.charCodeAt(at) === CODES.brace ? new Set<string>() : undefined;
        stack.push({ names, path: open === undefined ? '' : childPath(open), index: 0, name: '' });
        expectsName = names !== undefined;
        break;
      }
      case CODES.closingBrace:
      case CODES.closingBracket:
        stack.pop();
        expectsName = false;
        break;
      case CODES.comma:
        if (open !== undefined) open.index += 1;
        expectsName = open?.names !== undefined;
        break;
      case CODES.quote: {
        const end = stringEnd(json, at);
        const start = at;
        at = end;
        if (!expectsName || open?.names === undefined) break;
        expectsName = false;
        const text = json.slice(start, end + 1);
        open.name = text.includes('\\') ? String(JSON.parse(text)) : text.slice(1, -1);
        visit(() => childPath(open), open.names.has(open.name));
        open.names.add(open.name);
        visited += 1;
        if (visited % fieldsPerStep === 0) yield;
        break;
      }
      default:
    }
  }
}

function childPath({ names, path, index, name }: Open): string {
  if (names === undefined) return `${path}[${index}]`;
  return path === '' ? name : `${path}.${name}`;
}

/** Returns the end of the string that begins at `start`: the first quote after an even number of backslashes. */
function stringEnd(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let before = at - 1;
    while (json.charCodeAt(before) === CODES.backslash) before--;
    if ((at - before) % 2 === 1) return at;
  }
  return json.length;
}
