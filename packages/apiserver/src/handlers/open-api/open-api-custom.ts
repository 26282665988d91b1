import type { JsonDraft, JsonObject } from '../../registry/objects/api-object.js';
import { isObject, objectAt } from '../../registry/objects/json-object.js';
import type { ResourceDefinition } from '../../registry/definitions/resource-definition.js';
import type { SchemaNames } from './open-api-operations.js';
import { listMetadataDescription, metadataDescription, typeDescriptions } from './metadata-descriptions.js';

const objectMeta = { $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' };
const listMeta = { $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta' };
const typeMeta = {
  apiVersion: { description: typeDescriptions.apiVersion, type: 'string' },
  kind: { description: typeDescriptions.kind, type: 'string' },
};
const metadata = { description: metadataDescription, allOf: [objectMeta] };
const intOrString = [{ type: 'integer' }, { type: 'string' }];

/** Returns the component schemas of a custom kind and of its list, and their names. */
export function customComponents(definition: ResourceDefinition): {
  readonly names: SchemaNames;
  readonly components: Readonly<Record<string, object>>;
} {
  const { group, version, kind, listKind, schema, selectableFields } = definition;
  const base = `${group.split('.').toReversed().join('.')}.${version}`;
  const names = { object: `${base}.${kind}`, list: `${base}.${listKind}` };
  const selectable =
    selectableFields.length === 0
      ? {}
      : { 'x-kubernetes-selectable-fields': selectableFields.map((fieldPath) => ({ fieldPath })) };
  const own: JsonDraft = {
    ...unfolded({ ...schema, type: 'object' }),
    'x-kubernetes-group-version-kind': [{ group, version, kind }],
    ...selectable,
  };
  own['properties'] = { ...objectAt(own, 'properties'), ...typeMeta, metadata };
  const list = {
    description: `A list of objects of the kind ${kind}.`,
    type: 'object',
    required: ['items'],
    properties: {
      ...typeMeta,
      metadata: { description: listMetadataDescription, allOf: [listMeta] },
      items: {
        description: `The objects of the kind ${kind}.`,
        type: 'array',
        items: { $ref: `#/components/schemas/${names.object}` },
      },
    },
    'x-kubernetes-group-version-kind': [{ group, version, kind: listKind }],
    ...selectable,
  };
  return { names, components: { [names.object]: own, [names.list]: list } };
}

/** Returns a schema with explicit types for its extensions: the two types of int-or-string, and the type fields of embedded resources. */
function unfolded(schema: JsonObject): JsonDraft {
  const next: JsonDraft = { ...schema };
  const { properties, items, additionalProperties } = schema;
  if (isObject(properties)) {
    next['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, unfolded(property as JsonObject)]),
    );
  }
  if (isObject(items)) next['items'] = unfolded(items);
  if (isObject(additionalProperties)) next['additionalProperties'] = unfolded(additionalProperties);
  if (schema['x-kubernetes-int-or-string'] === true) spellTypes(next);
  if (schema['x-kubernetes-embedded-resource'] === true) {
    next['properties'] = { ...objectAt(next, 'properties'), ...typeMeta, metadata };
    const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
    next['required'] = [...new Set([...required, 'kind', 'apiVersion'])];
  }
  return next;
}

function spellTypes(schema: JsonDraft): void {
  const { anyOf, allOf } = schema;
  const spelled = JSON.stringify([anyOf, allOf]).includes(JSON.stringify(intOrString));
  if (spelled) return;
  if (anyOf === undefined) schema['anyOf'] = intOrString;
  else schema['allOf'] = [{ anyOf: intOrString }, ...(Array.isArray(allOf) ? (allOf as readonly unknown[]) : [])];
}
