import type { PrintColumnRecord } from '../metadata/class-metadata.js';
import type { StructuralSchema } from '../schema/structural-schema.js';

/** A column of a CustomResourceDefinition. */
export interface PrinterColumn extends PrintColumnRecord {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
}

/**
 * Returns the columns of a kind. If a column does not declare its type, the schema determines the type. If `ageColumn` is true (default),
 * adds an Age column at the end. Does not add the column if a column is already named Age.
 */
export function printerColumns(
  columns: readonly PrintColumnRecord[],
  schema: StructuralSchema,
  { ageColumn = true }: { readonly ageColumn?: boolean } = {},
): readonly PrinterColumn[] {
  const own = columns.map((column) => ({ ...column, type: column.type ?? columnType(column.jsonPath, schema) }));
  if (!ageColumn || own.some(({ name }) => name === 'Age')) return own;
  return [...own, { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }];
}

function columnType(path: string, schema: StructuralSchema): PrinterColumn['type'] {
  if (path === '.metadata.creationTimestamp' || path === '.metadata.deletionTimestamp') return 'date';
  if (path === '.metadata.generation') return 'integer';
  const field = fieldAt(path, schema);
  if (field?.format === 'date-time') return 'date';
  const type = field?.type;
  return type === 'integer' || type === 'number' || type === 'boolean' ? type : 'string';
}

/** Returns the schema of the field at a simple path such as `.spec.a.b`, or undefined if the path is not simple or does not exist. */
export function fieldAt(path: string, schema: StructuralSchema): StructuralSchema | undefined {
  if (!/^(\.\w+)+$/.test(path)) return undefined;
  return path
    .slice(1)
    .split('.')
    .reduce<StructuralSchema | undefined>((at, name) => at?.properties?.[name], schema);
}
