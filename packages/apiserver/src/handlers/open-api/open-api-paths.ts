import type { ResourceDefinition, SubresourceDefinition } from '../../registry/definitions/resource-definition.js';
import {
  listParameters,
  OpenApiOperations,
  pathParameter,
  queryParameters,
  type SchemaNames,
} from './open-api-operations.js';

/** Returns the operations on the given resources by path, below the root of their group-version. */
export function openApiPaths(
  root: string,
  names: ReadonlyMap<ResourceDefinition, SchemaNames>,
): Readonly<Record<string, object>> {
  const paths: Record<string, object> = {};
  for (const [definition, schemas] of names) {
    const { namespaced, plural, verbs } = definition;
    const collection = namespaced ? `${root}/namespaces/{namespace}/${plural}` : `${root}/${plural}`;
    const operations = new OpenApiOperations(definition, schemas);
    paths[collection] = collectionItem(definition, operations);
    if (verbs.includes('get')) paths[`${collection}/{name}`] = objectItem(definition, operations);
    for (const subresource of definition.subresources.values()) {
      const item = subresourceItem(definition, operations, subresource);
      if (item !== undefined) paths[`${collection}/{name}/${subresource.name}`] = item;
    }
    if (namespaced && verbs.includes('list')) {
      const parameters = queryParameters(['pretty', ...listParameters].toSorted());
      paths[`${root}/${plural}`] = { get: operations.list(true), parameters };
    }
  }
  return paths;
}

function collectionItem(definition: ResourceDefinition, operations: OpenApiOperations): object {
  const { verbs } = definition;
  return {
    ...(verbs.includes('list') ? { get: operations.list(false) } : {}),
    ...(verbs.includes('create') ? { post: operations.create() } : {}),
    ...(verbs.includes('deletecollection') ? { delete: operations.deleteCollection() } : {}),
    parameters: pathParameters(definition, false),
  };
}

function objectItem(definition: ResourceDefinition, operations: OpenApiOperations): object {
  const { verbs } = definition;
  return {
    ...(verbs.includes('get') ? { get: operations.read('') } : {}),
    ...(verbs.includes('update') ? { put: operations.replace('') } : {}),
    ...(verbs.includes('delete') ? { delete: operations.delete() } : {}),
    ...(verbs.includes('patch') ? { patch: operations.patch('') } : {}),
    parameters: pathParameters(definition, true),
  };
}

/**
 * Returns the operations of a subresource with the kind of the object or with the kind Scale. Returns undefined for other subresources,
 * which only support create.
 */
function subresourceItem(
  definition: ResourceDefinition,
  operations: OpenApiOperations,
  { name, kind, verbs }: SubresourceDefinition,
): object | undefined {
  const isScale = kind === 'Scale';
  if (!isScale && kind !== definition.kind) return undefined;
  return {
    ...(verbs.includes('get') ? { get: operations.read(name, isScale) } : {}),
    ...(verbs.includes('update') ? { put: operations.replace(name, isScale) } : {}),
    ...(verbs.includes('patch') ? { patch: operations.patch(name, isScale) } : {}),
    parameters: pathParameters(definition, true),
  };
}

function pathParameters({ namespaced }: ResourceDefinition, named: boolean): readonly object[] {
  const inPath = [...(named ? ['name'] : []), ...(namespaced ? ['namespace'] : [])];
  return [...inPath.map(pathParameter), ...queryParameters(['pretty'])];
}
