import type { ApiObject } from '../registry/json-object.js';
import type { ResourceDefinition } from '../registry/resource-definition.js';
import { badRequest } from '../registry/status-errors.js';

/** What a table row carries of its object, by the query parameter includeObject. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

/** How a table is to be made. */
export interface TableOptions {
  readonly apiVersion: string;
  readonly includeObject: IncludeObject;
  readonly now: Date;
}

/** The query parameter includeObject; 400 for a value that does not exist. */
export function includeObject(query: URLSearchParams): IncludeObject {
  const value = query.get('includeObject') ?? '';
  if (value === '' || value === 'Metadata') return 'Metadata';
  if (value === 'None' || value === 'Object') return value;
  const why = `Invalid value: ${JSON.stringify(value)}: must be 'Metadata', 'Object', 'None', or empty`;
  throw badRequest(`Unable to convert to Table as requested: includeObject: ${why}`);
}

/** The table of objects; `metadata` is that of the list, or of the one object. */
export function table(
  definition: ResourceDefinition,
  { items, metadata }: { readonly items: readonly ApiObject[]; readonly metadata: object },
  options: TableOptions,
): object {
  return {
    kind: 'Table',
    apiVersion: options.apiVersion,
    metadata,
    columnDefinitions: definition.columns,
    rows: items.map((object) => row(definition, object, options)),
  };
}

function row(definition: ResourceDefinition, object: ApiObject, options: TableOptions): object {
  // The object of a bookmark has no name.
  const { metadata } = object;
  const named = metadata.name === undefined ? { ...object, metadata: { ...metadata, name: '' } } : object;
  const cells = definition.strategy.cells(named, options.now);
  if (options.includeObject === 'None') return { cells, object: null };
  return { cells, object: options.includeObject === 'Object' ? object : partialMetadata(object, options.apiVersion) };
}

/** The object with nothing but its metadata. */
export function partialMetadata(object: Pick<ApiObject, 'metadata'>, apiVersion: string): object {
  return { kind: 'PartialObjectMetadata', apiVersion, metadata: object.metadata };
}
