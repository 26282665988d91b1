import { KubewrightError } from '../errors/kubewright-error.js';
import type { StructuralSchema } from '../schema/structural-schema.js';

/**
 * Returns a schema that is valid in a CustomResourceDefinition. Removes the patch strategies of built-in types. Adds a default to each key
 * of a list map that is optional and has no default, because the API server rejects such a key. Allows `creationTimestamp: null` in
 * templates, because `kubectl create --dry-run` writes this value.
 * @throws KubewrightError INVALID_KIND for a schema that contains itself
 */
export function crdSchema(schema: StructuralSchema, kind: string): StructuralSchema {
  return written(schema, { kind, path: '', inside: new Set() });
}

interface Place {
  readonly kind: string;
  readonly path: string;
  readonly inside: ReadonlySet<StructuralSchema>;
}

function written(schema: StructuralSchema, place: Place): StructuralSchema {
  if (place.inside.has(schema)) {
    throw new KubewrightError(
      'INVALID_KIND',
      `cannot generate the CustomResourceDefinition of ${place.kind}: the schema of ${place.path} contains itself; use Field.unknown there`,
    );
  }
  const inside = new Set([...place.inside, schema]);
  const below = (each: StructuralSchema, name: string): StructuralSchema =>
    written(each, { kind: place.kind, path: `${place.path}${name}`, inside });
  const { 'x-kubernetes-patch-merge-key': _, 'x-kubernetes-patch-strategy': __, properties, items, ...rest } = schema;
  const { additionalProperties, ...plain } = rest;
  const children = Object.entries(withNoTime(properties) ?? {}).map(
    ([name, each]) => [name, below(each, `.${name}`)] as const,
  );
  return {
    ...plain,
    ...(properties === undefined ? {} : { properties: Object.fromEntries(children) }),
    ...(items === undefined ? {} : { items: withKeys(below(items, '[]'), schema['x-kubernetes-list-map-keys'] ?? []) }),
    ...(additionalProperties === undefined
      ? {}
      : {
          additionalProperties:
            typeof additionalProperties === 'object' ? below(additionalProperties, '.*') : additionalProperties,
        }),
  };
}

/** Makes `creationTimestamp` nullable in embedded metadata, such as in a template, because Go programs write an unset time as null. */
function withNoTime(properties: StructuralSchema['properties']): StructuralSchema['properties'] {
  const { creationTimestamp, managedFields } = properties ?? {};
  if (creationTimestamp === undefined || managedFields === undefined) return properties;
  return { ...properties, creationTimestamp: { ...creationTimestamp, nullable: true } };
}

/** Returns an item schema that has a default for each optional key of the list map. */
function withKeys(item: StructuralSchema, keys: readonly string[]): StructuralSchema {
  const open = keys.filter((key) => {
    const property = item.properties?.[key];
    return property !== undefined && property.default === undefined && !item.required?.includes(key);
  });
  if (open.length === 0) return item;
  const properties = { ...item.properties };
  for (const key of open) {
    const property = properties[key] as StructuralSchema;
    properties[key] = {
      ...property,
      default: property.type === 'string' ? '' : property.type === 'boolean' ? false : 0,
    };
  }
  return { ...item, properties };
}
