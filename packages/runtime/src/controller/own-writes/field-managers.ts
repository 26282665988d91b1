import type { KubeObject } from '@kubewright/api';
import type { FieldPath } from '../watches/changed-paths.js';

/** One entry of the managed fields of an object. */
interface ManagedFields {
  readonly manager?: string;
  readonly time?: string;
  readonly fieldsV1?: unknown;
}

/**
 * Returns the managers of a field, from the managed fields of an object on the server. Several managers share a field if they agree on its
 * value.
 */
export function managersOf(object: KubeObject, path: FieldPath): readonly string[] {
  const names = entriesOf(object).flatMap(({ manager, fieldsV1 }) =>
    manager && owns(fieldsV1, path) ? [manager] : [],
  );
  return [...new Set(names)];
}

/** Returns the manager that wrote to the object last, except the given manager; undefined if there is none. */
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
