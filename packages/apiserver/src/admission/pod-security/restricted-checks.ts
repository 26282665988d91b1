import type { JsonObject } from '../../registry/objects/api-object.js';
import { objectsAt, stringAt, textsAt } from '../../registry/objects/json-object.js';
import { forbiddenSeccompProfile, isSeccompProfile } from './baseline-checks.js';
import {
  type CheckedPod,
  containersText,
  containersThat,
  has,
  hasUserNamespace,
  isWindows,
  plural,
  quoted,
  securityContext,
  settersThat,
  sortedSet,
  type Violation,
} from './checked-pod.js';

const permittedVolumes = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
];

/** Returns the violation of a Pod with containers whose processes can gain privileges. */
export function privilegeEscalation(pod: CheckedPod): Violation | undefined {
  if (isExempt(pod)) return undefined;
  const names = containersThat(pod, (container) => securityContext(container)['allowPrivilegeEscalation'] !== false);
  if (names.length === 0) return undefined;
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${containersText(names)} must set securityContext.allowPrivilegeEscalation=false`,
  };
}

/** Returns the violation of a Pod with containers that do not drop all capabilities, or that add more than NET_BIND_SERVICE. */
export function restrictedCapabilities(pod: CheckedPod): Violation | undefined {
  if (isExempt(pod)) return undefined;
  const of = (container: JsonObject, field: string): readonly string[] =>
    textsAt(securityContext(container), 'capabilities', field);
  const forbidden = (container: JsonObject): readonly string[] =>
    of(container, 'add').filter((name) => name !== 'NET_BIND_SERVICE');
  const keeping = containersThat(pod, (container) => !of(container, 'drop').includes('ALL'));
  const adding = containersThat(pod, (container) => forbidden(container).length > 0);
  const details: string[] = [];
  if (keeping.length > 0) details.push(`${containersText(keeping)} must set securityContext.capabilities.drop=["ALL"]`);
  if (adding.length > 0) {
    const added = quoted(sortedSet(pod.containers.flatMap(forbidden)));
    details.push(`${containersText(adding)} must not include ${added} in securityContext.capabilities.add`);
  }
  return details.length === 0 ? undefined : { reason: 'unrestricted capabilities', detail: details.join('; ') };
}

/** Returns the violation of a Pod with volumes of a type that is not for configuration, claims or scratch space. */
export function restrictedVolumes({ spec }: CheckedPod): Violation | undefined {
  const volumes = objectsAt(spec, 'volumes').filter((volume) => !permittedVolumes.some((type) => has(volume, type)));
  if (volumes.length === 0) return undefined;
  const names = volumes.map((volume) => stringAt(volume, 'name'));
  const types = sortedSet(
    volumes.map((volume) => Object.keys(volume).find((field) => has(volume, field)) ?? 'unknown'),
  );
  const what = `${names.length === 1 ? 'uses' : 'use'} ${plural('restricted volume type', types)} ${quoted(types)}`;
  return { reason: 'restricted volume types', detail: `${plural('volume', names)} ${quoted(names)} ${what}` };
}

/** Returns the violation of a Pod whose containers may run as root, except in its own user namespace since version 1.35. */
export function runAsNonRoot(pod: CheckedPod): Violation | undefined {
  if (pod.minor >= 35 && hasUserNamespace(pod)) return undefined;
  const reason = 'runAsNonRoot != true';
  const setters = settersThat(pod, (context) => context['runAsNonRoot'] === false);
  if (setters !== '') return { reason, detail: `${setters} must not set securityContext.runAsNonRoot=false` };
  if (securityContext(pod.spec)['runAsNonRoot'] === true) return undefined;
  const names = containersThat(pod, (container) => securityContext(container)['runAsNonRoot'] !== true);
  if (names.length === 0) return undefined;
  return { reason, detail: `pod or ${containersText(names)} must set securityContext.runAsNonRoot=true` };
}

/** Returns the violation of a Pod with the user id 0, except in its own user namespace since version 1.35. */
export function runAsUser(pod: CheckedPod): Violation | undefined {
  if (pod.minor >= 35 && hasUserNamespace(pod)) return undefined;
  const setters = settersThat(pod, (context) => context['runAsUser'] === 0);
  return setters === '' ? undefined : { reason: 'runAsUser=0', detail: `${setters} must not set runAsUser=0` };
}

/** Returns the violation of a Pod with containers that do not have a seccomp profile. */
export function requiredSeccompProfile(pod: CheckedPod): Violation | undefined {
  if (isExempt(pod)) return undefined;
  const forbidden = forbiddenSeccompProfile(pod);
  if (forbidden !== undefined || isSeccompProfile(securityContext(pod.spec))) return forbidden;
  const names = containersThat(pod, (container) => !isSeccompProfile(securityContext(container)));
  if (names.length === 0) return undefined;
  const what = 'must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"';
  return { reason: 'seccompProfile', detail: `pod or ${containersText(names)} ${what}` };
}

/**
 * Returns true for a Windows Pod since version 1.25. Such a Pod passes the checks of Linux fields, because the API does not accept these
 * fields in Windows Pods.
 */
function isExempt(pod: CheckedPod): boolean {
  return pod.minor >= 25 && isWindows(pod);
}
