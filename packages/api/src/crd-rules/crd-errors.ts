import { deepEqual } from '../patch/deep-equal.js';
import { dns1035LabelErrors } from '../names/dns-names.js';
import type { FieldError } from '../schema/field-error.js';
import { fieldErrors } from '../schema/field-errors.js';
import { isObject, objectAt, objectsAt, stringAt, valueAt } from '../json/value-at.js';
import type { JsonObject } from '../json/json-object.js';
import type { UncheckedDefinition } from './unchecked-definition.js';
import { conversionErrors } from './conversion-errors.js';
import { internalSpec } from './internal-spec.js';
import { approvalErrors, groupErrors, missingNames, nameErrors } from './name-errors.js';
import { schemaRuleErrors } from './schema-errors.js';
import { versionsText } from './schema-text.js';
import { columnErrors, deprecationErrors, selectableErrors, subresourceErrors } from './version-errors.js';

/** What is wrong with a new CustomResourceDefinition, in the API server's words; its defaults and its status are there already. */
export function definitionErrors(crd: UncheckedDefinition): readonly FieldError[] {
  const errors: FieldError[] = [];
  const { name } = crd.metadata;
  if (name !== `${stringAt(crd, 'spec', 'names', 'plural')}.${stringAt(crd, 'spec', 'group')}`) {
    errors.push(fieldErrors.invalid('metadata.name', name, 'must be spec.names.plural+"."+spec.group'));
  }
  return [...errors, ...specErrors(crd, undefined), ...statusErrors(crd), ...lastErrors(crd, undefined)];
}

/** What is wrong with a changed CustomResourceDefinition, in the API server's words. */
export function definitionUpdateErrors(next: UncheckedDefinition, old: UncheckedDefinition): readonly FieldError[] {
  const errors = [...specErrors(next, old)];
  const established = isEstablished(old);
  const immutable = established ? ['scope', 'names.kind', 'group', 'names.plural'] : ['group', 'names.plural'];
  for (const path of immutable) {
    const value = valueAt(next, 'spec', ...path.split('.'));
    if (value === valueAt(old, 'spec', ...path.split('.'))) continue;
    errors.push(fieldErrors.invalid(`spec.${path}`, value, 'field is immutable'));
  }
  return [...errors, ...statusErrors(next), ...lastErrors(next, old)];
}

/** What is wrong with the changed status of a CustomResourceDefinition, in the API server's words. */
export function definitionStatusErrors(next: UncheckedDefinition): readonly FieldError[] {
  return statusErrors(next);
}

function isEstablished(crd: UncheckedDefinition): boolean {
  const conditions = objectsAt(crd, 'status', 'conditions');
  return conditions.some(({ type, status }) => type === 'Established' && status === 'True');
}

function specErrors(crd: UncheckedDefinition, old: UncheckedDefinition | undefined): readonly FieldError[] {
  const spec = objectAt(crd, 'spec');
  const { versions, top } = internalSpec(spec);
  const names = objectAt(spec, 'names');
  const anyStatus = objectsAt(spec, 'versions').some((version) => hasStatus(version['subresources']));
  return [
    ...groupErrors(stringAt(spec, 'group')),
    ...scopeErrors(stringAt(spec, 'scope')),
    ...missingSchemas(versions, top),
    ...versions.flatMap((version, index) => versionErrors(version, { index, top, old })),
    ...versionsErrors(versions),
    ...versionNameErrors(stringAt(versions[0], 'name'), versions.length, 'spec.version'),
    ...missingNames(names),
    ...nameErrors(names, 'spec.names'),
    ...schemaRuleErrors(top['schema'], { path: 'spec.validation', hasStatus: anyStatus }),
    ...subresourceErrors(top['subresources'], 'spec.subresources'),
    ...columnErrors(top['additionalPrinterColumns'], 'spec.additionalPrinterColumns'),
    ...selectable(top, { version: top, path: 'spec.selectableFields', old: internalTop(old) }),
    ...conversionErrors(objectAt(spec, 'conversion')),
  ];
}

function internalTop(old: UncheckedDefinition | undefined): JsonObject {
  return old === undefined ? {} : internalSpec(objectAt(old, 'spec')).top;
}

function scopeErrors(scope: string): readonly FieldError[] {
  if (scope === '') return [fieldErrors.required('spec.scope')];
  if (scope === 'Namespaced' || scope === 'Cluster') return [];
  return [fieldErrors.notSupported('spec.scope', scope, ['Cluster', 'Namespaced'])];
}

function missingSchemas(versions: readonly JsonObject[], top: JsonObject): readonly FieldError[] {
  if (isObject(valueAt(top['schema'], 'openAPIV3Schema'))) return [];
  return versions.flatMap((version, index) =>
    isObject(valueAt(version, 'schema', 'openAPIV3Schema'))
      ? []
      : [fieldErrors.required(`spec.versions[${index}].schema.openAPIV3Schema`)],
  );
}

interface VersionAt {
  readonly index: number;
  readonly top: JsonObject;
  readonly old: UncheckedDefinition | undefined;
}

function versionErrors(version: JsonObject, { index, top, old }: VersionAt): readonly FieldError[] {
  const path = `spec.versions[${index}]`;
  const name = stringAt(version, 'name');
  const before = internalSpec(objectAt(old, 'spec')).versions.find((other) => stringAt(other, 'name') === name);
  return [
    ...versionNameErrors(name, 1, `${path}.name`),
    ...deprecationErrors(version, path),
    ...schemaRuleErrors(version['schema'], {
      path: `${path}.schema`,
      hasStatus: hasStatus(version['subresources'] ?? top['subresources']),
    }),
    ...subresourceErrors(version['subresources'], `${path}.subresources`),
    ...columnErrors(version['additionalPrinterColumns'], `${path}.additionalPrinterColumns`),
    ...selectable(version, { version, path: `${path}.selectableFields`, old: before ?? {} }),
  ];
}

function selectable(
  { selectableFields }: JsonObject,
  { version, path, old }: { readonly version: JsonObject; readonly path: string; readonly old: JsonObject },
): readonly FieldError[] {
  if (!Array.isArray(selectableFields) || selectableFields.length === 0) return [];
  const schema = valueAt(version['schema'], 'openAPIV3Schema');
  if (schema === undefined) {
    const atTop = path === 'spec.selectableFields';
    const why = atTop
      ? 'may only be set when validations.schema is included'
      : 'may only be set when `version.schema.openAPIV3Schema` is not included';
    return [fieldErrors.invalid(path, '', why)];
  }
  const grandfathered = deepEqual(old['selectableFields'], selectableFields);
  return selectableErrors(selectableFields, { schema, path, grandfathered });
}

function versionNameErrors(name: string, versions: number, path: string): readonly FieldError[] {
  const found = versions === 0 || (name === '' && path === 'spec.version') ? [] : dns1035LabelErrors(name);
  return found.length === 0 ? [] : [fieldErrors.invalid(path, name, found.join(','))];
}

function versionsErrors(versions: readonly JsonObject[]): readonly FieldError[] {
  const names = versions.map((version) => stringAt(version, 'name'));
  const stored = versions.filter((version) => version['storage'] === true);
  const found: string[] = [];
  if (new Set(names).size < names.length) found.push('must contain unique version names');
  if (stored.length !== 1) found.push('must have exactly one version marked as storage version');
  const message = (why: string): string =>
    `Invalid value: ${versions.length === 0 ? '[]' : versionsText(versions)}: ${why}`;
  return found.map((why) => ({ reason: 'FieldValueInvalid', field: 'spec.versions', message: message(why) }));
}

function statusErrors(crd: UncheckedDefinition): readonly FieldError[] {
  return nameErrors(objectAt(crd, 'status', 'acceptedNames'), 'status.acceptedNames');
}

/** What comes last: stored versions, the approval of the group, and fields of a time before schemas. */
function lastErrors(next: UncheckedDefinition, old: UncheckedDefinition | undefined): readonly FieldError[] {
  const errors = [...storedVersionErrors(next), ...approvalErrors(next, old)];
  if (valueAt(next, 'spec', 'preserveUnknownFields') === true) {
    const why =
      'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
    errors.push(fieldErrors.invalid('spec.preserveUnknownFields', true, why));
  }
  return errors;
}

function storedVersionErrors(crd: UncheckedDefinition): readonly FieldError[] {
  const path = 'status.storedVersions';
  const listed = valueAt(crd, 'status', 'storedVersions');
  const stored = Array.isArray(listed) ? listed.map(String) : [];
  if (stored.length === 0) return [fieldErrors.invalid(path, null, 'must have at least one stored version')];
  const all = objectsAt(crd, 'spec', 'versions');
  const versions = all.map((version) => stringAt(version, 'name'));
  const missing = all.filter((version) => version['storage'] === true && !stored.includes(stringAt(version, 'name')));
  const unstored = missing.map((version) =>
    fieldErrors.invalid(path, stored, `must have the storage version ${stringAt(version, 'name')}`),
  );
  const unknown = stored.flatMap((name, index) => {
    if (versions.includes(name)) return [];
    const why =
      `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a ` +
      `storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    return [fieldErrors.invalid(`${path}[${index}]`, name, why)];
  });
  return [...unstored, ...unknown];
}

function hasStatus(subresources: unknown): boolean {
  return isObject(subresources) && isObject(subresources['status']);
}
