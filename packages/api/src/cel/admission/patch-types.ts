import type { ObjectTypes } from '../check/environment.js';
import { type CelType, celTypes, structType } from '../values/cel-type.js';
import { ConstructedObject, jsonPatchType, JsonPatchOperation, OBJECT_TYPE } from './constructed-values.js';

const patchFields: ReadonlyMap<string, CelType> = new Map<string, CelType>([
  ['op', celTypes.string],
  ['path', celTypes.string],
  ['from', celTypes.string],
  ['value', celTypes.dyn],
]);

/** The types of objects that mutations can construct: `Object` and `Object.field`. */
export type ObjectPathTypes = Pick<ObjectTypes, 'find' | 'field' | 'names'>;

/** The types of objects without declared fields: each field exists, and has any type. */
const anyObject: ObjectPathTypes = {
  find: (name) => (name === OBJECT_TYPE || name.startsWith(`${OBJECT_TYPE}.`) ? structType(name) : undefined),
  field: () => celTypes.dyn,
  names: () => [],
};

/** Returns the types that mutations can construct: the given types of objects, and `JSONPatch`. */
export function patchTypes(objects: ObjectPathTypes = anyObject): ObjectTypes {
  return {
    find: (name) => (name === jsonPatchType.name ? jsonPatchType : objects.find(name)),
    field: (type, name) => {
      if (type !== jsonPatchType.name) return objects.field(type, name);
      return patchFields.get(name) ?? celTypes.unspecified;
    },
    names: (type) => (type === jsonPatchType.name ? [...patchFields.keys()] : objects.names(type)),
    construct: (type, fields) =>
      type === jsonPatchType.name ? JsonPatchOperation.of(fields) : new ConstructedObject(type, fields),
  };
}
