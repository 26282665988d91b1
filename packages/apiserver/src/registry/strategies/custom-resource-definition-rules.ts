import { KubewrightError } from '@kubewright/api/errors';
import { compileJsonPath } from '@kubewright/api/json-path';
import { dns1035LabelErrors, dns1123SubdomainErrors } from '@kubewright/api/names';
import { checkStructural, type FieldError, fieldErrors } from '@kubewright/api/schema';
import { type ApiObject, isObject, type JsonDraft, objectAt, objectsAt, stringAt, valueAt } from '../json-object.js';

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const approval = 'api-approved.kubernetes.io';
const celRefusal =
  'CEL rules (x-kubernetes-validations) are not evaluated by this server yet; a definition that needs them is refused ' +
  'rather than served without them';

/** What is wrong with a CustomResourceDefinition. */
export function customResourceDefinitionErrors(crd: ApiObject): readonly FieldError[] {
  const spec = objectAt(crd, 'spec');
  const plural = stringAt(spec, 'names', 'plural');
  const group = stringAt(spec, 'group');
  const errors: FieldError[] = [];
  if (crd.metadata.name !== `${plural}.${group}`) {
    errors.push(fieldErrors.invalid('metadata.name', crd.metadata.name, 'must be spec.names.plural+"."+spec.group'));
  }
  errors.push(...groupErrors(crd, group), ...scopeErrors(spec), ...nameErrors(objectAt(spec, 'names')));
  if (spec['preserveUnknownFields'] === true) {
    errors.push(fieldErrors.invalid('spec.preserveUnknownFields', true, 'must be false'));
  }
  if (stringAt(spec, 'conversion', 'strategy') !== 'None') {
    const why = 'only the strategy None is served by this server yet';
    errors.push(fieldErrors.invalid('spec.conversion.strategy', stringAt(spec, 'conversion', 'strategy'), why));
  }
  return [...errors, ...versionsErrors(objectsAt(spec, 'versions'))];
}

/** What an update of a definition may not change. */
export function customResourceDefinitionUpdateErrors(next: ApiObject, old: ApiObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const path of [['group'], ['scope'], ['names', 'plural'], ['names', 'kind']]) {
    const value = valueAt(next, 'spec', ...path);
    if (value === valueAt(old, 'spec', ...path)) continue;
    errors.push(fieldErrors.invalid(`spec.${path.join('.')}`, value, 'field is immutable'));
  }
  const versions = new Set(objectsAt(next, 'spec', 'versions').map((version) => stringAt(version, 'name')));
  const stored = valueAt(next, 'status', 'storedVersions');
  for (const [index, name] of (Array.isArray(stored) ? stored : []).entries()) {
    if (versions.has(String(name))) continue;
    const why =
      `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a ` +
      `storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    errors.push(fieldErrors.invalid(`status.storedVersions[${index}]`, name, why));
  }
  return errors;
}

function groupErrors({ metadata }: ApiObject, group: string): readonly FieldError[] {
  if (group === '') return [fieldErrors.required('spec.group')];
  const errors = dns1123SubdomainErrors(group).map((why) => fieldErrors.invalid('spec.group', group, why));
  if (!group.includes('.')) {
    errors.push(fieldErrors.invalid('spec.group', group, 'should be a domain with at least one dot'));
  }
  const isProtected = group === 'k8s.io' || group.endsWith('.k8s.io') || group.endsWith('.kubernetes.io');
  if (isProtected && !metadata.annotations?.[approval]) {
    const why = `protected groups must have approval annotation "${approval}", see https://github.com/kubernetes/enhancements/pull/1111`;
    errors.push(fieldErrors.required(`metadata.annotations[${approval}]`, why));
  }
  return errors;
}

function scopeErrors(spec: JsonDraft): readonly FieldError[] {
  const scope = stringAt(spec, 'scope');
  if (scope === '') return [fieldErrors.required('spec.scope')];
  if (scope === 'Namespaced' || scope === 'Cluster') return [];
  return [fieldErrors.notSupported('spec.scope', scope, ['Cluster', 'Namespaced'])];
}

function nameErrors(names: JsonDraft): readonly FieldError[] {
  const errors: FieldError[] = [];
  const label = (field: string, value: string, mixedCase: boolean): void => {
    const path = `spec.names.${field}`;
    if (value === '') return void errors.push(fieldErrors.required(path));
    for (const why of dns1035LabelErrors(mixedCase ? value.toLowerCase() : value)) {
      const text = mixedCase ? `may have mixed case, but should otherwise match: ${why}` : why;
      errors.push(fieldErrors.invalid(path, value, text));
    }
  };
  label('plural', stringAt(names, 'plural'), false);
  label('singular', stringAt(names, 'singular'), false);
  label('kind', stringAt(names, 'kind'), true);
  label('listKind', stringAt(names, 'listKind'), true);
  for (const field of ['shortNames', 'categories']) {
    const listed = names[field];
    for (const [index, name] of (Array.isArray(listed) ? listed : []).entries()) {
      label(`${field}[${index}]`, String(name), false);
    }
  }
  if (names['kind'] !== undefined && names['kind'] === names['listKind']) {
    const why = 'kind and listKind may not be the same';
    errors.push(fieldErrors.invalid('spec.names.listKind', names['listKind'], why));
  }
  return errors;
}

function versionsErrors(versions: readonly JsonDraft[]): readonly FieldError[] {
  const names = versions.map((version) => stringAt(version, 'name'));
  const errors: FieldError[] = [];
  if (new Set(names).size < names.length) {
    errors.push(fieldErrors.invalid('spec.versions', names, 'must contain unique version names'));
  }
  if (versions.filter((version) => version['storage'] === true).length !== 1) {
    const why = 'must have exactly one version marked as storage version';
    errors.push(fieldErrors.invalid('spec.versions', names, why));
  }
  return [...errors, ...versions.flatMap((version, index) => versionErrors(version, `spec.versions[${index}]`))];
}

function versionErrors(version: JsonDraft, path: string): readonly FieldError[] {
  const name = stringAt(version, 'name');
  const errors = dns1035LabelErrors(name).map((why) => fieldErrors.invalid(`${path}.name`, name, why));
  const schema = valueAt(version, 'schema', 'openAPIV3Schema');
  const at = `${path}.schema.openAPIV3Schema`;
  if (!isObject(schema)) errors.push(fieldErrors.required(at, 'schemas are required'));
  else errors.push(...checkStructural(schema, at), ...celErrors(schema, at));
  for (const [index, column] of objectsAt(version, 'additionalPrinterColumns').entries()) {
    errors.push(...columnErrors(column, `${path}.additionalPrinterColumns[${index}]`));
  }
  const scale = valueAt(version, 'subresources', 'scale');
  if (isObject(scale)) errors.push(...scaleErrors(scale, `${path}.subresources.scale`));
  return errors;
}

function columnErrors(column: JsonDraft, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const field of ['name', 'type', 'jsonPath']) {
    if (stringAt(column, field) === '') errors.push(fieldErrors.required(`${path}.${field}`));
  }
  errors.push(...jsonPathErrors(stringAt(column, 'jsonPath'), `${path}.jsonPath`));
  const type = stringAt(column, 'type');
  if (type !== '' && !columnTypes.includes(type)) {
    errors.push(fieldErrors.notSupported(`${path}.type`, type, columnTypes));
  }
  return errors;
}

/** The error of a JSON path that cannot be read; an empty one is reported as missing elsewhere. */
function jsonPathErrors(jsonPath: string, path: string): readonly FieldError[] {
  if (jsonPath === '') return [];
  try {
    compileJsonPath(jsonPath);
    return [];
  } catch (error) {
    if (!(error instanceof KubewrightError)) throw error;
    return [fieldErrors.invalid(path, jsonPath, error.message)];
  }
}

function scaleErrors(scale: JsonDraft, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const under = (field: string, root: string): void => {
    const jsonPath = stringAt(scale, field);
    if (jsonPath === '') errors.push(fieldErrors.required(`${path}.${field}`));
    else if (!jsonPath.startsWith(root)) {
      const why = `should be a json path under ${root.slice(0, -1)}`;
      errors.push(fieldErrors.invalid(`${path}.${field}`, jsonPath, why));
    }
  };
  under('specReplicasPath', '.spec.');
  under('statusReplicasPath', '.status.');
  errors.push(...jsonPathErrors(stringAt(scale, 'labelSelectorPath'), `${path}.labelSelectorPath`));
  return errors;
}

/** Every place of a schema that carries rules. */
function celErrors(schema: unknown, path: string): readonly FieldError[] {
  if (!isObject(schema)) return [];
  const own =
    schema['x-kubernetes-validations'] === undefined
      ? []
      : [fieldErrors.forbidden(`${path}.x-kubernetes-validations`, celRefusal)];
  const properties = Object.entries(objectAt(schema, 'properties'));
  return [
    ...own,
    ...properties.flatMap(([name, child]) => celErrors(child, `${path}.properties[${name}]`)),
    ...celErrors(schema['items'], `${path}.items`),
    ...celErrors(schema['additionalProperties'], `${path}.additionalProperties`),
    ...['allOf', 'anyOf', 'oneOf'].flatMap((field) =>
      objectsAt(schema, field).flatMap((child, index) => celErrors(child, `${path}.${field}[${index}]`)),
    ),
  ];
}
