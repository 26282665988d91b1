import { append } from '@kubewright/api/json';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { JsonDraft } from '../../../objects/api-object.js';
import { objectAt, objectsAt, stringAt } from '../../../objects/json-object.js';
import { descendingPathErrors, supportedErrors } from './value-rules.js';

type Volumes = ReadonlyMap<string, JsonDraft>;

/** The names and paths of the volume mounts or devices of a container. */
interface Places {
  readonly names: ReadonlySet<string>;
  readonly paths: ReadonlySet<string>;
}

/** Returns the errors of the volume mounts and devices of a container. */
export function mountErrors(container: JsonDraft, path: string, volumes: Volumes): readonly FieldError[] {
  const seen = new Set<string>();
  const devices = placesOf(objectsAt(container, 'volumeDevices'), 'devicePath');
  const mounts = errorsOfEach(objectsAt(container, 'volumeMounts'), (mount, index) => {
    const at = `${path}.volumeMounts[${index}]`;
    const mounted = stringAt(mount, 'mountPath');
    const errors = placeErrors(mount, at, { devices, volumes, isRepeated: seen.has(mounted) });
    seen.add(mounted);
    // As in kube-apiserver, most of these errors do not contain the index of the mount.
    return [...errors, ...detailErrors(mount, { at, path: `${path}.volumeMounts`, container })];
  });
  return [...mounts, ...deviceErrors(container, `${path}.volumeDevices`, volumes)];
}

function placesOf(items: readonly JsonDraft[], pathField: string): Places {
  return {
    names: new Set(items.map((item) => stringAt(item, 'name'))),
    paths: new Set(items.map((item) => stringAt(item, pathField))),
  };
}

function placeErrors(
  mount: JsonDraft,
  path: string,
  {
    devices,
    volumes,
    isRepeated,
  }: { readonly devices: Places; readonly volumes: Volumes; readonly isRepeated: boolean },
): readonly FieldError[] {
  const name = stringAt(mount, 'name');
  const mounted = stringAt(mount, 'mountPath');
  const errors: FieldError[] = [];
  if (name === '') errors.push(fieldErrors.required(`${path}.name`));
  if (!volumes.has(name)) errors.push(fieldErrors.notFound(`${path}.name`, name));
  if (mounted === '') errors.push(fieldErrors.required(`${path}.mountPath`));
  if (isRepeated) errors.push(fieldErrors.invalid(`${path}.mountPath`, mounted, 'must be unique'));
  if (devices.names.has(name)) {
    errors.push(fieldErrors.invalid(`${path}.name`, name, 'must not already exist in volumeDevices'));
  }
  if (devices.paths.has(mounted)) {
    const why = 'must not already exist as a path in volumeDevices';
    errors.push(fieldErrors.invalid(`${path}.mountPath`, mounted, why));
  }
  return errors;
}

function detailErrors(
  mount: JsonDraft,
  { at, path, container }: { readonly at: string; readonly path: string; readonly container: JsonDraft },
): readonly FieldError[] {
  const subPath = stringAt(mount, 'subPath');
  const expression = stringAt(mount, 'subPathExpr');
  const errors = subPath === '' ? [] : [...descendingPathErrors(subPath, `${path}.subPath`)];
  if (expression !== '') {
    if (subPath !== '') {
      const why = 'subPathExpr and subPath are mutually exclusive';
      errors.push(fieldErrors.invalid(`${at}.subPathExpr`, expression, why));
    }
    append(errors, descendingPathErrors(expression, `${path}.subPathExpr`));
  }
  const propagation = mount['mountPropagation'];
  append(
    errors,
    supportedErrors(propagation, `${path}.mountPropagation`, ['Bidirectional', 'HostToContainer', 'None']),
  );
  if (propagation === 'Bidirectional' && objectAt(container, 'securityContext')['privileged'] !== true) {
    const why = 'Bidirectional mount propagation is available only to privileged containers';
    errors.push(fieldErrors.forbidden(`${path}.mountPropagation`, why));
  }
  return [...errors, ...readOnlyErrors(mount, `${path}.recursiveReadOnly`)];
}

function readOnlyErrors(mount: JsonDraft, path: string): readonly FieldError[] {
  const recursive = mount['recursiveReadOnly'];
  if (recursive !== 'Enabled' && recursive !== 'IfPossible') {
    return supportedErrors(recursive, path, ['Disabled', 'Enabled', 'IfPossible']);
  }
  const errors: FieldError[] = [];
  if (mount['readOnly'] !== true)
    errors.push(fieldErrors.forbidden(path, 'may only be specified when readOnly is true'));
  const propagation = mount['mountPropagation'];
  if (propagation !== undefined && propagation !== 'None') {
    errors.push(fieldErrors.forbidden(path, 'may only be specified when mountPropagation is None or not specified'));
  }
  return errors;
}

function deviceErrors(container: JsonDraft, path: string, volumes: Volumes): readonly FieldError[] {
  const names = new Set<string>();
  const paths = new Set<string>();
  const mounts = placesOf(objectsAt(container, 'volumeMounts'), 'mountPath');
  return errorsOfEach(objectsAt(container, 'volumeDevices'), (device, index) => {
    const at = `${path}[${index}]`;
    const name = stringAt(device, 'name');
    const place = stringAt(device, 'devicePath');
    const volume = volumes.get(name);
    const errors: FieldError[] = [];
    if (name === '') errors.push(fieldErrors.required(`${at}.name`));
    if (names.has(name)) errors.push(fieldErrors.invalid(`${at}.name`, name, 'must be unique'));
    if (volume === undefined) errors.push(fieldErrors.notFound(`${at}.name`, name));
    else if (volume['persistentVolumeClaim'] === undefined && volume['ephemeral'] === undefined) {
      const why = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
      errors.push(fieldErrors.invalid(`${at}.name`, name, why));
    }
    if (place === '') errors.push(fieldErrors.required(`${at}.devicePath`));
    if (paths.has(place)) errors.push(fieldErrors.invalid(`${at}.devicePath`, place, 'must be unique'));
    if (place.split('/').includes('..')) {
      errors.push(fieldErrors.invalid(`${at}.devicePath`, place, "can not contain backsteps ('..')"));
    }
    paths.add(place);
    if (mounts.names.has(name)) {
      errors.push(fieldErrors.invalid(`${at}.name`, name, 'must not already exist in volumeMounts'));
    }
    if (mounts.paths.has(place)) {
      errors.push(fieldErrors.invalid(`${at}.devicePath`, place, 'must not already exist as a path in volumeMounts'));
    }
    if (name !== '') names.add(name);
    return errors;
  });
}
