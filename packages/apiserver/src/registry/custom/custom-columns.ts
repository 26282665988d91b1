import { KubewrightError } from '@kubewright/api/errors';
import { compileJsonPath } from '@kubewright/api/json-path';
import { age } from '../age.js';
import { type ApiObject, isObject, type JsonDraft, numberAt, objectsAt, stringAt } from '../json-object.js';
import type { TableColumn } from '../table-column.js';

/** A column of a custom resource's table and how its cells are found. */
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

/** The name, then the printer columns of the version; the age when it has none. */
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
  // As on a real server, one whose path cannot be read ends the columns.
  const unreadable = printers.indexOf(undefined);
  return [name, ...printers.slice(0, unreadable < 0 ? printers.length : unreadable).filter((one) => one !== undefined)];
}

/** The cells of an object's row. */
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

/** As Go's templates print a value. */
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

/** A number as 64 bits hold it; one that is too large becomes the smallest. */
function wholeOf(value: number): number {
  return Math.abs(value) < 2 ** 63 ? Math.trunc(value) : -(2 ** 63);
}
