import { canonicalQuantity } from '@kubewright/api/quantity';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { JsonDraft } from '../../../objects/api-object.js';
import { nameTable, stringAt } from '../../../objects/json-object.js';
import { qualifiedErrors } from './value-rules.js';

/** The Pod fields that environment variables can refer to. */
export const variableFields = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
/** The Pod fields that the files of a downwardAPI volume can refer to. */
export const fileFields = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];
const podFields = new Set([
  ...variableFields,
  ...fileFields,
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
]);
const resources = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];
const units = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];

/**
 * Returns the errors of a fieldRef. `supported` contains the paths that the reference can have, except paths with a subscript such as
 * `metadata.labels['a']`.
 */
export function fieldReferenceErrors(
  reference: JsonDraft,
  path: string,
  supported: readonly string[],
): readonly FieldError[] {
  const field = stringAt(reference, 'fieldPath');
  const at = `${path}.fieldPath`;
  if (field === '') return [fieldErrors.required(at)];
  const version = stringAt(reference, 'apiVersion');
  const refused = (why: string): readonly FieldError[] => [
    fieldErrors.invalid(at, field, `error converting fieldPath: ${why}`),
  ];
  if (version !== 'v1') return refused(`unsupported pod version: ${version}`);
  const [, whole = field, key] = /^([^[]*)\['([^']*)'\]$/.exec(field) ?? [];
  if (key !== undefined) {
    if (whole === 'metadata.annotations') return qualifiedErrors(key.toLowerCase(), path);
    if (whole === 'metadata.labels') return qualifiedErrors(key, path);
    return refused(`field label does not support subscript: ${field}`);
  }
  const named = field === 'spec.host' ? 'spec.nodeName' : field;
  if (!podFields.has(named)) return refused(`field label not supported: ${field}`);
  return supported.includes(named) ? [] : [fieldErrors.notSupported(at, named, supported)];
}

/** Returns the errors of a resourceFieldRef. In a volume, the reference must name a container. */
export function resourceReferenceErrors(reference: JsonDraft, path: string, inVolume: boolean): readonly FieldError[] {
  const resource = stringAt(reference, 'resource');
  const errors: FieldError[] = [];
  if (inVolume && stringAt(reference, 'containerName') === '') {
    errors.push(fieldErrors.required(`${path}.containerName`));
  } else if (resource === '') {
    errors.push(fieldErrors.required(`${path}.resource`));
  } else if (!resources.includes(resource) && !/^(?:limits|requests)\.hugepages-/.test(resource)) {
    errors.push(fieldErrors.notSupported(`${path}.resource`, resource, resources));
  }
  return [...errors, ...divisorErrors(resource, stringAt(reference, 'divisor'), path)];
}

function divisorErrors(resource: string, divisor: string, path: string): readonly FieldError[] {
  if (divisor === '' || canonicalQuantity(divisor) === '0') return [];
  const [, name = ''] = resource.split('.');
  const cpu = name === 'cpu';
  const known = nameTable({
    cpu: 'cpu',
    memory: 'memory',
    'ephemeral-storage': 'local ephemeral storage',
  });
  const shown = name.startsWith('hugepages-') ? 'hugepages' : known[name];
  if (shown === undefined || (cpu ? ['1m', '1'] : units).includes(divisor)) return [];
  const listed = cpu ? '1m and 1' : units.join(', ');
  const why = `only divisor's values ${listed} are supported with the ${shown} resource`;
  return [fieldErrors.invalid(`${path}.divisor`, resource, why)];
}
