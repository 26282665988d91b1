import { type Steps, withBreak } from '@kubewright/api/apply';
import { timestamp } from '../../../registry/metadata/metadata-rules.js';
import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { objectAt, objectsAt, stringAt } from '../../../registry/objects/json-object.js';
import type { Controller, ControllerSetting, KeyQueue } from '../../work/controller.js';
import { controllerContext } from '../../work/controller-context.js';
import type { FeedEvent } from '../../work/resource-feed.js';

const effect = 'NoSchedule';
const unschedulable = 'node.kubernetes.io/unschedulable';
/** The key of the taint for the type and the status of a condition. */
const conditionTaints: ReadonlyMap<string, string> = new Map([
  ['Ready False', 'node.kubernetes.io/not-ready'],
  ['Ready Unknown', 'node.kubernetes.io/unreachable'],
  ['MemoryPressure True', 'node.kubernetes.io/memory-pressure'],
  ['DiskPressure True', 'node.kubernetes.io/disk-pressure'],
  ['NetworkUnavailable True', 'node.kubernetes.io/network-unavailable'],
  ['PIDPressure True', 'node.kubernetes.io/pid-pressure'],
]);
const managed: ReadonlySet<string> = new Set([...conditionTaints.values(), unschedulable]);
/** The labels that have the value of another label. */
const copiedLabels = [
  { from: 'kubernetes.io/os', to: 'beta.kubernetes.io/os' },
  { from: 'kubernetes.io/arch', to: 'beta.kubernetes.io/arch' },
] as const;

/**
 * Maintains the NoSchedule taints of each Node for its conditions and for `spec.unschedulable`, and the beta labels with the operating
 * system and the architecture.
 */
export class NodeTaints implements Controller {
  readonly name = 'node-controller';
  readonly #setting: ControllerSetting;

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
  }

  observe({ type, bucket, object }: FeedEvent, queue: KeyQueue): void {
    if (bucket === '/nodes' && type !== 'DELETED' && this.#reconciled(object) !== object) {
      queue.add(object.metadata.name);
    }
  }

  *sync(name: string): Steps<void> {
    const nodes = this.#setting.registry.builtIn('/v1/nodes');
    if (nodes.find({ name }) === undefined) return;
    const change = withBreak((live: ApiObject) => this.#reconciled(live));
    yield* nodes.updateSteps({ name }, change, controllerContext(this.name, 'patch'));
  }

  #reconciled(node: ApiObject): ApiObject {
    return withCopiedLabels(withTaints(node, timestamp(this.#setting.registry.clock.now())));
  }
}

/** Returns the Node with the taints for its conditions. If no taint changes, returns the same Node. */
function withTaints(node: ApiObject, now: string): ApiObject {
  const desired = new Set(
    objectsAt(node, 'status', 'conditions').flatMap(({ type, status }) => {
      const key = conditionTaints.get(`${String(type)} ${String(status)}`);
      return key === undefined ? [] : [key];
    }),
  );
  if (objectAt(node, 'spec')['unschedulable'] === true) desired.add(unschedulable);
  const { taints: _, ...spec }: JsonDraft = objectAt(node, 'spec');
  const known = objectsAt(node, 'spec', 'taints');
  const kept = known.filter((taint) => {
    const key = stringAt(taint, 'key');
    return taint['effect'] !== effect || !managed.has(key) || desired.delete(key);
  });
  if (desired.size === 0 && kept.length === known.length) return node;
  const taints = [...kept, ...[...desired].map((key) => ({ key, effect, timeAdded: now }))];
  return { ...node, spec: taints.length === 0 ? spec : { ...spec, taints } };
}

function withCopiedLabels(node: ApiObject): ApiObject {
  const { labels = {} } = node.metadata;
  const copies = copiedLabels.flatMap(({ from, to }) => {
    const value = labels[from];
    return value === undefined || value === labels[to] ? [] : [[to, value] as const];
  });
  if (copies.length === 0) return node;
  return { ...node, metadata: { ...node.metadata, labels: { ...labels, ...Object.fromEntries(copies) } } };
}
