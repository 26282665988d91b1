import { func, type Overload, takes } from '../check/overload.js';
import { celTypes } from '../values/cel-type.js';

const { string } = celTypes;

/** Returns the functions for JSON patches, which only mutations can call. */
export function jsonPatchOverloads(): readonly Overload[] {
  return [
    func(['string_jsonpatch_escapeKey_string', 'jsonpatch.escapeKey'], takes(string, string), (key: string) =>
      key.replaceAll('~', '~0').replaceAll('/', '~1'),
    ),
  ];
}
