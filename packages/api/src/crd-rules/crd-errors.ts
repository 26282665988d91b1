import { finish, type Steps } from '../apply/steps.js';
import { append } from '../objects/append.js';
import { deepEqual } from '../patch/deep-equal.js';
import { dns1035LabelErrors } from '../names/dns-names.js';
import { ErrorList } from '../schema/error-list.js';
import type { FieldError } from '../schema/field-error.js';
import { fieldErrors } from '../schema/field-errors.js';
import type { BriefOptions } from '../schema/time-limit.js';
import { isObject, objectAt, objectsAt, stringAt, valueAt } from '../json/value-at.js';
import type { JsonObject } from '../json/json-object.js';
import type { UncheckedDefinition } from './unchecked-definition.js';
import { conversionErrors } from './conversion-errors.js';
import { internalSpec, type InternalSpec } from './internal-spec.js';
import { approvalErrors, groupErrors, missingNames, nameErrors } from './name-errors.js';
import { schemaRuleErrors } from './schema-errors.js';
import { versionsText } from './schema-text.js';
import { columnErrors, deprecationErrors, selectableErrors, subresourceErrors } from './version-errors.js';

/**
 * Returns the errors in a new CustomResourceDefinition, in the wording of the API server. The definition must already contain its defaults
 * and its status.
 */
export function definitionErrors(crd: UncheckedDefinition): readonly FieldError[] {
  return finish(definitionErrorsSteps(crd));
}

/** Validates a new definition in steps. With `isBrief`, throws TakesLong if the check of a default takes long. */
export function* definitionErrorsSteps(
  crd: UncheckedDefinition,
  options: BriefOptions = {},
): Steps<readonly FieldError[]> {
  const errors: FieldError[] = [];
  const { name } = crd.metadata;
  if (name !== `${stringAt(crd, 'spec', 'names', 'plural')}.${stringAt(crd, 'spec', 'group')}`) {
    errors.push(fieldErrors.invalid('metadata.name', name, 'must be spec.names.plural+"."+spec.group'));
  }
  append(errors, yield* specErrors(crd, undefined, options), statusErrors(crd), lastErrors(crd, undefined));
  return errors;
}

/** Returns the errors in a changed CustomResourceDefinition, in the wording of the API server. */
export function definitionUpdateErrors(next: UncheckedDefinition, old: UncheckedDefinition): readonly FieldError[] {
  return finish(definitionUpdateErrorsSteps(next, old));
}

/** Validates a changed definition in steps. With `isBrief`, throws TakesLong if the check of a default takes long. */
export function* definitionUpdateErrorsSteps(
  next: UncheckedDefinition,
  old: UncheckedDefinition,
  options: BriefOptions = {},
): Steps<readonly FieldError[]> {
  // An unchanged spec was valid when it was stored.
  const isSame = deepEqual(objectAt(next, 'spec'), objectAt(old, 'spec'));
  const errors = isSame ? [] : [...(yield* specErrors(next, old, options))];
  const established = isEstablished(old);
  const immutable = established ? ['scope', 'names.kind', 'group', 'names.plural'] : ['group', 'names.plural'];
  for (const path of immutable) {
    const value = valueAt(next, 'spec', ...path.split('.'));
    if (value === valueAt(old, 'spec', ...path.split('.'))) continue;
    errors.push(fieldErrors.invalid(`spec.${path}`, value, 'field is immutable'));
  }
  return [...errors, ...statusErrors(next), ...lastErrors(next, old)];
}

/** Returns the errors in the changed status of a CustomResourceDefinition, in the wording of the API server. */
export function definitionStatusErrors(next: UncheckedDefinition): readonly FieldError[] {
  return statusErrors(next);
}

function isEstablished(crd: UncheckedDefinition): boolean {
  const conditions = objectsAt(crd, 'status', 'conditions');
  return conditions.some(({ type, status }) => type === 'Established' && status === 'True');
}

/**
 * The maximum number of versions of a definition, because each served version takes about 40 KB in the OpenAPI documents. kube-apiserver
 * does not limit the number of versions.
 */
const mostVersions = 100;

function* specErrors(
  crd: UncheckedDefinition,
  old: UncheckedDefinition | undefined,
  { isBrief }: BriefOptions,
): Steps<readonly FieldError[]> {
  const spec = objectAt(crd, 'spec');
  const count = objectsAt(spec, 'versions').length;
  if (count > mostVersions) return [fieldErrors.tooMany('spec.versions', count, mostVersions)];
  const { versions, top } = internalSpec(spec);
  const before = internalSpec(objectAt(old, 'spec'));
  yield;
  const names = objectAt(spec, 'names');
  const anyStatus = objectsAt(spec, 'versions').some((version) => hasStatus(version['subresources']));
  const errors = [
    ...groupErrors(stringAt(spec, 'group')),
    ...scopeErrors(stringAt(spec, 'scope')),
    ...missingSchemas(versions, top),
  ];
  append(errors, yield* eachVersionErrors(versions, { top, before, isBrief }));
  append(errors, versionsErrors(versions));
  append(errors, versionNameErrors(stringAt(versions[0], 'name'), versions.length, 'spec.version'));
  append(errors, missingNames(names), nameErrors(names, 'spec.names'));
  yield;
  append(errors, yield* schemaRuleErrors(top['schema'], { path: 'spec.validation', hasStatus: anyStatus, isBrief }));
  append(errors, subresourceErrors(top['subresources'], 'spec.subresources'));
  append(errors, columnErrors(top['additionalPrinterColumns'], 'spec.additionalPrinterColumns'));
  const oldTop = old === undefined ? {} : before.top;
  append(errors, selectable(top, { version: top, path: 'spec.selectableFields', old: oldTop }));
  append(errors, conversionErrors(objectAt(spec, 'conversion'), objectAt(old, 'spec', 'conversion')));
  yield;
  return errors;
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

function* eachVersionErrors(
  versions: readonly JsonObject[],
  { top, before, isBrief }: BriefOptions & { readonly top: JsonObject; readonly before: InternalSpec },
): Steps<readonly FieldError[]> {
  const found = new ErrorList();
  const known = new Map(before.versions.map((version) => [stringAt(version, 'name'), version]));
  for (const [index, version] of versions.entries()) {
    if (found.isBreakDue()) yield;
    const old = known.get(stringAt(version, 'name'));
    found.add(yield* versionErrors(version, { path: `spec.versions[${index}]`, top, old: old ?? {}, isBrief }));
  }
  return found.errors;
}

function* versionErrors(
  version: JsonObject,
  {
    path,
    top,
    old,
    isBrief,
  }: BriefOptions & {
    readonly path: string;
    readonly top: JsonObject;
    readonly old: JsonObject;
  },
): Steps<readonly FieldError[]> {
  return [
    ...versionNameErrors(stringAt(version, 'name'), 1, `${path}.name`),
    ...deprecationErrors(version, path),
    ...(yield* schemaRuleErrors(version['schema'], {
      path: `${path}.schema`,
      hasStatus: hasStatus(version['subresources'] ?? top['subresources']),
      isBrief,
    })),
    ...subresourceErrors(version['subresources'], `${path}.subresources`),
    ...columnErrors(version['additionalPrinterColumns'], `${path}.additionalPrinterColumns`),
    ...selectable(version, { version, path: `${path}.selectableFields`, old }),
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

/**
 * Returns the errors that the API server reports last: stored versions, approval of the group, and the obsolete `preserveUnknownFields`.
 */
function lastErrors(next: UncheckedDefinition, old: UncheckedDefinition | undefined): readonly FieldError[] {
  const errors = [...storedVersionErrors(next), ...approvalErrors(next, old)];
  if (valueAt(next, 'spec', 'preserveUnknownFields') === true) {
    const why =
      'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
    errors.push(fieldErrors.invalid('spec.preserveUnknownFields', true, why));
  }
  return errors;
}

/** The approximate maximum number of version names that all errors about missing storage versions contain together. */
const mostStoredNames = 10_000;

function storedVersionErrors(crd: UncheckedDefinition): readonly FieldError[] {
  const path = 'status.storedVersions';
  const listed = valueAt(crd, 'status', 'storedVersions');
  const stored = Array.isArray(listed) ? listed.map(String) : [];
  if (stored.length === 0) return [fieldErrors.invalid(path, null, 'must have at least one stored version')];
  const all = objectsAt(crd, 'spec', 'versions');
  const versions = new Set(all.map((version) => stringAt(version, 'name')));
  const known = new Set(stored);
  const missing = all.filter((version) => version['storage'] === true && !known.has(stringAt(version, 'name')));
  // Each of these errors lists all stored versions, so a longer list of stored versions allows fewer errors.
  const most = Math.ceil(mostStoredNames / stored.length);
  const unstored = missing
    .slice(0, most)
    .map((version) => fieldErrors.invalid(path, stored, `must have the storage version ${stringAt(version, 'name')}`));
  const unknown = stored.flatMap((name, index) => {
    if (versions.has(name)) return [];
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
