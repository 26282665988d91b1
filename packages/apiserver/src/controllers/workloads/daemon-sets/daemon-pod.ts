import type { Steps } from '@kubewright/api/apply';
import type { ApiObject, JsonDraft, JsonObject } from '../../../registry/objects/api-object.js';
import { madeAt, objectAt, objectsAt, stringAt } from '../../../registry/objects/json-object.js';
import { matchesNode, tolerationsOf } from '../scheduling/node-match.js';
import { podOf } from '../pods/pod-control.js';

/** The Pod label with the hash of the Pod's template. */
export const daemonHashLabel = 'controller-revision-hash';
const generationLabel = 'pod-template-generation';
const generationAnnotation = 'deprecated.daemonset.template.generation';

/** The number of taints that one step checks. */
const taintsInStep = 1000;

const everywhere = [
  ['not-ready', 'NoExecute'],
  ['unreachable', 'NoExecute'],
  ['disk-pressure', 'NoSchedule'],
  ['memory-pressure', 'NoSchedule'],
  ['pid-pressure', 'NoSchedule'],
  ['unschedulable', 'NoSchedule'],
] as const;

/** Whether a DaemonSet needs a Pod on a node (`run`), and whether an existing Pod can stay on the node (`stay`). */
export interface NodeChoice {
  readonly run: boolean;
  readonly stay: boolean;
}

/** Returns the Pod of a DaemonSet for a node. The scheduler can only bind the Pod to this node. */
export function daemonPod(
  set: ApiObject,
  { node, hash }: { readonly node: string; readonly hash: string },
): JsonObject {
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
  pod.spec['tolerations'] = daemonTolerations(pod.spec);
  return pod;
}

/** Returns a function that decides whether a Pod has the current template. `hash` identifies the current template. */
export function currentPods(set: ApiObject, hash: string): (pod: ApiObject) => boolean {
  const generation = set.metadata.annotations?.[generationAnnotation];
  return ({ metadata: { labels } }) =>
    (hash !== '' && labels?.[daemonHashLabel] === hash) ||
    (generation !== undefined && labels?.[generationLabel] === generation);
}

/** Returns a function that decides whether a DaemonSet needs a Pod on a node, and whether an existing Pod can stay on the node. */
export function nodeChooser(set: ApiObject): (node: ApiObject) => Steps<NodeChoice> {
  const spec = objectAt(set, 'spec', 'template', 'spec');
  const name = stringAt(spec, 'nodeName');
  const isTolerated = tolerationsOf({ spec: { tolerations: daemonTolerations(spec) } });
  return function* (node) {
    if (name !== '' && name !== node.metadata.name) return { run: false, stay: false };
    const matches = matchesNode({ ...set, spec }, node);
    yield;
    if (!matches) return { run: false, stay: false };
    let run = true;
    for (const [at, taint] of objectsAt(node, 'spec', 'taints').entries()) {
      if (at % taintsInStep === taintsInStep - 1) yield;
      if (isTolerated(taint)) continue;
      if (taint['effect'] === 'NoExecute') return { run: false, stay: false };
      run = false;
    }
    return { run, stay: true };
  };
}

/** Returns the tolerations of the template, and the default tolerations of DaemonSet Pods. */
function daemonTolerations(spec: JsonDraft): readonly JsonDraft[] {
  const tolerations: JsonDraft[] = [...objectsAt(spec, 'tolerations')];
  const taints = [
    ...everywhere,
    ...(spec['hostNetwork'] === true ? [['network-unavailable', 'NoSchedule'] as const] : []),
  ];
  for (const [name, effect] of taints) {
    const toleration = { key: `node.kubernetes.io/${name}`, operator: 'Exists', effect };
    const known = tolerations.some((other) => other['key'] === toleration.key && other['effect'] === effect);
    if (!known) tolerations.push(toleration);
  }
  return tolerations;
}

/**
 * Returns the name of the node of a DaemonSet Pod. Before the Pod is bound, this is the node that its affinity selects. Returns '' if the
 * affinity does not select a node.
 */
export function nodeOf(pod: ApiObject): string {
  const node = stringAt(pod, 'spec', 'nodeName');
  if (node !== '') return node;
  const required = 'requiredDuringSchedulingIgnoredDuringExecution';
  const terms = objectsAt(pod, 'spec', 'affinity', 'nodeAffinity', required, 'nodeSelectorTerms');
  const values = objectsAt(terms[0], 'matchFields')[0]?.['values'];
  return Array.isArray(values) ? String(values[0]) : '';
}
