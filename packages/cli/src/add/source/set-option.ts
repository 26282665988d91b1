import type { ObjectExpression } from 'oxc-parser';
import { propertyOf } from './kind-declarations.js';
import { lineEnd, marginOf } from './line-place.js';
import type { SourceModule } from './source-module.js';
import type { TextEdit } from './text-edit.js';

/**
 * Returns the edit that sets a property of an object literal. Replaces the existing value, or appends the property in the format of the
 * other properties.
 */
export function setOption(
  { text }: SourceModule,
  object: ObjectExpression,
  { name, value }: { readonly name: string; readonly value: string },
): TextEdit {
  const present = propertyOf(object, name);
  if (present !== undefined) return { start: present.value.start, end: present.value.end, text: value };
  const last = object.properties.at(-1);
  if (last === undefined) return { start: object.start + 1, text: ` ${name}: ${value} ` };
  const before = text.slice(object.start, last.start);
  const lines = before.includes('\n') && before.slice(before.lastIndexOf('\n')).trim() === '';
  const space = lines ? `${lineEnd(text)}${marginOf(text, last.start)}` : ' ';
  const comma = /^\s*,/.exec(text.slice(last.end));
  if (comma === null) return { start: last.end, text: `,${space}${name}: ${value}` };
  return { start: last.end + comma[0].length, text: `${space}${name}: ${value}${lines ? ',' : ''}` };
}
