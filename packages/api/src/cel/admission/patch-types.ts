import type { ObjectTypes } from '../check/environment.js';
import { type CelType, celTypes, structType } from '../values/cel-type.js';
import { ConstructedObject, jsonPatchType, JsonPatchOperation, OBJECT_TYPE } from './constructed-values.js';

const patchFields: ReadonlyMap<string, CelType> = new Map<string, CelType>([
  ['op', celTypes.string],
  ['path', celTypes.string],
  ['from', celTypes.string],
  ['value', celTypes.dyn],
]);

/** The types that mutations can construct: `Object`, `Object.field`, and `JSONPatch`. */
export const patchTypes: ObjectTypes = {
  find: (name) => {
    if (name === jsonPatchType.name) return jsonPatchType;
    return name === OBJECT_TYPE || name.startsWith(`${OBJECT_TYPE}.`) ? structType(name) : undefined;
  },
  field: (type, name) => {
    if (type !== jsonPatchType.name) return celTypes.dyn;
    return patchFields.get(name) ?? celTypes.unspecified;
  },
  construct: (type, fields) =>
    type === jsonPatchType.name ? JsonPatchOperation.of(fields) : new ConstructedObject(type, fields),
};
