import type { KubeObject } from '@kubewright/api';
import type { FieldPath } from '../watches/changed-paths.js';

/** An entry in `metadata.managedFields`. */
interface ManagedFields {
  readonly manager?: string;
  readonly time?: string;
  readonly fieldsV1?: unknown;
}

/**
 * Returns the managers that own a field, according to the managed fields of the object. A field has several managers if they applied the
 * same value.
 */
export function managersOf(object: KubeObject, path: FieldPath): readonly string[] {
  const names = entriesOf(object).flatMap(({ manager, fieldsV1 }) =>
    manager && owns(fieldsV1, path) ? [manager] : [],
  );
  return [...new Set(names)];
}

/** Returns the manager that wrote to the object last, except the manager `beside`. Returns undefined if there is no other manager. */
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
