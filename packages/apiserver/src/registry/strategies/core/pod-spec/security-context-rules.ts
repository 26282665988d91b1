import { append } from '@kubewright/api/json';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { JsonDraft } from '../../../objects/api-object.js';
import { isObject, objectAt, objectsAt, stringAt, textsAt } from '../../../objects/json-object.js';
import { invalidStruct } from '../../rules/go-text.js';
import { descendingPathErrors, identityErrors, rangeText, supportedErrors } from './value-rules.js';

const profileTypes = ['Localhost', 'RuntimeDefault', 'Unconfined'];
const sysctlSegment = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const sysctlPattern = `^(${sysctlSegment}[\\./])*${sysctlSegment}$`;

/** Returns the errors of the security context of a container. */
export function containerSecurityErrors(value: unknown, path: string, hostUsers: boolean): readonly FieldError[] {
  if (!isObject(value)) return [];
  const errors = [...identityErrors(value, path, ['runAsUser', 'runAsGroup'])];
  const procMount = value['procMount'];
  append(errors, supportedErrors(procMount, `${path}.procMount`, ['Default', 'Unmasked']));
  if (hostUsers && procMount === 'Unmasked') {
    errors.push(fieldErrors.invalid(`${path}.procMount`, procMount, '`hostUsers` must be false to use `Unmasked`'));
  }
  append(errors, seccompErrors(value, path));
  if (value['allowPrivilegeEscalation'] === false) {
    const shown = `cannot set \`allowPrivilegeEscalation\` to false and `;
    if (value['privileged'] === true) {
      errors.push(invalidStruct(path, internalContext(value), `${shown}\`privileged\` to true`));
    }
    if (textsAt(value, 'capabilities', 'add').includes('CAP_SYS_ADMIN')) {
      errors.push(invalidStruct(path, internalContext(value), `${shown}\`capabilities.Add\` CAP_SYS_ADMIN`));
    }
  }
  return [...errors, ...appArmorErrors(value, path)];
}

/** Returns a security context with the internal field names of kube-apiserver, as error messages show the security context. */
function internalContext(context: JsonDraft): Readonly<Record<string, unknown>> {
  const { capabilities } = context as { capabilities?: unknown };
  const added = isObject(capabilities) ? { Add: capabilities['add'], Drop: capabilities['drop'] } : undefined;
  return {
    Capabilities: added,
    Privileged: context['privileged'],
    SELinuxOptions: context['seLinuxOptions'],
    WindowsOptions: context['windowsOptions'],
    RunAsUser: context['runAsUser'],
    RunAsGroup: context['runAsGroup'],
    RunAsNonRoot: context['runAsNonRoot'],
    ReadOnlyRootFilesystem: context['readOnlyRootFilesystem'],
    AllowPrivilegeEscalation: context['allowPrivilegeEscalation'],
    ProcMount: context['procMount'],
    SeccompProfile: context['seccompProfile'],
    AppArmorProfile: context['appArmorProfile'],
  };
}

/** Returns the errors of the security context of a Pod. `spec` is the spec of the Pod. */
export function podSecurityErrors(spec: JsonDraft, path: string): readonly FieldError[] {
  const context = objectAt(spec, 'securityContext');
  const errors = [...identityErrors(context, path, ['fsGroup', 'runAsUser', 'runAsGroup'])];
  const groups = context['supplementalGroups'];
  for (const [index, group] of (Array.isArray(groups) ? groups : []).entries()) {
    if (typeof group === 'number' && group >= 0 && group < 2 ** 31) continue;
    errors.push(fieldErrors.invalid(`${path}.supplementalGroups[${index}]`, group, rangeText(0, 2 ** 31 - 1)));
  }
  if (spec['shareProcessNamespace'] === true && spec['hostPID'] === true) {
    const why = 'ShareProcessNamespace and HostPID cannot both be enabled';
    errors.push(fieldErrors.invalid(`${path}.shareProcessNamespace`, true, why));
  }
  append(
    errors,
    sysctlErrors(spec, objectsAt(context, 'sysctls'), `${path}.sysctls`),
    supportedErrors(context['fsGroupChangePolicy'], `${path}.fsGroupChangePolicy`, ['Always', 'OnRootMismatch']),
    seccompErrors(context, path),
    appArmorErrors(context, path),
    supportedErrors(context['supplementalGroupsPolicy'], `${path}.supplementalGroupsPolicy`, ['Merge', 'Strict']),
    supportedErrors(context['seLinuxChangePolicy'], `${path}.seLinuxChangePolicy`, ['MountOption', 'Recursive']),
  );
  return errors;
}

function seccompErrors(context: JsonDraft, path: string): readonly FieldError[] {
  const { seccompProfile: profile } = context as { seccompProfile?: unknown };
  if (!isObject(profile)) return [];
  const at = `${path}.seccompProfile`;
  const type = stringAt(profile, 'type');
  const errors =
    type === ''
      ? [fieldErrors.required(`${at}.type`, 'type is required when seccompProfile is set')]
      : [...supportedErrors(type, `${at}.type`, profileTypes)];
  const file = profile['localhostProfile'];
  if (type === 'Localhost') {
    const why = 'must be set when seccomp type is Localhost';
    if (file === undefined) errors.push(fieldErrors.required(`${at}.localhostProfile`, why));
    else append(errors, descendingPathErrors(String(file), `${at}.localhostProfile`));
  } else if (file !== undefined) {
    const why = 'can only be set when seccomp type is Localhost';
    errors.push(fieldErrors.invalid(`${at}.localhostProfile`, profile, why));
  }
  return errors;
}

/** Returns the errors of the AppArmor profile of a securityContext. */
export function appArmorErrors(context: JsonDraft, path: string): readonly FieldError[] {
  const { appArmorProfile: profile } = context as { appArmorProfile?: unknown };
  if (!isObject(profile)) return [];
  const at = `${path}.appArmorProfile`;
  const type = stringAt(profile, 'type');
  const file = profile['localhostProfile'];
  if (type === '') return [fieldErrors.required(`${at}.type`, 'type is required when appArmorProfile is set')];
  if (type !== 'Localhost') {
    if (!profileTypes.includes(type)) return supportedErrors(type, `${at}.type`, profileTypes);
    const why = 'can only be set when AppArmor type is Localhost';
    return file === undefined ? [] : [fieldErrors.invalid(`${at}.localhostProfile`, file, why)];
  }
  const named = String(file ?? '');
  if (named.trim() !== named) {
    return [fieldErrors.invalid(`${at}.localhostProfile`, named, 'must not be padded with whitespace')];
  }
  if (named === '') {
    return [fieldErrors.required(`${at}.localhostProfile`, 'must be set when AppArmor type is Localhost')];
  }
  return named.length > 4095 ? [fieldErrors.tooLong(`${at}.localhostProfile`, 4095)] : [];
}

function sysctlErrors(spec: JsonDraft, sysctls: readonly JsonDraft[], path: string): readonly FieldError[] {
  const seen = new Set<string>();
  return errorsOfEach(sysctls, (sysctl, index) => {
    const at = `${path}[${index}].name`;
    const name = stringAt(sysctl, 'name');
    const errors: FieldError[] = [];
    if (name === '') errors.push(fieldErrors.required(at));
    else if (name.length > 253 || !new RegExp(sysctlPattern).test(name)) {
      errors.push(fieldErrors.invalid(at, name, `must have at most 253 characters and match regex ${sysctlPattern}`));
    } else if (seen.has(name)) {
      errors.push(fieldErrors.duplicate(at, name));
    }
    seen.add(name);
    const ipc = /^(?:kernel\.(?:msg|sem|shm)|fs\.mqueue\.)/.test(name);
    if (spec['hostNetwork'] === true && name.startsWith('net.')) {
      errors.push(fieldErrors.invalid(at, name, "may not be specified when 'hostNetwork' is true"));
    } else if (spec['hostIPC'] === true && ipc) {
      errors.push(fieldErrors.invalid(at, name, "may not be specified when 'hostIPC' is true"));
    }
    return errors;
  });
}
