import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { copyJson, numberAt, objectAt, objectsAt, stringAt } from '../../../registry/objects/json-object.js';
import { podOf } from '../pods/pod-control.js';

const podNameLabel = 'statefulset.kubernetes.io/pod-name';
const podIndexLabel = 'apps.kubernetes.io/pod-index';
/** The Pod label with the revision of the Pod. */
export const revisionLabel = 'controller-revision-hash';

/** Returns the ordinal of a Pod of the set, or -1 for other Pods. */
export function ordinalOf(set: ApiObject, pod: ApiObject): number {
  const prefix = `${set.metadata.name}-`;
  const { name } = pod.metadata;
  if (!name.startsWith(prefix)) return -1;
  const digits = name.slice(prefix.length);
  return /^\d+$/.test(digits) ? Number(digits) : -1;
}

/** Returns the range of the set's ordinals, from `first` up to but not including `end`. */
export function ordinalsOf(set: ApiObject): { readonly first: number; readonly end: number } {
  const first = numberAt(set, 'spec', 'ordinals', 'start') ?? 0;
  return { first, end: first + (numberAt(set, 'spec', 'replicas') ?? 1) };
}

/** Returns the name of the Pod with an ordinal. */
export function podName(set: ApiObject, ordinal: number): string {
  return `${set.metadata.name}-${ordinal}`;
}

/** Returns the name of a Pod's claim for a claim template. */
export function claimName(set: ApiObject, template: JsonDraft, ordinal: number): string {
  return `${stringAt(template, 'metadata', 'name')}-${podName(set, ordinal)}`;
}

/** Returns whether the name, the labels and the volumes of a Pod match its ordinal. */
export function hasIdentity(set: ApiObject, pod: ApiObject): boolean {
  const ordinal = ordinalOf(set, pod);
  const { labels } = pod.metadata;
  if (labels?.[podNameLabel] !== pod.metadata.name || labels[podIndexLabel] !== String(ordinal)) return false;
  const claims = new Map(
    objectsAt(pod, 'spec', 'volumes').map((volume) => [
      volume['name'],
      stringAt(volume, 'persistentVolumeClaim', 'claimName'),
    ]),
  );
  return objectsAt(set, 'spec', 'volumeClaimTemplates').every(
    (template) => claims.get(stringAt(template, 'metadata', 'name')) === claimName(set, template, ordinal),
  );
}

/** Returns the labels of the Pod with an ordinal. */
export function identityLabels(set: ApiObject, ordinal: number): Readonly<Record<string, string>> {
  return { [podNameLabel]: podName(set, ordinal), [podIndexLabel]: String(ordinal) };
}

/** Returns the Pod with the given ordinal. The Pod has the content of the template, and a label with the revision. */
export function numberedPod(
  set: ApiObject,
  { ordinal, template, revision }: { readonly ordinal: number; readonly template: unknown; readonly revision: string },
): JsonDraft {
  const pod = podOf(set, template);
  const name = podName(set, ordinal);
  pod.metadata['name'] = name;
  const labels = { ...objectAt(pod, 'metadata', 'labels'), ...identityLabels(set, ordinal), [revisionLabel]: revision };
  pod.metadata['labels'] = labels;
  const subdomain = stringAt(set, 'spec', 'serviceName');
  Object.assign(pod.spec, { hostname: name }, subdomain === '' ? {} : { subdomain });
  const claims = objectsAt(set, 'spec', 'volumeClaimTemplates').map((claim) => ({
    name: stringAt(claim, 'metadata', 'name'),
    persistentVolumeClaim: { claimName: claimName(set, claim, ordinal) },
  }));
  const names = new Set<unknown>(claims.map((claim) => claim.name));
  const others = objectsAt(pod.spec, 'volumes').filter((volume) => !names.has(volume['name']));
  if (claims.length + others.length > 0) pod.spec['volumes'] = [...claims, ...copyJson(others)];
  return pod;
}
