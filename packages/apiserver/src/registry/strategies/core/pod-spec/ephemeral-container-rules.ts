import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { JsonDraft } from '../../../objects/api-object.js';
import { isObject, objectsAt, stringAt } from '../../../objects/json-object.js';
import { containerErrors, type ContainerSetting } from './container-rules.js';
import { imageSpaceErrors } from './pod-only-rules.js';

const refused = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
];
const why = 'cannot be set for an Ephemeral Container';

/** Returns the errors of the ephemeral containers of a Pod. */
export function ephemeralContainerErrors(
  spec: JsonDraft,
  path: string,
  setting: ContainerSetting,
): readonly FieldError[] {
  const others = new Set(
    ['containers', 'initContainers'].flatMap((field) => objectsAt(spec, field).map((other) => stringAt(other, 'name'))),
  );
  const names = new Set(others);
  return errorsOfEach(objectsAt(spec, 'ephemeralContainers'), (container, index) => {
    const at = `${path}.ephemeralContainers[${index}]`;
    const name = stringAt(container, 'name');
    const target = stringAt(container, 'targetContainerName');
    const errors = [...containerErrors(container, at, setting), ...imageSpaceErrors(container, at)];
    if (names.has(name)) errors.push(fieldErrors.duplicate(`${at}.name`, name));
    names.add(name);
    if (target !== '' && !others.has(target)) errors.push(fieldErrors.notFound(`${at}.targetContainerName`, target));
    for (const field of refused) {
      if (isSet(container[field])) errors.push(fieldErrors.forbidden(`${at}.${field}`, why));
    }
    for (const [mounted, mount] of objectsAt(container, 'volumeMounts').entries()) {
      for (const field of ['subPath', 'subPathExpr']) {
        if (stringAt(mount, field) === '') continue;
        errors.push(fieldErrors.forbidden(`${at}.volumeMounts[${mounted}].${field}`, why));
      }
    }
    return errors;
  });
}

function isSet(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isObject(value) ? Object.keys(value).length > 0 : value !== undefined && value !== '';
}
