import { applyDefaults } from '../schema/apply-defaults.js';
import { ownValue, sameJson } from '../schema/json-shape.js';
import { maskSecretFields } from '../secrets/map-secret-fields.js';
import { maskFieldErrors } from '../secrets/mask-field-errors.js';
import { isSecretPath } from '../secrets/secret-path.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { validate } from '../schema/validate.js';
import { type LocalFinding, shown } from './compatibility-finding.js';
import { mentionOf, type SchemaPair, describe, widened, within } from './schema-pair.js';

/** A field that both schemas have. */
export interface SharedField {
  readonly name: string;
  readonly before: StructuralSchema;
  readonly after: StructuralSchema;
}

/** Whether a missing field gets a default value. */
export function hasDefault(schema: StructuralSchema): boolean {
  return schema.default !== undefined && schema.default !== null;
}

/** Returns the default of a field for messages, with secrets masked. */
export function shownDefault(name: string, schema: StructuralSchema): string {
  const masked = maskSecretFields({ [name]: schema.default }, { schema: { properties: { [name]: schema } } });
  return shown((masked as Readonly<Record<string, unknown>>)[name]);
}

/** Returns the effects of a changed default on objects that do not set the field. */
export function compareDefaults(pair: SchemaPair, { name, before, after }: SharedField): readonly LocalFinding[] {
  if (sameJson(before.default, after.default) || (!hasDefault(before) && !hasDefault(after))) return [];
  const path = within(pair.path, name);
  if (!hasDefault(before)) {
    const change = `default added: ${shownDefault(name, after)}`;
    const harm = harmOfDefault(pair, name);
    return harm === undefined
      ? [widened({ path }, change, 'the API server adds the default to objects that lack the field')]
      : [{ path, change, class: 'breaking', ...harm }];
  }
  const reason = 'a manifest that omits the field now creates a different object';
  if (!hasDefault(after)) {
    const change = `default ${shownDefault(name, before)} removed`;
    const missing = pair.after.required?.includes(name) === true ? 'objects without the field are rejected' : reason;
    return [{ path, change, class: 'breaking', reason: missing, remedy: 'keep the default' }];
  }
  const change = `default ${shownDefault(name, before)} → ${shownDefault(name, after)}`;
  return [{ path, change, class: 'breaking', reason, remedy: 'keep the default, or change it in a new version' }];
}

/**
 * If a new default breaks existing objects without the field, returns the reason and an alternative (`remedy`). Otherwise, returns
 * undefined. A default is breaking in these cases:
 * - A CEL rule, `allOf`, `anyOf`, `oneOf` or `not` of the object, or of an enclosing value, mentions the field.
 * - The default itself is invalid.
 * - `maxProperties` limits the object.
 */
export function harmOfDefault(
  pair: SchemaPair,
  name: string,
): { readonly reason: string; readonly remedy: string } | undefined {
  const remedy = 'omit the default, and let the controller use the value if the field is missing';
  const about = mentionOf(name, describe(pair));
  if (about !== undefined) {
    return {
      reason: `objects without the field get the default, but a rule or alternative restricts the field: ${shown(about)}`,
      remedy,
    };
  }
  const schema = ownValue(pair.after.properties, name) ?? {};
  const [wrong] = validate(applyDefaults(schema.default, schema), schema, name);
  if (wrong !== undefined) {
    const isSecret = (path: string): boolean => isSecretPath(path, { schema: { properties: { [name]: schema } } });
    const message = maskFieldErrors(wrong.message, isSecret, wrong.field);
    return { reason: `the default is not valid: ${message}`, remedy };
  }
  if (pair.after.maxProperties === undefined) return undefined;
  return {
    reason: `objects without the field get an additional field, but maxProperties is ${pair.after.maxProperties}`,
    remedy,
  };
}
