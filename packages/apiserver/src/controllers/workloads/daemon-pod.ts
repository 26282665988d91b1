import {
  type ApiObject,
  copyJson,
  type JsonDraft,
  madeAt,
  objectAt,
  objectsAt,
  stringAt,
} from '../../registry/json-object.js';
import { matchesNode, tolerationsOf } from './node-fit.js';
import { podOf } from './pod-control.js';

/** The label of a Pod that holds the hash of the template it was made of. */
export const daemonHashLabel = 'controller-revision-hash';
const generationLabel = 'pod-template-generation';
const generationAnnotation = 'deprecated.daemonset.template.generation';

const everywhere = [
  ['not-ready', 'NoExecute'],
  ['unreachable', 'NoExecute'],
  ['disk-pressure', 'NoSchedule'],
  ['memory-pressure', 'NoSchedule'],
  ['pid-pressure', 'NoSchedule'],
  ['unschedulable', 'NoSchedule'],
] as const;

/** The Pod that a DaemonSet has on a node; the scheduler puts it there and nowhere else. */
export function daemonPod(set: ApiObject, { node, hash }: { readonly node: string; readonly hash: string }): ApiObject {
  const pod = podOf(set, objectAt(set, 'spec', 'template'));
  const labels = madeAt(pod, 'metadata', 'labels');
  const generation = set.metadata.annotations?.[generationAnnotation];
  if (generation !== undefined) labels[generationLabel] = generation;
  if (hash !== '') labels[daemonHashLabel] = hash;
  const required = 'requiredDuringSchedulingIgnoredDuringExecution';
  const affinity = madeAt(pod.spec, 'affinity', 'nodeAffinity');
  const field = { key: 'metadata.name', operator: 'In', values: [node] };
  const terms = objectsAt(affinity, required, 'nodeSelectorTerms');
  affinity[required] = {
    nodeSelectorTerms:
      terms.length === 0 ? [{ matchFields: [field] }] : terms.map((term) => ({ ...term, matchFields: [field] })),
  };
  const tolerations: JsonDraft[] = [...objectsAt(pod.spec, 'tolerations')];
  const taints = [
    ...everywhere,
    ...(pod.spec['hostNetwork'] === true ? [['network-unavailable', 'NoSchedule'] as const] : []),
  ];
  for (const [name, effect] of taints) {
    const toleration = { key: `node.kubernetes.io/${name}`, operator: 'Exists', effect };
    const known = tolerations.some((other) => other['key'] === toleration.key && other['effect'] === effect);
    if (!known) tolerations.push(toleration);
  }
  pod.spec['tolerations'] = tolerations;
  return pod as unknown as ApiObject;
}

/** Whether a DaemonSet wants a Pod on the node, and whether one that is there may stay. */
export function wantsNode(set: ApiObject, node: ApiObject): { readonly run: boolean; readonly stay: boolean } {
  const template = copyJson(objectAt(set, 'spec', 'template', 'spec'));
  const name = stringAt(template, 'nodeName');
  if (name !== '' && name !== node.metadata.name) return { run: false, stay: false };
  const asWritten = { ...daemonPod(set, { node: node.metadata.name, hash: '' }), spec: template } as ApiObject;
  if (!matchesNode(asWritten, node)) return { run: false, stay: false };
  const pod = daemonPod(set, { node: node.metadata.name, hash: '' });
  const isTolerated = tolerationsOf(pod);
  const untolerated = objectsAt(node, 'spec', 'taints').filter((taint) => !isTolerated(taint));
  const driven = untolerated.some((taint) => taint['effect'] === 'NoExecute');
  return { run: untolerated.length === 0, stay: !driven };
}

/** The node that a Pod is on, or is meant for. */
export function nodeOf(pod: ApiObject): string {
  const node = stringAt(pod, 'spec', 'nodeName');
  if (node !== '') return node;
  const required = 'requiredDuringSchedulingIgnoredDuringExecution';
  const terms = objectsAt(pod, 'spec', 'affinity', 'nodeAffinity', required, 'nodeSelectorTerms');
  const values = objectsAt(terms[0], 'matchFields')[0]?.['values'];
  return Array.isArray(values) ? String(values[0]) : '';
}
