import { dns1123LabelErrors, dns1123SubdomainErrors } from '@kubewright/api/names';
import { compareQuantities, isQuantity } from '@kubewright/api/quantity';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import { type JsonDraft, objectAt, objectsAt, stringAt } from '../json-object.js';

const restartPolicies = ['Always', 'OnFailure', 'Never'];
const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const pullPolicies = ['Always', 'IfNotPresent', 'Never'];
const protocols = ['SCTP', 'TCP', 'UDP'];
const quantityRule = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** What is wrong with the spec of a Pod at `path`. */
export function podSpecErrors(spec: JsonDraft, path: string): readonly FieldError[] {
  const volumes = objectsAt(spec, 'volumes');
  const volumeNames = new Set(volumes.map((volume) => stringAt(volume, 'name')));
  const errors = [...volumeErrors(volumes, `${path}.volumes`)];
  const containers = objectsAt(spec, 'containers');
  if (containers.length === 0) errors.push(fieldErrors.required(`${path}.containers`));
  const names = new Set<string>();
  for (const field of ['containers', 'initContainers']) {
    for (const [index, container] of objectsAt(spec, field).entries()) {
      errors.push(...containerErrors(container, { path: `${path}.${field}[${index}]`, volumeNames, names }));
    }
  }
  errors.push(
    ...oneOf(spec, 'restartPolicy', { path, allowed: restartPolicies }),
    ...oneOf(spec, 'dnsPolicy', { path, allowed: dnsPolicies }),
    ...minimum(spec, 'terminationGracePeriodSeconds', { path, least: 0 }),
    ...minimum(spec, 'activeDeadlineSeconds', { path, least: 1 }),
  );
  for (const field of ['serviceAccountName', 'nodeName']) {
    const name = stringAt(spec, field);
    if (name === '') continue;
    errors.push(...dns1123SubdomainErrors(name).map((why) => fieldErrors.invalid(`${path}.${field}`, name, why)));
  }
  return errors;
}

interface ContainerContext {
  readonly path: string;
  readonly volumeNames: ReadonlySet<string>;
  /** Names seen so far; grows. */
  readonly names: Set<string>;
}

function containerErrors(container: JsonDraft, { path, volumeNames, names }: ContainerContext): readonly FieldError[] {
  const errors = [...namedOnce(stringAt(container, 'name'), { path: `${path}.name`, names })];
  if (stringAt(container, 'image') === '') errors.push(fieldErrors.required(`${path}.image`));
  errors.push(...oneOf(container, 'imagePullPolicy', { path, allowed: pullPolicies }));
  for (const [index, port] of objectsAt(container, 'ports').entries()) {
    const at = `${path}.ports[${index}]`;
    if (port['containerPort'] === undefined) errors.push(fieldErrors.required(`${at}.containerPort`));
    else errors.push(...portErrors(port['containerPort'], `${at}.containerPort`));
    errors.push(...oneOf(port, 'protocol', { path: at, allowed: protocols }));
  }
  for (const [index, variable] of objectsAt(container, 'env').entries()) {
    if (stringAt(variable, 'name') === '') errors.push(fieldErrors.required(`${path}.env[${index}].name`));
    if (stringAt(variable, 'value') !== '' && variable['valueFrom'] !== undefined) {
      const why = 'may not be specified when `value` is not empty';
      errors.push(fieldErrors.invalid(`${path}.env[${index}].valueFrom`, '', why));
    }
  }
  for (const [index, mount] of objectsAt(container, 'volumeMounts').entries()) {
    const at = `${path}.volumeMounts[${index}]`;
    const name = stringAt(mount, 'name');
    if (name === '') errors.push(fieldErrors.required(`${at}.name`));
    else if (!volumeNames.has(name)) errors.push(fieldErrors.notFound(`${at}.name`, name));
    if (stringAt(mount, 'mountPath') === '') errors.push(fieldErrors.required(`${at}.mountPath`));
  }
  return [...errors, ...resourceErrors(objectAt(container, 'resources'), `${path}.resources`)];
}

function resourceErrors(resources: JsonDraft, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const limits = objectAt(resources, 'limits');
  for (const field of ['limits', 'requests']) {
    for (const [name, amount] of Object.entries(objectAt(resources, field))) {
      const at = `${path}.${field}[${name}]`;
      if (!isQuantity(String(amount))) errors.push(fieldErrors.invalid(at, amount, quantityRule));
      else if (compareQuantities(String(amount), '0') < 0) {
        errors.push(fieldErrors.invalid(at, amount, 'must be greater than or equal to 0'));
      }
    }
  }
  if (errors.length > 0) return errors;
  for (const [name, request] of Object.entries(objectAt(resources, 'requests'))) {
    const limit = limits[name];
    if (limit === undefined || compareQuantities(String(request), String(limit)) <= 0) continue;
    const why = `must be less than or equal to ${name} limit of ${String(limit)}`;
    errors.push(fieldErrors.invalid(`${path}.requests`, String(request), why));
  }
  return errors;
}

function volumeErrors(volumes: readonly JsonDraft[], path: string): readonly FieldError[] {
  const names = new Set<string>();
  return volumes.flatMap((volume, index) =>
    namedOnce(stringAt(volume, 'name'), { path: `${path}[${index}].name`, names }),
  );
}

function namedOnce(
  name: string,
  { path, names }: { readonly path: string; readonly names: Set<string> },
): readonly FieldError[] {
  if (name === '') return [fieldErrors.required(path)];
  const errors = dns1123LabelErrors(name).map((why) => fieldErrors.invalid(path, name, why));
  if (names.has(name)) errors.push(fieldErrors.duplicate(path, name));
  names.add(name);
  return errors;
}

/** The error of a port number out of range. */
export function portErrors(port: unknown, path: string): readonly FieldError[] {
  if (typeof port === 'number' && port >= 1 && port <= 65535) return [];
  return [fieldErrors.invalid(path, port, 'must be between 1 and 65535, inclusive')];
}

/** The error of a field that is set to something not allowed. */
export function oneOf(
  object: JsonDraft,
  field: string,
  { path, allowed }: { readonly path: string; readonly allowed: readonly string[] },
): readonly FieldError[] {
  const value = object[field];
  if (value === undefined || allowed.includes(String(value))) return [];
  return [fieldErrors.notSupported(`${path}.${field}`, value, allowed.toSorted())];
}

/** The error of a number that is too small. */
export function minimum(
  object: JsonDraft,
  field: string,
  { path, least }: { readonly path: string; readonly least: number },
): readonly FieldError[] {
  const value = object[field];
  if (typeof value !== 'number' || value >= least) return [];
  return [fieldErrors.invalid(`${path}.${field}`, value, `must be greater than or equal to ${least}`)];
}
