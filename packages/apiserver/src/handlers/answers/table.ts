import type { ApiObject } from '../../registry/objects/api-object.js';
import type { ResourceDefinition } from '../../registry/definitions/resource-definition.js';
import { badRequest } from '../../registry/requests/status-errors.js';

/** The value of the query parameter includeObject, which selects the content of the object in each table row. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

/** Options of a table. */
export interface TableOptions {
  readonly apiVersion: string;
  readonly includeObject: IncludeObject;
  readonly now: Date;
}

/** Returns the query parameter includeObject. Throws 400 for an invalid value. */
export function includeObject(query: URLSearchParams): IncludeObject {
  const value = query.get('includeObject') ?? '';
  if (value === '' || value === 'Metadata') return 'Metadata';
  if (value === 'None' || value === 'Object') return value;
  const why = `Invalid value: ${JSON.stringify(value)}: must be 'Metadata', 'Object', 'None', or empty`;
  throw badRequest(`Unable to convert to Table as requested: includeObject: ${why}`);
}

/** Returns a table without its rows. `metadata` is the metadata of the list or of the single object. */
export function tableHead(
  definition: ResourceDefinition,
  metadata: object,
  { apiVersion }: Pick<TableOptions, 'apiVersion'>,
): object {
  return { kind: 'Table', apiVersion, metadata, columnDefinitions: definition.columns };
}

/** Returns the row of an object. */
export function row(definition: ResourceDefinition, object: ApiObject, options: TableOptions): object {
  // The object of a bookmark does not have a name.
  const { metadata } = object;
  const named = metadata.name === undefined ? { ...object, metadata: { ...metadata, name: '' } } : object;
  const cells = definition.strategy.cells(named, options.now);
  if (options.includeObject === 'None') return { cells, object: null };
  return { cells, object: options.includeObject === 'Object' ? object : partialMetadata(object, options.apiVersion) };
}

/** Returns the metadata of an object as PartialObjectMetadata. */
export function partialMetadata(object: Pick<ApiObject, 'metadata'>, apiVersion: string): object {
  return { kind: 'PartialObjectMetadata', apiVersion, metadata: object.metadata };
}
