import type { StructuralSchema } from '../schema/structural-schema.js';
import { isDataName } from './json-pointer.js';
import { namesOfPath } from './mask-field-errors.js';
import { schemaWithin, type SecretRules } from './map-secret-fields.js';
import { isSecretAt } from './secret-name.js';

/** The results of `hasSecretFields`. A result does not change, because schemas are immutable. */
const known = new WeakMap<StructuralSchema, boolean>();

/** Whether the value at a path such as `spec.users[0].pin` is, or contains, the value of a secret field. */
export function isSecretPath(path: string, { schema, isSecret = false }: SecretRules = {}): boolean {
  const names = namesOfPath(path);
  if (isSecret && isDataName(names[0])) return true;
  const of = names.reduce<StructuralSchema | undefined>(
    (each, name) => each?.items ?? schemaWithin(each, name),
    schema,
  );
  return isSecretAt(names) || (of !== undefined && hasSecretFields(of));
}

/** Whether the schema, or any nested schema, has `format: 'password'`. */
export function hasSecretFields(schema: StructuralSchema): boolean {
  const before = known.get(schema);
  if (before !== undefined) return before;
  // A schema may contain itself.
  const seen = new Set([schema]);
  for (const { items, properties = {}, additionalProperties } of seen) {
    for (const each of [...Object.values(properties), items, additionalProperties]) {
      if (typeof each === 'object') seen.add(each);
    }
  }
  const has = [...seen].some(({ format }) => format === 'password');
  known.set(schema, has);
  return has;
}
