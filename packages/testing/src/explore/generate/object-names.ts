import type { KubeObject } from '@kubewright/api';
import type { StructuralSchema } from '@kubewright/api/schema';

/** The fields that contain the name of an object of a kind, such as `secretName`, `configMapRef.name` or `serviceAccount`. */
const REFERENCES: readonly (readonly [RegExp, string])[] = [
  [/secret|credential|password|certificate/i, 'Secret'],
  [/config/i, 'ConfigMap'],
  [/claim|volume/i, 'PersistentVolumeClaim'],
  [/serviceAccount/i, 'ServiceAccount'],
  [/service/i, 'Service'],
];
const NAME = /^(name|.*(name|ref|reference|secret|serviceAccount))$/i;

/**
 * Returns the schema with the names of the given objects as examples of the fields that probably contain such a name. A field with an
 * example or an enumeration stays unchanged.
 */
export function withObjectNames(
  schema: StructuralSchema,
  objects: readonly KubeObject[],
  path: readonly string[] = [],
): StructuralSchema {
  if (objects.length === 0) return schema;
  const { properties, items } = schema;
  if (schema.type === 'string') {
    const example = schema.enum === undefined ? nameFor(path, objects) : undefined;
    return example === undefined || schema.example !== undefined ? schema : { ...schema, example };
  }
  return {
    ...schema,
    ...(items && { items: withObjectNames(items, objects, path) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, withObjectNames(field, objects, [...path, name])]),
      ),
    }),
  };
}

function nameFor(path: readonly string[], objects: readonly KubeObject[]): string | undefined {
  const [parent = '', field = ''] = path.length < 2 ? ['', path[0]] : path.slice(-2);
  if (!NAME.test(field)) return undefined;
  const text = field === 'name' ? parent : field;
  const kind = REFERENCES.find(([name]) => name.test(text))?.[1];
  return objects.find((object) => object.kind === kind)?.metadata.name;
}
