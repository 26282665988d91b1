import { childPath, isJsonMap, ownValue } from './json-shape.js';
import type { StructuralSchema } from './structural-schema.js';

/**
 * Returns the field of the `fieldPath` of a rule (`.a.b`, `['a-b'].c`), in the notation of errors. Returns undefined if the path is invalid
 * or does not lead to a field of the schema.
 */
export function ruleFieldPath(path: string, schema: StructuralSchema): string | undefined {
  let at: StructuralSchema | undefined = schema;
  let field = '';
  for (const token of tokens(path)) {
    if (token === undefined || at === undefined) return undefined;
    const named: boolean = at.properties !== undefined && Object.keys(at.properties).length > 0;
    if (!named && !isJsonMap(at.additionalProperties)) return undefined;
    field = named ? childPath(field, token) : `${field}[${token}]`;
    at = named ? ownValue(at.properties, token) : (at.additionalProperties as StructuralSchema);
    if (named && at === undefined) return undefined;
  }
  return field === '' ? undefined : field;
}

/** Returns the names in a path. A part that cannot be parsed yields undefined. */
function* tokens(path: string): Iterable<string | undefined> {
  const pattern = /\.([^.[\]']+)|\['((?:\\.|[^'\\])*)'\]/y;
  let at = 0;
  while (at < path.length) {
    pattern.lastIndex = at;
    const found = pattern.exec(path);
    if (found === null) return yield undefined;
    yield found[1] ?? unescape(found[2] ?? '');
    at = pattern.lastIndex;
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  "'": "'",
  '\\': '\\',
};

function unescape(quoted: string): string | undefined {
  const escapes = [...quoted.matchAll(/\\(.)/gs)];
  if (escapes.some(([, char = '']) => ESCAPES[char] === undefined)) return undefined;
  return quoted.replace(/\\(.)/gs, (_, char: string) => ESCAPES[char] ?? char);
}
