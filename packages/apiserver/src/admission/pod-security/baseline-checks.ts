import type { JsonObject } from '../../registry/objects/api-object.js';
import { nameTable, objectAt, objectsAt, stringAt, textsAt } from '../../registry/objects/json-object.js';
import {
  appArmorAnnotation,
  seccompAnnotation,
  seccompPodAnnotation,
} from '../../registry/strategies/core/pod-spec/profile-annotations.js';
import {
  type CheckedPod,
  containersText,
  containersThat,
  has,
  hasUserNamespace,
  plural,
  quoted,
  securityContext,
  settersThat,
  sortedSet,
  type Violation,
} from './checked-pod.js';

const defaultCapabilities = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

/** The minor version from which the level permits each sysctl. */
const sysctls = nameTable({
  'kernel.shm_rmid_forced': 0,
  'net.ipv4.ip_local_port_range': 0,
  'net.ipv4.tcp_syncookies': 0,
  'net.ipv4.ping_group_range': 0,
  'net.ipv4.ip_unprivileged_port_start': 0,
  'net.ipv4.ip_local_reserved_ports': 27,
  'net.ipv4.tcp_keepalive_time': 29,
  'net.ipv4.tcp_fin_timeout': 29,
  'net.ipv4.tcp_keepalive_intvl': 29,
  'net.ipv4.tcp_keepalive_probes': 29,
  'net.ipv4.tcp_rmem': 32,
  'net.ipv4.tcp_wmem': 32,
});

/** The minor version from which the level permits each SELinux type. */
const seLinuxTypes = nameTable({
  '': 0,
  container_t: 0,
  container_init_t: 0,
  container_kvm_t: 0,
  container_engine_t: 31,
});

/** Returns the violation of a Pod with an AppArmor profile other than the default profile or a profile of the node. */
export function appArmorProfile(pod: CheckedPod): Violation | undefined {
  const types: string[] = [];
  const setters = settersThat(pod, (context) => {
    const type = stringAt(context, 'appArmorProfile', 'type');
    if (!has(context, 'appArmorProfile') || type === 'RuntimeDefault' || type === 'Localhost') return false;
    types.push(type);
    return true;
  });
  const annotations = Object.entries(pod.annotations)
    .filter(
      ([name, value]) => name.startsWith(appArmorAnnotation) && !/^(?:$|runtime\/default$|localhost\/)/.test(value),
    )
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .toSorted();
  const values = [...sortedSet(types), ...annotations];
  if (values.length === 0) return undefined;
  const annotated = annotations.length === 0 ? [] : [plural('annotation', annotations)];
  const all = [...(setters === '' ? [] : [setters]), ...annotated].join(' and ');
  return {
    reason: plural('forbidden AppArmor profile', values),
    detail: `${all} must not set AppArmor profile type to ${quoted(values)}`,
  };
}

/** Returns the violation of a Pod that adds capabilities which containers do not have by default. */
export function addedCapabilities(pod: CheckedPod): Violation | undefined {
  const forbidden = (container: JsonObject): readonly string[] =>
    textsAt(securityContext(container), 'capabilities', 'add').filter((name) => !defaultCapabilities.has(name));
  const names = containersThat(pod, (container) => forbidden(container).length > 0);
  if (names.length === 0) return undefined;
  const added = quoted(sortedSet(pod.containers.flatMap(forbidden)));
  return {
    reason: 'non-default capabilities',
    detail: `${containersText(names)} must not include ${added} in securityContext.capabilities.add`,
  };
}

/** Returns the violation of a Pod that uses host namespaces. */
export function hostNamespaces({ spec }: CheckedPod): Violation | undefined {
  const used = ['hostNetwork', 'hostPID', 'hostIPC'].filter((field) => spec[field] === true);
  if (used.length === 0) return undefined;
  return { reason: 'host namespaces', detail: used.map((field) => `${field}=true`).join(', ') };
}

/** Returns the violation of a Pod with hostPath volumes. */
export function hostPathVolumes({ spec }: CheckedPod): Violation | undefined {
  const volumes = objectsAt(spec, 'volumes')
    .filter((volume) => has(volume, 'hostPath'))
    .map((volume) => stringAt(volume, 'name'));
  if (volumes.length === 0) return undefined;
  return { reason: 'hostPath volumes', detail: `${plural('volume', volumes)} ${quoted(volumes)}` };
}

/** Returns the violation of a Pod that uses host ports. */
export function hostPorts(pod: CheckedPod): Violation | undefined {
  const portsOf = (container: JsonObject): readonly string[] =>
    objectsAt(container, 'ports').flatMap(({ hostPort }) =>
      typeof hostPort === 'number' && hostPort !== 0 ? [String(hostPort)] : [],
    );
  const names = containersThat(pod, (container) => portsOf(container).length > 0);
  if (names.length === 0) return undefined;
  const ports = sortedSet(pod.containers.flatMap(portsOf));
  const verb = names.length === 1 ? 'uses' : 'use';
  return {
    reason: 'hostPort',
    detail: `${containersText(names)} ${verb} ${plural('hostPort', ports)} ${ports.join(', ')}`,
  };
}

/** Returns the violation of a Pod whose probes or hooks connect to other hosts. */
export function probeHosts(pod: CheckedPod): Violation | undefined {
  const hostsOf = (container: JsonObject): readonly string[] =>
    [['livenessProbe'], ['readinessProbe'], ['startupProbe'], ['lifecycle', 'postStart'], ['lifecycle', 'preStop']]
      .flatMap((path) => ['httpGet', 'tcpSocket'].map((action) => stringAt(container, ...path, action, 'host')))
      .filter((host) => host !== '');
  const names = sortedSet(containersThat(pod, (container) => hostsOf(container).length > 0));
  if (names.length === 0) return undefined;
  const hosts = sortedSet(pod.containers.flatMap(hostsOf));
  const what = `${names.length === 1 ? 'uses' : 'use'} ${plural('probe or lifecycle host', hosts)}`;
  return { reason: 'probe or lifecycle host', detail: `${containersText(names)} ${what} ${quoted(hosts)}` };
}

/** Returns the violation of a Pod with privileged containers. */
export function privileged(pod: CheckedPod): Violation | undefined {
  const names = containersThat(pod, (container) => securityContext(container)['privileged'] === true);
  if (names.length === 0) return undefined;
  return { reason: 'privileged', detail: `${containersText(names)} must not set securityContext.privileged=true` };
}

/** Returns the violation of a Pod with containers that set a procMount other than Default. */
export function procMount(pod: CheckedPod): Violation | undefined {
  const mountOf = (container: JsonObject): string => stringAt(securityContext(container), 'procMount') || 'Default';
  const names = containersThat(pod, (container) => mountOf(container) !== 'Default');
  if (names.length === 0) return undefined;
  const types = quoted(sortedSet(pod.containers.map(mountOf).filter((type) => type !== 'Default')));
  return { reason: 'procMount', detail: `${containersText(names)} must not set securityContext.procMount to ${types}` };
}

/** Like `procMount`, but permits every value in a Pod with its own user namespace since version 1.35. */
export function procMountOfHostUsers(pod: CheckedPod): Violation | undefined {
  return pod.minor >= 35 && hasUserNamespace(pod) ? undefined : procMount(pod);
}

/** Returns the violation of a Pod that sets an SELinux user, a role, or a type that is not a type of containers. */
export function seLinuxOptions(pod: CheckedPod): Violation | undefined {
  const all = [pod.spec, ...pod.containers].map((part) => objectAt(securityContext(part), 'seLinuxOptions'));
  const isForbidden = (options: JsonObject): boolean =>
    (seLinuxTypes[stringAt(options, 'type')] ?? Number.POSITIVE_INFINITY) > pod.minor;
  const sets = (field: string) => (options: JsonObject) => stringAt(options, field) !== '';
  const rules = [isForbidden, sets('user'), sets('role')];
  const setters = settersThat(pod, (context) => rules.some((rule) => rule(objectAt(context, 'seLinuxOptions'))));
  if (setters === '') return undefined;
  const types = sortedSet(all.filter(isForbidden).map((options) => stringAt(options, 'type')));
  const faults = [
    ...(types.length === 0 ? [] : [`${plural('type', types)} ${quoted(types)}`]),
    ...['user', 'role'].filter((field) => all.some(sets(field))).map((field) => `${field} may not be set`),
  ];
  return {
    reason: 'seLinuxOptions',
    detail: `${setters} set forbidden securityContext.seLinuxOptions: ${faults.join('; ')}`,
  };
}

/** Returns the violation of a Pod with a forbidden seccomp profile. Before version 1.19, checks the annotations instead of the fields. */
export function seccompProfile(pod: CheckedPod): Violation | undefined {
  return pod.minor < 19 ? seccompAnnotations(pod) : forbiddenSeccompProfile(pod);
}

/** Returns the violation of a Pod that sets a seccomp profile other than the default profile or a profile of the node. */
export function forbiddenSeccompProfile(pod: CheckedPod): Violation | undefined {
  const types: string[] = [];
  const setters = settersThat(pod, (context) => {
    if (!has(context, 'seccompProfile') || isSeccompProfile(context)) return false;
    types.push(stringAt(context, 'seccompProfile', 'type'));
    return true;
  });
  if (setters === '') return undefined;
  const detail = `${setters} must not set securityContext.seccompProfile.type to ${quoted(sortedSet(types))}`;
  return { reason: 'seccompProfile', detail };
}

/** Whether a securityContext has a seccomp profile that the levels permit. */
export function isSeccompProfile(context: JsonObject): boolean {
  return ['RuntimeDefault', 'Localhost'].includes(stringAt(context, 'seccompProfile', 'type'));
}

function seccompAnnotations({ annotations, containers }: CheckedPod): Violation | undefined {
  const names = [seccompPodAnnotation, ...containers.map(({ name }) => `${seccompAnnotation}${String(name)}`)];
  const forbidden = sortedSet(
    names.flatMap((name) => {
      const value = annotations[name];
      if (value === undefined || /^(?:runtime\/default$|docker\/default$|localhost\/)/.test(value)) return [];
      return [`${name}=${JSON.stringify(value)}`];
    }),
  );
  if (forbidden.length === 0) return undefined;
  return { reason: 'seccompProfile', detail: `forbidden ${plural('annotation', forbidden)} ${forbidden.join(', ')}` };
}

/** Returns the violation of a Pod that sets sysctls that the level does not permit. */
export function unsafeSysctls(pod: CheckedPod): Violation | undefined {
  const names = objectsAt(securityContext(pod.spec), 'sysctls')
    .map((sysctl) => stringAt(sysctl, 'name'))
    .filter((name) => (sysctls[name] ?? Number.POSITIVE_INFINITY) > pod.minor);
  return names.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: names.join(', ') };
}

/** Returns the violation of a HostProcess Pod, which runs directly on a Windows node. */
export function windowsHostProcess(pod: CheckedPod): Violation | undefined {
  const setters = settersThat(pod, (context) => objectAt(context, 'windowsOptions')['hostProcess'] === true);
  if (setters === '') return undefined;
  const detail = `${setters} must not set securityContext.windowsOptions.hostProcess=true`;
  return { reason: 'hostProcess', detail };
}
