import { append } from '@kubewright/api/json';
import type { JsonDraft } from '../../../objects/api-object.js';
import { isObject, nameTable, objectAt, objectsAt, stringAt } from '../../../objects/json-object.js';
import { parseQuantity } from '@kubewright/api/quantity';
import { profileAnnotationWarnings } from './profile-annotations.js';

const one = 1_000_000_000n;
const thousandth = 1_000_000n;
const mostThousandths = 2n ** 63n - 1n;
/** The resources that are measured in whole bytes. */
const byteResources = ['memory', 'ephemeral-storage'];
const containerFields = ['initContainers', 'containers', 'ephemeralContainers'];

const removedAnnotations: Readonly<Record<string, string>> = {
  'scheduler.alpha.kubernetes.io/critical-pod': 'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.kubernetes.io/unsafe-sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
};
const oldVolumes: Readonly<Record<string, string>> = {
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  gitRepo: 'deprecated in v1.11, and disabled by default in v1.33+',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  flocker: 'deprecated in v1.22, non-functional in v1.25+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  quobyte: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+',
};
/** The deprecated node labels. */
const oldNodeLabels = nameTable({
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
});

/** Returns the warnings about a Pod or a Pod template. `prefix` is empty for a Pod, and is the path of a template with a dot at the end. */
export function podSpecWarnings(spec: JsonDraft, metadata: JsonDraft, prefix: string): readonly string[] {
  const at = `${prefix}spec`;
  return [
    ...labelWarnings(spec, at),
    ...annotationWarnings(metadata, prefix),
    ...volumeWarnings(spec, at),
    ...duplicateWarnings(spec, at),
    ...byteResources.flatMap((resource) => byteWarnings(objectAt(spec, 'overhead'), resource, `${at}.overhead`)),
    ...profileAnnotationWarnings(spec, metadata, prefix),
    ...containerFields.flatMap((field) =>
      objectsAt(spec, field).flatMap((container, index) => containerWarnings(container, `${at}.${field}[${index}]`)),
    ),
    ...portWarnings(spec, at),
    ...graceWarnings(spec, at),
    ...affinityWarnings(spec, at),
  ];
}

function labelWarnings(spec: JsonDraft, path: string): readonly string[] {
  const warnings = Object.keys(objectAt(spec, 'nodeSelector')).flatMap((key) =>
    key in oldNodeLabels ? [`${path}.nodeSelector[${key}]: ${oldNodeLabels[key]}`] : [],
  );
  for (const [index, constraint] of objectsAt(spec, 'topologySpreadConstraints').entries()) {
    const at = `${path}.topologySpreadConstraints[${index}]`;
    const key = stringAt(constraint, 'topologyKey');
    if (key in oldNodeLabels) warnings.push(`${at}.topologyKey: ${key} is ${oldNodeLabels[key]}`);
    if (constraint['labelSelector'] === undefined) {
      warnings.push(`${at}.labelSelector: a null labelSelector results in matching no pod`);
    }
  }
  return warnings;
}

function annotationWarnings(metadata: JsonDraft, prefix: string): readonly string[] {
  const annotations = objectAt(metadata, 'annotations');
  return Object.entries(removedAnnotations).flatMap(([key, why]) =>
    key in annotations ? [`${prefix}metadata.annotations[${key}]: ${why}`] : [],
  );
}

function volumeWarnings(spec: JsonDraft, path: string): readonly string[] {
  return objectsAt(spec, 'volumes').flatMap((volume, index) =>
    Object.entries(oldVolumes).flatMap(([kind, why]) => {
      const shown = kind === 'storageos' ? 'storageOS' : kind;
      return volume[kind] === undefined ? [] : [`${path}.volumes[${index}].${shown}: ${why}`];
    }),
  );
}

function duplicateWarnings(spec: JsonDraft, path: string): readonly string[] {
  const secrets = objectsAt(spec, 'imagePullSecrets');
  return [
    ...repeated(objectsAt(spec, 'hostAliases'), 'ip', `${path}.hostAliases`),
    ...repeated(secrets, 'name', `${path}.imagePullSecrets`),
    ...secrets.flatMap((secret, index) =>
      stringAt(secret, 'name') === '' ? [`${path}.imagePullSecrets[${index}].name: invalid empty name ""`] : [],
    ),
  ];
}

function repeated(items: readonly JsonDraft[], field: string, path: string): readonly string[] {
  const seen = new Set<string>();
  return items.flatMap((item, index) => {
    const value = stringAt(item, field);
    if (seen.has(value)) return [`${path}[${index}].${field}: duplicate ${field} ${JSON.stringify(value)}`];
    seen.add(value);
    return [];
  });
}

/** Returns a warning if the amount of the resource is not a whole number of bytes. */
function byteWarnings(amounts: JsonDraft, resource: string, path: string): readonly string[] {
  const amount = amounts[resource];
  if (typeof amount !== 'string') return [];
  const { nanos } = parseQuantity(amount);
  // kube-apiserver converts the amount to thousandths. A larger amount becomes the largest 64-bit integer, which is not a multiple of
  // 1,000.
  if (nanos % one === 0n && nanos <= mostThousandths * thousandth) return [];
  return [`${path}[${resource}]: fractional byte value ${JSON.stringify(amount)} is invalid, must be an integer`];
}

function containerWarnings(container: JsonDraft, path: string): readonly string[] {
  const warnings: string[] = [];
  for (const resource of byteResources) {
    for (const field of ['limits', 'requests']) {
      const amounts = objectAt(container, 'resources', field);
      append(warnings, byteWarnings(amounts, resource, `${path}.resources.${field}`));
    }
  }
  const seen = new Set<string>();
  for (const [index, variable] of objectsAt(container, 'env').entries()) {
    const name = stringAt(variable, 'name');
    const value = stringAt(variable, 'value');
    const reference = `$(${name})`;
    const hides = isObject(variable['valueFrom']) || value === reference || !value.includes(reference);
    if (seen.has(name) && hides) {
      const why = `hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`;
      warnings.push(`${path}.env[${index}]: ${why}`);
    }
    seen.add(name);
  }
  return warnings;
}

interface NamedPort {
  readonly path: string;
  readonly port: JsonDraft;
}

function portWarnings(spec: JsonDraft, path: string): readonly string[] {
  const ports = containerFields.flatMap((field) =>
    objectsAt(spec, field).flatMap((container, index) =>
      objectsAt(container, 'ports').map((port, at) => ({ path: `${path}.${field}[${index}].ports[${at}]`, port })),
    ),
  );
  return [...overlapWarnings(ports), ...nameWarnings(ports)];
}

function nameWarnings(ports: readonly NamedPort[]): readonly string[] {
  const first = new Map<string, string>();
  return ports.flatMap(({ path, port }) => {
    const name = stringAt(port, 'name');
    const other = first.get(name);
    if (other === undefined) first.set(name, path);
    if (name === '' || other === undefined) return [];
    const why = `duplicate port name ${JSON.stringify(name)} with ${other}`;
    return [`${path}: ${why}, services and probes that select ports by name will use ${other}`];
  });
}

/**
 * The maximum number of overlap warnings. The warnings of a response have at most 4,096 characters in total, so further warnings do not
 * fit.
 */
const mostOverlaps = 4096;

/**
 * Returns a warning for each pair of overlapping ports, up to the maximum number. Finds the pairs by key, because a comparison of all pairs
 * takes too long.
 */
function overlapWarnings(ports: readonly NamedPort[]): readonly string[] {
  /** The positions of the earlier ports. The keys are [socket], [socket, hostPort] and [socket, hostPort, hostIp]. */
  const known = new Map<string, number[]>();
  const warnings: string[] = [];
  for (const [at, each] of ports.entries()) {
    const { socket, hostPort, hostIp } = hostSocketOf(each);
    const onHost =
      hostIp === ''
        ? [[socket, hostPort]]
        : [
            [socket, hostPort, hostIp],
            [socket, hostPort, ''],
          ];
    const overlapping = hostPort === 0 ? [[socket]] : [[socket, 0], ...onHost];
    const before = overlapping.flatMap((key) => known.get(JSON.stringify(key)) ?? []).toSorted((a, b) => a - b);
    for (const position of before) {
      const other = ports[position];
      if (other !== undefined) warnings.push(overlapWarning(each, other));
      if (warnings.length >= mostOverlaps) return warnings;
    }
    for (const key of [[socket], [socket, hostPort], [socket, hostPort, hostIp]]) {
      const positions = known.get(JSON.stringify(key));
      if (positions === undefined) known.set(JSON.stringify(key), [at]);
      else positions.push(at);
    }
  }
  return warnings;
}

interface HostSocket {
  /** The number and the protocol of the port. */
  readonly socket: string;
  readonly hostPort: unknown;
  readonly hostIp: string;
}

function hostSocketOf({ port }: NamedPort): HostSocket {
  const socket = JSON.stringify([port['containerPort'], port['protocol']]);
  return { socket, hostPort: port['hostPort'] ?? 0, hostIp: stringAt(port, 'hostIP') };
}

/** Returns the warning for a port that overlaps another port. */
function overlapWarning(each: NamedPort, other: NamedPort): string {
  const [own, its] = [hostSocketOf(each), hostSocketOf(other)];
  const how =
    own.hostIp === its.hostIp && own.hostPort === its.hostPort
      ? 'duplicate'
      : own.hostPort === 0 || its.hostPort === 0
        ? 'overlapping'
        : 'dangerously ambiguous';
  return `${each.path}: ${how} port definition with ${other.path}`;
}

function graceWarnings(spec: JsonDraft, path: string): readonly string[] {
  const grace = spec['terminationGracePeriodSeconds'];
  const why = 'must be >= 0; negative values are invalid and will be treated as 1';
  return typeof grace === 'number' && grace < 0 ? [`${path}.terminationGracePeriodSeconds: ${why}`] : [];
}

function affinityWarnings(spec: JsonDraft, path: string): readonly string[] {
  const why = 'a null labelSelector results in matching no pod';
  return ['podAffinity', 'podAntiAffinity'].flatMap((field) => {
    const affinity = objectAt(spec, 'affinity', field);
    const at = `${path}.affinity.${field}`;
    const required = 'requiredDuringSchedulingIgnoredDuringExecution';
    const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
    return [
      ...objectsAt(affinity, required).flatMap((term, index) =>
        term['labelSelector'] === undefined ? [`${at}.${required}[${index}].labelSelector: ${why}`] : [],
      ),
      ...objectsAt(affinity, preferred).flatMap((term, index) =>
        objectAt(term, 'podAffinityTerm')['labelSelector'] === undefined
          ? [`${at}.${preferred}[${index}].podAffinityTerm.labelSelector: ${why}`]
          : [],
      ),
    ];
  });
}
