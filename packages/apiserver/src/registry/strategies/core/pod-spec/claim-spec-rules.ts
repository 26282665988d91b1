import { append } from '@kubewright/api/json';
import { dns1123SubdomainErrors } from '@kubewright/api/names';
import { compareQuantities } from '@kubewright/api/quantity';
import { deepEqual } from '@kubewright/api/patch';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { JsonDraft } from '../../../objects/api-object.js';
import { isObject, objectAt, stringAt, textsAt } from '../../../objects/json-object.js';
import { labelSelectorErrors } from '../../rules/field-checks.js';
import { amountErrors } from './resource-rules.js';
import { each, labelNameErrors, requiredErrors, subdomainErrors, supportedErrors, unlessEmpty } from './value-rules.js';

/** The access modes of volumes, in the order of error texts. */
export const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'] as const;
/** The modes of volumes, in the order of error texts. */
export const volumeModes = ['Block', 'Filesystem'] as const;

/** Returns the errors of the spec of a PersistentVolumeClaim or of a claim template. */
export function claimSpecErrors(spec: JsonDraft, path: string): readonly FieldError[] {
  const modes = textsAt(spec, 'accessModes');
  const errors: FieldError[] = [];
  if (modes.length === 0)
    errors.push(fieldErrors.required(`${path}.accessModes`, 'at least 1 access mode is required'));
  append(errors, labelSelectorErrors(spec['selector'], `${path}.selector`));
  append(errors, accessModeErrors(modes, `${path}.accessModes`));
  append(errors, storageErrors(spec, `${path}.resources[storage]`));
  append(errors, unlessEmpty(stringAt(spec, 'storageClassName'), `${path}.storageClassName`, dns1123SubdomainErrors));
  append(errors, supportedErrors(spec['volumeMode'], `${path}.volumeMode`, volumeModes));
  append(errors, sourceErrors(spec, path));
  const attributes = stringAt(spec, 'volumeAttributesClassName');
  return [...errors, ...unlessEmpty(attributes, `${path}.volumeAttributesClassName`, dns1123SubdomainErrors)];
}

/** Returns the errors of the access modes of a volume or claim. */
export function accessModeErrors(modes: readonly string[], path: string): readonly FieldError[] {
  const known: readonly string[] = accessModes;
  const errors = errorsOfEach(modes, (mode) => supportedErrors(mode, path, known));
  const others = modes.some((mode) => mode !== 'ReadWriteOncePod' && known.includes(mode));
  if (modes.includes('ReadWriteOncePod') && others) {
    errors.push(fieldErrors.forbidden(path, 'may not use ReadWriteOncePod with other access modes'));
  }
  return errors;
}

function storageErrors(spec: JsonDraft, path: string): readonly FieldError[] {
  const storage = objectAt(spec, 'resources', 'requests')['storage'];
  if (storage === undefined) return [fieldErrors.required(path)];
  const amount = String(storage);
  if (compareQuantities(amount, '0') <= 0) return [fieldErrors.invalid(path, amount, 'must be greater than zero')];
  return amountErrors('storage', amount, path);
}

function sourceErrors(spec: JsonDraft, path: string): readonly FieldError[] {
  const { dataSource, dataSourceRef } = spec as { dataSource?: unknown; dataSourceRef?: unknown };
  const errors: FieldError[] = [];
  if (isObject(dataSource)) append(errors, referenceErrors(dataSource, `${path}.dataSource`));
  if (isObject(dataSourceRef)) {
    append(errors, referenceErrors(dataSourceRef, `${path}.dataSourceRef`));
    const namespace = stringAt(dataSourceRef, 'namespace');
    if (namespace !== '') append(errors, labelNameErrors(namespace, `${path}.dataSourceRef.namespace`));
  }
  if (!isObject(dataSource) || !isObject(dataSourceRef)) return errors;
  const crosses = stringAt(dataSourceRef, 'namespace') !== '';
  const { namespace: _, ...local } = dataSourceRef;
  if (!crosses && deepEqual(dataSource, local)) return errors;
  const why = crosses ? 'may not be specified when dataSourceRef.namespace is specified' : 'must match dataSourceRef';
  return [...errors, fieldErrors.invalid(path, {}, why)];
}

function referenceErrors(reference: JsonDraft, path: string): readonly FieldError[] {
  const kind = stringAt(reference, 'kind');
  const group = stringAt(reference, 'apiGroup');
  const errors = [...requiredErrors(reference, path, ['name', 'kind'])];
  if (group === '' && kind !== 'PersistentVolumeClaim') {
    const why = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
    errors.push(fieldErrors.invalid(path, kind, why));
  }
  return group === '' ? errors : [...errors, ...subdomainErrors(group, `${path}.apiGroup`)];
}

/** Returns the errors of a CSI driver name. */
export function driverNameErrors(name: string, path: string): readonly FieldError[] {
  if (name === '') return [fieldErrors.required(path)];
  const errors = name.length > 63 ? [fieldErrors.tooLong(path, 63)] : [];
  return [...errors, ...each(name, path, (text) => dns1123SubdomainErrors(text.toLowerCase()))];
}
