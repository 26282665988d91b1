import type { ResourceDefinition } from '../registry/resource-definition.js';

const objectMeta = { $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' };
const listMeta = { $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta' };

/** The component schemas of a custom kind and of its list, and the name of the first. */
export function customComponents(definition: ResourceDefinition): {
  readonly name: string;
  readonly components: Readonly<Record<string, object>>;
} {
  const { group, version, kind, listKind, schema } = definition;
  const base = `${group.split('.').toReversed().join('.')}.${version}`;
  const name = `${base}.${kind}`;
  const own = {
    ...schema,
    type: 'object',
    properties: {
      ...schema.properties,
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { allOf: [objectMeta] },
    },
    'x-kubernetes-group-version-kind': [{ group, version, kind }],
  };
  const list = {
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { allOf: [listMeta] },
      items: { type: 'array', items: { $ref: `#/components/schemas/${name}` } },
    },
    'x-kubernetes-group-version-kind': [{ group, version, kind: listKind }],
  };
  return { name, components: { [name]: own, [`${base}.${listKind}`]: list } };
}
