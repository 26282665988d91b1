import {
  type ApiObject,
  copyJson,
  type JsonDraft,
  madeAt,
  objectAt,
  objectsAt,
  stringAt,
  valueAt,
} from '../../registry/json-object.js';
import { timestamp } from '../../registry/metadata-rules.js';
import type { Registry } from '../../registry/registry.js';
import { systemContext } from '../../registry/request-context.js';
import { keyText, parseKey } from '../object-reference.js';
import type { FeedEvent } from '../resource-feed.js';
import type { Controller, ControllerSetting, KeyQueue } from '../controller.js';
import { nodeAddress, nodeName } from './embedded-node.js';

/**
 * Stands in for scheduler and kubelet: puts a Pod on the node, reports it running and ready, and removes it when it is
 * deleted. No container is ever started.
 */
export class PodController implements Controller {
  readonly name = 'pod-controller';
  readonly #registry: Registry;
  #addresses = 0;

  constructor({ registry }: ControllerSetting) {
    this.#registry = registry;
  }

  observe({ type, bucket, object }: FeedEvent, queue: KeyQueue): void {
    if (bucket === '/pods' && type !== 'DELETED') queue.add(keyText(object.metadata));
  }

  sync(key: string): void {
    const pods = this.#registry.builtIn('/v1/pods');
    const pod = pods.find(parseKey(key));
    if (pod === undefined) return;
    const node = stringAt(pod, 'spec', 'nodeName');
    if (pod.metadata.deletionTimestamp !== undefined) {
      if (node !== nodeName) return;
      if ((pod.metadata.deletionGracePeriodSeconds ?? 0) === 0) return;
      const options = { gracePeriodSeconds: 0, preconditions: { uid: pod.metadata.uid } };
      pods.delete(pod.metadata, options, systemContext('kubelet', 'delete'));
      return;
    }
    if (objectsAt(pod, 'spec', 'schedulingGates').length > 0) return;
    if (node === '') {
      pods.update(pod.metadata, bound, systemContext('kube-scheduler', 'create', 'binding'));
      return;
    }
    const phase = stringAt(pod, 'status', 'phase');
    if (node !== nodeName || phase === 'Succeeded' || phase === 'Failed') return;
    const now = timestamp(this.#registry.clock.now());
    const ip = stringAt(pod, 'status', 'podIP') || this.#nextAddress();
    const context = systemContext('kubelet', 'patch', 'status');
    pods.update(pod.metadata, (live) => running(live, { now, ip }), context);
  }

  #nextAddress(): string {
    this.#addresses += 1;
    return `10.244.${Math.trunc(this.#addresses / 254) % 256}.${(this.#addresses % 254) + 1}`;
  }
}

function bound(pod: ApiObject): unknown {
  const next = copyJson(pod) as unknown as JsonDraft;
  madeAt(next, 'spec')['nodeName'] = nodeName;
  return next;
}

function running(pod: ApiObject, { now, ip }: { readonly now: string; readonly ip: string }): unknown {
  const next = copyJson(pod) as unknown as JsonDraft;
  const status = madeAt(next, 'status');
  const before = objectsAt(pod, 'status', 'conditions');
  const gates = objectsAt(pod, 'spec', 'readinessGates').map(({ conditionType }) => conditionType);
  const gatesMet = gates.every((gate) => before.some(({ type, status: value }) => type === gate && value === 'True'));
  const condition = (type: string, met: boolean): JsonDraft => {
    const known = before.find((candidate) => candidate['type'] === type);
    const value = met ? 'True' : 'False';
    if (known?.['status'] === value) return known;
    return { lastProbeTime: null, lastTransitionTime: now, status: value, type };
  };
  const own = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'];
  status['phase'] = 'Running';
  status['conditions'] = [
    ...own.map((type) => condition(type, type !== 'Ready' || gatesMet)),
    ...before.filter(({ type }) => !own.includes(String(type))),
  ];
  status['hostIP'] = nodeAddress;
  status['hostIPs'] = [{ ip: nodeAddress }];
  status['podIP'] = ip;
  status['podIPs'] = [{ ip }];
  status['startTime'] ??= now;
  status['observedGeneration'] = pod.metadata.generation;
  status['containerStatuses'] = containerStatuses(pod, now);
  return next;
}

function containerStatuses(pod: ApiObject, now: string): readonly JsonDraft[] {
  return objectsAt(pod, 'spec', 'containers').map((container) => {
    const name = stringAt(container, 'name');
    const image = stringAt(container, 'image');
    const known = objectsAt(pod, 'status', 'containerStatuses').find((status) => status['name'] === name);
    const startedAt = stringAt(known, 'state', 'running', 'startedAt') || now;
    return {
      containerID: stringAt(known, 'containerID') || `embedded://${pod.metadata.uid}/${name}`,
      image,
      imageID: `embedded://${image}`,
      lastState: objectAt(known, 'lastState'),
      name,
      ready: true,
      restartCount: valueAt(known, 'restartCount') ?? 0,
      started: true,
      state: { running: { startedAt } },
    };
  });
}
