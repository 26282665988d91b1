import { append } from '@kubewright/api/json';
import { compareQuantities } from '@kubewright/api/quantity';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { JsonDraft } from '../../../objects/api-object.js';
import { isObject, madeAt, objectAt, objectsAt, stringAt } from '../../../objects/json-object.js';
import { containerAmounts, isPodLevel, textOf } from '../../../quota/resource-amounts.js';
import { isHugePages, isOvercommitted, requirementErrors, resourceNameErrors } from './resource-rules.js';
import type { ClaimNames } from './claim-names.js';

const podLevel = ['cpu', 'hugepages-', 'memory'];

/**
 * Sets the defaults of Pod-level resources. If huge pages have no Pod-level request, their default limit is the limit of the containers. If
 * the Pod has a Pod-level limit, the default of each request is the request of the containers. If no container has a request, the default
 * is the Pod-level limit.
 */
export function defaultPodResources(spec: JsonDraft): void {
  const { resources } = spec;
  if (!isObject(resources)) return;
  const { limits, requests } = { limits: objectAt(resources, 'limits'), requests: objectAt(resources, 'requests') };
  if (Object.keys(limits).length + Object.keys(requests).length === 0) return;
  for (const [name, amount] of containerAmounts(spec, 'limits')) {
    if (!isHugePages(name) || requests[name] !== undefined) continue;
    madeAt(resources, 'limits')[name] ??= textOf(amount);
  }
  const limited = Object.entries(objectAt(resources, 'limits')).filter(([name]) => isPodLevel(name));
  if (limited.length === 0) return;
  const requested = [...containerAmounts(spec, 'requests')].filter(
    ([name]) => isPodLevel(name) && isOvercommitted(name),
  );
  for (const [name, amount] of requested) madeAt(resources, 'requests')[name] ??= textOf(amount);
  for (const [name, amount] of limited) madeAt(resources, 'requests')[name] ??= amount;
}

/** Returns the errors of the Pod-level resources. */
export function podResourceErrors(spec: JsonDraft, path: string, claims: ClaimNames): readonly FieldError[] {
  const { resources } = spec;
  if (!isObject(resources)) return [];
  if (stringAt(spec, 'os', 'name') === 'windows')
    return [fieldErrors.forbidden(path, 'may not be set for a windows pod')];
  const errors: FieldError[] = [];
  if (resources['claims'] !== undefined) {
    errors.push(fieldErrors.forbidden(`${path}.claims`, 'claims may not be set for Resources at pod-level'));
  }
  append(errors, requirementErrors(resources, path, { claims, nameErrors }));
  for (const field of ['requests', 'limits'] as const) append(errors, totalErrors(spec, field, path));
  for (const [index, container] of objectsAt(spec, 'containers').entries()) {
    for (const [name, limit] of Object.entries(objectAt(container, 'resources', 'limits'))) {
      const most = objectAt(resources, 'limits')[name];
      if (most === undefined || compareQuantities(String(limit), String(most)) <= 0) continue;
      const why = `must be less than or equal to pod limits of ${String(most)}`;
      errors.push(fieldErrors.invalid(`${path}.containers[${index}][${name}].limits`, limit, why));
    }
  }
  return errors;
}

function nameErrors(name: string, path: string): readonly FieldError[] {
  const errors = resourceNameErrors(name, path);
  return errors.length > 0 || isPodLevel(name) ? errors : [fieldErrors.notSupported(path, name, podLevel)];
}

/**
 * Returns an error for each Pod-level amount that is below the total amount of the containers. For limits, only huge pages are compared.
 */
function totalErrors(spec: JsonDraft, field: 'requests' | 'limits', path: string): readonly FieldError[] {
  const own = objectAt(spec, 'resources', field);
  return errorsOfEach(containerAmounts(spec, field), ([name, amount]) => {
    if (own[name] === undefined || (field === 'limits' && !isHugePages(name))) return [];
    if (compareQuantities(amount, String(own[name])) <= 0) return [];
    const why = `must be greater than or equal to aggregate container ${field} of ${textOf(amount)}`;
    return [fieldErrors.invalid(`${path}.${field}[${name}]`, own[name], why)];
  });
}
