import { deepEqual } from '@kubewright/api/patch';
import type { FieldError } from '@kubewright/api/schema';
import { isObject, valueAt } from '../../objects/json-object.js';
import type { JsonObject } from '../../objects/api-object.js';

/**
 * The fields of an internal struct in the order of kube-apiserver: the internal name, the name in JSON, and the value of an unset field or
 * the fields of a nested struct. An unset nested struct is null.
 */
export type GoShape = readonly (readonly [
  goName: string,
  name: string,
  rest: GoShape | string | number | boolean | null,
])[];

/** Returns a struct, or a list of structs, in the form of some messages of kube-apiserver. Returns null for an unset value. */
export function goForm(value: unknown, shape: GoShape): unknown {
  if (Array.isArray(value)) return value.map((item) => goForm(item, shape));
  if (!isObject(value)) return null;
  return goFields(value, shape);
}

/** Like `goForm`, for a struct. An unset struct has the values of unset fields. */
export function goFields(value: JsonObject, shape: GoShape): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    shape.map(([goName, name, rest]) => {
      const field = value[name];
      return [goName, Array.isArray(rest) ? goForm(field, rest as GoShape) : (field ?? rest)];
    }),
  );
}

/** Returns the error of an immutable field with a struct that an update changes. The error contains the internal names of its fields. */
export function unchangedStruct(
  next: unknown,
  old: unknown,
  { path, shape }: { readonly path: string; readonly shape: GoShape },
): readonly FieldError[] {
  const value = valueAt(next, ...path.split('.'));
  if (deepEqual(value, valueAt(old, ...path.split('.')))) return [];
  const shown = JSON.stringify(goForm(value, shape));
  return [{ reason: 'FieldValueInvalid', field: path, message: `Invalid value: ${shown}: field is immutable` }];
}
