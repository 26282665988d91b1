import { KubewrightError } from '../errors/kubewright-error.js';
import type { StructuralSchema } from '../schema/structural-schema.js';

/**
 * A schema as a CustomResourceDefinition may carry it: without the patch strategies of built-in parts, with a default for the keys
 * of list maps that are neither required nor defaulted, as the API server demands, and with templates that may say
 * `creationTimestamp: null`, as `kubectl create --dry-run` writes them.
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
      `cannot make the CustomResourceDefinition of ${place.kind}: the schema of ${place.path} contains itself; use Field.unknown there`,
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

/** Metadata within an object, such as that of a template: programs in Go write the time at which it was made as null. */
function withNoTime(properties: StructuralSchema['properties']): StructuralSchema['properties'] {
  const { creationTimestamp, managedFields } = properties ?? {};
  if (creationTimestamp === undefined || managedFields === undefined) return properties;
  return { ...properties, creationTimestamp: { ...creationTimestamp, nullable: true } };
}

/** An item in which each key of the list map is sure to be there. */
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
