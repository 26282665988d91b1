import { KubewrightError } from '@kubewright/api/errors';
import { compileJsonPath } from '@kubewright/api/json-path';
import { age } from '../objects/age.js';
import type { ApiObject, JsonDraft } from '../objects/api-object.js';
import { isObject, numberAt, objectsAt, stringAt } from '../objects/json-object.js';
import type { TableColumn } from '../cluster-data/table-column.js';

/** A column in the table of a custom resource, and the function that returns its cells. */
export interface CustomColumn {
  readonly column: TableColumn;
  readonly cell: (object: ApiObject, now: Date) => unknown;
}

const ageColumn = {
  name: 'Age',
  type: 'date',
  description:
    'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed ' +
    'to be set in happens-before order across separate operations. Clients may not set this value. It is represented ' +
    'in RFC3339 form and is in UTC.',
  jsonPath: '.metadata.creationTimestamp',
};

/** Returns the columns of a version: the name, followed by the printer columns. A version without printer columns has an age column. */
export function customColumns(version: JsonDraft): readonly CustomColumn[] {
  const own = objectsAt(version, 'additionalPrinterColumns');
  const name: CustomColumn = {
    column: {
      name: 'Name',
      type: 'string',
      format: 'name',
      description: 'Name must be unique within a namespace.',
      priority: 0,
    },
    cell: (object) => object.metadata.name,
  };
  const printers = (own.length > 0 ? own : [ageColumn]).map((declared) => printed(declared));
  // As in kube-apiserver, a column with an unreadable path ends the list of columns.
  const unreadable = printers.indexOf(undefined);
  return [name, ...printers.slice(0, unreadable < 0 ? printers.length : unreadable).filter((one) => one !== undefined)];
}

/** Returns the function that creates the cells of an object's row. */
export function customCells(columns: readonly CustomColumn[]): (object: ApiObject, now: Date) => readonly unknown[] {
  return (object, now) => columns.map(({ cell }) => cell(object, now));
}

function printed(declared: JsonDraft): CustomColumn | undefined {
  const type = stringAt(declared, 'type');
  const find = readable(stringAt(declared, 'jsonPath'));
  if (find === undefined) return undefined;
  const column: TableColumn = {
    name: stringAt(declared, 'name'),
    type,
    format: stringAt(declared, 'format'),
    description:
      stringAt(declared, 'description') ||
      `Custom resource definition column (in JSONPath format): ${stringAt(declared, 'jsonPath')}`,
    priority: numberAt(declared, 'priority') ?? 0,
  };
  return { column, cell: (object, now) => cellOf(find(object)[0], type, now) };
}

function readable(jsonPath: string): ReturnType<typeof compileJsonPath> | undefined {
  try {
    return compileJsonPath(jsonPath);
  } catch (error) {
    if (error instanceof KubewrightError) return undefined;
    throw error;
  }
}

function cellOf(value: unknown, type: string, now: Date): unknown {
  if (value === undefined) return null;
  if (type === 'string') return textOf(value);
  if (value === null) return null;
  if (type === 'integer') return typeof value === 'number' ? wholeOf(value) : null;
  if (type === 'number') return typeof value === 'number' ? value : null;
  if (type === 'boolean') return typeof value === 'boolean' ? value : null;
  if (type !== 'date' || typeof value !== 'string') return null;
  return Number.isNaN(Date.parse(value)) ? '<invalid>' : age(value, now);
}

/** Formats a value as text: `<no value>` for null, and JSON with sorted keys for objects and lists. */
function textOf(value: unknown): string {
  if (value === null) return '<no value>';
  return typeof value === 'object' ? JSON.stringify(sorted(value)) : String(value);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).toSorted();
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]));
}

/** Converts a number to a 64-bit integer. A number outside of the range becomes the smallest 64-bit integer. */
function wholeOf(value: number): number {
  return Math.abs(value) < 2 ** 63 ? Math.trunc(value) : -(2 ** 63);
}
