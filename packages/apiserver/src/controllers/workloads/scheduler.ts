import { append } from '@kubewright/api/json';
import {
  type ApiObject,
  copyJson,
  type JsonDraft,
  madeAt,
  objectAt,
  objectsAt,
  stringAt,
} from '../../registry/json-object.js';
import { timestamp } from '../../registry/metadata-rules.js';
import type { RequestContext } from '../../registry/request-context.js';
import type { Controller, ControllerSetting, KeyQueue } from '../controller.js';
import { keyText, parseKey } from '../object-reference.js';
import type { FeedEvent } from '../resource-feed.js';
import { withCondition } from './condition-list.js';
import { type Misfit, misfits, requestsOf } from './node-fit.js';
import { conditionOf, isFinished } from './pod-state.js';

const by = { component: 'default-scheduler' };

/** Puts each Pod on the first node where it fits; one that fits nowhere says why, and is tried again when that may change. */
export class Scheduler implements Controller {
  readonly name = 'kube-scheduler';
  readonly #setting: ControllerSetting;
  readonly #nodes = new Map<string, ApiObject>();
  /** What the Pods on each node ask for. */
  readonly #used = new Map<string, Map<string, bigint>>();
  /** The node of each Pod that is counted in `#used`. */
  readonly #counted = new Map<string, { readonly node: string; readonly pod: ApiObject }>();
  readonly #unschedulable = new Set<string>();

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
  }

  observe({ type, bucket, object }: FeedEvent, queue: KeyQueue): void {
    const known = object as unknown as ApiObject;
    if (bucket === '/nodes') {
      if (type === 'DELETED') this.#nodes.delete(known.metadata.name);
      else this.#nodes.set(known.metadata.name, known);
      this.#retry(queue);
    } else if (bucket === '/pods') {
      const freed = this.#count(known, type === 'DELETED');
      const key = keyText(known.metadata);
      if (type === 'DELETED') this.#unschedulable.delete(key);
      else if (isWaiting(known)) queue.add(key);
      if (freed) this.#retry(queue);
    } else if (bucket === '/persistentvolumeclaims') this.#retry(queue);
  }

  sync(key: string): void {
    const pod = this.#pods.find(parseKey(key));
    this.#unschedulable.delete(key);
    if (pod === undefined || !isWaiting(pod)) return;
    const unbound = this.#volumeProblem(pod);
    const found = unbound === undefined ? this.#place(pod) : { reasons: [] };
    if ('node' in found) {
      this.#bind(pod, found.node);
      return;
    }
    this.#unschedulable.add(key);
    const message = unbound ?? unfitMessage(found.reasons, this.#nodes.size);
    this.#refuse(pod, message);
  }

  #place(pod: ApiObject): { readonly node: string } | { readonly reasons: readonly Misfit[] } {
    const reasons: Misfit[] = [];
    for (const node of this.#nodes.values()) {
      if (conditionOf(node, 'Ready')?.['status'] !== 'True') continue;
      const found = misfits(pod, node, this.#used.get(node.metadata.name) ?? new Map());
      if (found.length === 0) return { node: node.metadata.name };
      append(reasons, found);
    }
    return { reasons };
  }

  #bind(pod: ApiObject, node: string): void {
    const now = timestamp(this.#setting.registry.clock.now());
    this.#pods.replace(pod.metadata, (live) => bound(live, { node, now }), bindingContext);
    const { namespace, name } = pod.metadata;
    const message = `Successfully assigned ${namespace}/${name} to ${node}`;
    this.#setting.events.report(pod, { type: 'Normal', reason: 'Scheduled', action: 'Binding', message }, by);
  }

  #refuse(pod: ApiObject, message: string): void {
    const known = conditionOf(pod, 'PodScheduled');
    if (known?.['message'] === message && known['reason'] === 'Unschedulable') return;
    const now = timestamp(this.#setting.registry.clock.now());
    this.#pods.update(pod.metadata, (live) => refused(live, { message, now }), {
      ...bindingContext,
      verb: 'patch',
      subresource: 'status',
    });
    const text = { type: 'Warning', reason: 'FailedScheduling', action: 'Scheduling', message } as const;
    this.#setting.events.report(pod, text, by);
  }

  /** Why the claims of a Pod keep it from any node. */
  #volumeProblem(pod: ApiObject): string | undefined {
    const claims = this.#setting.registry.builtIn('/v1/persistentvolumeclaims');
    const total = `0/${this.#nodes.size} nodes are available:`;
    for (const volume of objectsAt(pod, 'spec', 'volumes')) {
      const template = volume['ephemeral'] !== undefined;
      const name = template
        ? `${pod.metadata.name}-${stringAt(volume, 'name')}`
        : stringAt(volume, 'persistentVolumeClaim', 'claimName');
      if (name === '') continue;
      const claim = claims.find({ name, namespace: pod.metadata.namespace });
      if (claim === undefined) return `${total} persistentvolumeclaim "${name}" not found. not found`;
      if (claim.metadata.deletionTimestamp !== undefined) {
        return `${total} persistentvolumeclaim "${name}" is being deleted. not found`;
      }
      if (stringAt(claim, 'spec', 'volumeName') === '' && !this.#waitsForPod(claim)) {
        return `${total} pod has unbound immediate PersistentVolumeClaims. not found`;
      }
    }
    return undefined;
  }

  /** Whether the volume of a claim is made once a Pod wants it. */
  #waitsForPod(claim: ApiObject): boolean {
    const name = stringAt(claim, 'spec', 'storageClassName');
    const storageClass = this.#setting.registry.builtIn('storage.k8s.io/v1/storageclasses').find({ name });
    return stringAt(storageClass, 'volumeBindingMode') === 'WaitForFirstConsumer';
  }

  /** Keeps the sums of what Pods ask for; whether something was freed. */
  #count(pod: ApiObject, deleted: boolean): boolean {
    const { uid } = pod.metadata;
    const node = deleted || isFinished(pod) ? '' : stringAt(pod, 'spec', 'nodeName');
    const before = this.#counted.get(uid);
    if (before !== undefined && before.node === node) return false;
    if (before !== undefined) {
      this.#add(before.node, before.pod, -1n);
      this.#counted.delete(uid);
    }
    if (node !== '') {
      this.#add(node, pod, 1n);
      this.#counted.set(uid, { node, pod });
    }
    return before !== undefined;
  }

  #add(node: string, pod: ApiObject, sign: bigint): void {
    const used = this.#used.get(node) ?? new Map<string, bigint>();
    for (const [name, amount] of requestsOf(pod)) used.set(name, (used.get(name) ?? 0n) + sign * amount);
    this.#used.set(node, used);
  }

  #retry(queue: KeyQueue): void {
    for (const key of this.#unschedulable) queue.add(key);
  }

  get #pods() {
    return this.#setting.registry.builtIn('/v1/pods');
  }
}

const bindingContext: RequestContext = {
  verb: 'create',
  fieldManager: 'kube-scheduler',
  subresource: 'binding',
  dryRun: false,
  fieldValidation: 'Ignore',
  warnings: [],
  user: { name: 'system:kube-scheduler', groups: ['system:authenticated'] },
};

function isWaiting(pod: ApiObject): boolean {
  return (
    stringAt(pod, 'spec', 'nodeName') === '' &&
    stringAt(pod, 'spec', 'schedulerName') === 'default-scheduler' &&
    pod.metadata.deletionTimestamp === undefined &&
    objectsAt(pod, 'spec', 'schedulingGates').length === 0 &&
    !isFinished(pod)
  );
}

function bound(pod: ApiObject, { node, now }: { readonly node: string; readonly now: string }): ApiObject {
  const others = objectsAt(pod, 'status', 'conditions').filter(({ type }) => type !== 'PodScheduled');
  const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: now };
  return {
    ...pod,
    spec: { ...objectAt(pod, 'spec'), nodeName: node },
    status: { ...objectAt(pod, 'status'), conditions: [...others, scheduled] },
  };
}

function refused(pod: ApiObject, { message, now }: { readonly message: string; readonly now: string }): unknown {
  const next = copyJson(pod) as unknown as JsonDraft;
  const others = objectsAt(pod, 'status', 'conditions').filter(({ type }) => type !== 'PodScheduled');
  const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message } as const;
  const [made] = withCondition([], condition, { now });
  const { generation } = pod.metadata;
  madeAt(next, 'status')['conditions'] = [...others, { lastProbeTime: null, observedGeneration: generation, ...made }];
  return next;
}

/** What the scheduler says when no node will do. */
function unfitMessage(reasons: readonly Misfit[], nodes: number): string {
  if (nodes === 0) return 'no nodes available to schedule pods';
  const counted = (texts: readonly string[]): string => {
    const counts = new Map<string, number>();
    for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
    return [...counts]
      .map(([text, count]) => `${count} ${text}`)
      .toSorted()
      .join(', ');
  };
  const resolvable = reasons.length > 0 && reasons.every((misfit) => misfit.resolvable);
  const preemption = resolvable
    ? 'No preemption victims found for incoming pod.'
    : 'Preemption is not helpful for scheduling.';
  const none = `0/${nodes} nodes are available:`;
  const why = counted(reasons.map(({ reason }) => reason));
  return `${none} ${why}. no new claims to deallocate, preemption: ${none} ${nodes} ${preemption}`;
}
