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

/** Returns a table without its rows. `metadata` is the metadata of the list or of the only object. */
export function tableHead(
  definition: ResourceDefinition,
  metadata: object,
  { apiVersion }: Pick<TableOptions, 'apiVersion'>,
): object {
  return { kind: 'Table', apiVersion, metadata, columnDefinitions: definition.columns };
}

/** Returns the row of an object. */
export function row(definition: ResourceDefinition, object: ApiObject, options: TableOptions): object {
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
