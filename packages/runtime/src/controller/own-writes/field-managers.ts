import type { KubeObject } from '@kubewright/api';
import type { FieldPath } from '../changed-paths.js';

/** One entry of the managed fields of an object. */
interface ManagedFields {
  readonly manager?: string;
  readonly time?: string;
  readonly fieldsV1?: unknown;
}

/** Who wrote the field last, by the managed fields of an object as the server has it; several when they agree on its value. */
export function managersOf(object: KubeObject, path: FieldPath): readonly string[] {
  const names = entriesOf(object).flatMap(({ manager, fieldsV1 }) =>
    manager && owns(fieldsV1, path) ? [manager] : [],
  );
  return [...new Set(names)];
}

/** Who beside this one wrote to the object last; undefined where nobody did. */
export function latestManager(object: KubeObject, beside: string): string | undefined {
  const others = entriesOf(object).filter(({ manager }) => manager !== undefined && manager !== beside);
  return others.toSorted((a, b) => (b.time ?? '').localeCompare(a.time ?? ''))[0]?.manager;
}

function entriesOf({ metadata }: KubeObject): readonly ManagedFields[] {
  const { managedFields } = metadata as { readonly managedFields?: unknown };
  return Array.isArray(managedFields) ? (managedFields as readonly ManagedFields[]) : [];
}

function owns(fields: unknown, path: FieldPath): boolean {
  let at = fields;
  for (const name of path) {
    if (typeof at !== 'object' || at === null) return false;
    at = (at as Readonly<Record<string, unknown>>)[`f:${name}`];
  }
  return at !== undefined && path.length > 0;
}
