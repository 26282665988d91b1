import { type Steps, withBreak } from '@kubewright/api/apply';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import type { Controller, ControllerSetting, KeyQueue } from '../../work/controller.js';
import { controllerContext } from '../../work/controller-context.js';
import type { FeedEvent } from '../../work/resource-feed.js';

const annotation = 'node.alpha.kubernetes.io/ttl';
/** The times in seconds for which kubelets cache Secrets and ConfigMaps, with the range of the number of nodes for each time. */
const steps = [
  { from: 0, to: 100, seconds: 0 },
  { from: 90, to: 500, seconds: 15 },
  { from: 450, to: 1000, seconds: 30 },
  { from: 900, to: 2000, seconds: 60 },
  { from: 1800, to: Infinity, seconds: 300 },
] as const;

/** Maintains the annotation of each Node with the time for which the kubelet caches Secrets and ConfigMaps. */
export class NodeTtl implements Controller {
  readonly name = 'ttl-controller';
  readonly #setting: ControllerSetting;
  readonly #nodes = new Set<string>();
  #step = 0;

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
  }

  observe({ type, bucket, object }: FeedEvent, queue: KeyQueue): void {
    if (bucket !== '/nodes') return;
    const { name } = object.metadata;
    if (type === 'DELETED') this.#nodes.delete(name);
    else this.#nodes.add(name);
    const before = this.#step;
    while (this.#nodes.size > (steps[this.#step]?.to ?? Infinity)) this.#step += 1;
    while (this.#nodes.size < (steps[this.#step]?.from ?? 0)) this.#step -= 1;
    for (const changed of before === this.#step ? [name] : this.#nodes) queue.add(changed);
  }

  *sync(name: string): Steps<void> {
    const nodes = this.#setting.registry.builtIn('/v1/nodes');
    const value = String(steps[this.#step]?.seconds ?? 0);
    const node = nodes.find({ name });
    if (node === undefined || node.metadata.annotations?.[annotation] === value) return;
    const change = withBreak((live: ApiObject) => {
      const annotations = { ...live.metadata.annotations, [annotation]: value };
      return { ...live, metadata: { ...live.metadata, annotations } };
    });
    yield* nodes.updateSteps({ name }, change, controllerContext(this.name, 'patch'));
  }
}
