import type { ResourceDefinition } from '../registry/resource-definition.js';

const patchTypes = [
  'application/apply-patch+yaml',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
];
const writeParameters = ['dryRun', 'fieldManager', 'fieldValidation'].map(queryParameter);

/** The operations on the resources whose component names are given, below the root of their group-version. */
export function openApiPaths(
  root: string,
  names: ReadonlyMap<ResourceDefinition, string>,
): Readonly<Record<string, object>> {
  const paths: Record<string, object> = {};
  for (const [definition, name] of names) {
    const collection = definition.namespaced
      ? `${root}/namespaces/{namespace}/${definition.plural}`
      : `${root}/${definition.plural}`;
    paths[collection] = { ...pathParameters(definition, false), ...collectionOperations(definition, name) };
    paths[`${collection}/{name}`] = { ...pathParameters(definition, true), ...objectOperations(definition, name) };
    if (definition.namespaced) paths[`${root}/${definition.plural}`] = { get: operation(definition, name, 'list') };
  }
  return paths;
}

function collectionOperations(definition: ResourceDefinition, name: string): object {
  return {
    get: operation(definition, name, 'list'),
    post: { ...operation(definition, name, 'post'), parameters: writeParameters, requestBody: body(name, ['*/*']) },
  };
}

function objectOperations(definition: ResourceDefinition, name: string): object {
  const patches = definition.custom ? patchTypes.slice(0, 3) : patchTypes;
  const patch = 'io.k8s.apimachinery.pkg.apis.meta.v1.Patch';
  return {
    get: operation(definition, name, 'get'),
    put: { ...operation(definition, name, 'put'), parameters: writeParameters, requestBody: body(name, ['*/*']) },
    patch: {
      ...operation(definition, name, 'patch'),
      parameters: [...writeParameters, queryParameter('force')],
      requestBody: body(patch, patches),
    },
    delete: { ...operation(definition, name, 'delete'), parameters: [queryParameter('dryRun')] },
  };
}

function operation({ group, version, kind }: ResourceDefinition, name: string, action: string): object {
  return {
    responses: { '200': { description: 'OK', ...body(name, ['application/json']) } },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { group, version, kind },
  };
}

function body(name: string, types: readonly string[]): object {
  const schema = { $ref: `#/components/schemas/${name}` };
  return { content: Object.fromEntries(types.map((type) => [type, { schema }])) };
}

function pathParameters({ namespaced }: ResourceDefinition, named: boolean): object {
  const parameters = [...(named ? ['name'] : []), ...(namespaced ? ['namespace'] : [])].map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', uniqueItems: true },
  }));
  return parameters.length === 0 ? {} : { parameters };
}

function queryParameter(name: string): object {
  return { name, in: 'query', schema: { type: name === 'force' ? 'boolean' : 'string', uniqueItems: true } };
}
