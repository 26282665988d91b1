import type { Steps } from '@kubewright/api/apply';
import type { LabelSelector } from '@kubewright/api/selectors';
import { keyText, parseKey } from '../../objects/object-reference.js';
import type { Controller, ControllerSetting, KeyQueue } from '../../work/controller.js';
import type { FeedEvent } from '../../work/resource-feed.js';
import { AutoscalerMetrics } from './autoscaler-metrics.js';
import { AutoscalerWork, controllerName } from './autoscaler-work.js';
import { ScalingHistory } from './scaling-history.js';

/** The default of `--horizontal-pod-autoscaler-sync-period`. */
const periodMs = 15_000;

/** Changes the replicas of the scale target of each HorizontalPodAutoscaler every 15 s, so that the metrics reach their targets. */
export class AutoscalerController implements Controller {
  readonly name = controllerName;
  readonly concurrency = 5;
  readonly #setting: ControllerSetting;
  readonly #metrics: AutoscalerMetrics;
  readonly #histories = new Map<string, ScalingHistory>();
  readonly #selectors = new Map<string, LabelSelector>();

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
    this.#metrics = new AutoscalerMetrics(setting);
  }

  observe({ type, bucket, object }: FeedEvent, queue: KeyQueue): void {
    if (bucket !== 'autoscaling/horizontalpodautoscalers') return;
    const key = keyText(object.metadata);
    if (type !== 'DELETED') {
      queue.addAfter(key, periodMs);
      return;
    }
    this.#histories.delete(key);
    this.#selectors.delete(key);
  }

  *sync(key: string, queue: KeyQueue): Steps<void> {
    const resource = this.#setting.registry.builtIn('autoscaling/v2/horizontalpodautoscalers');
    const autoscaler = resource.find(parseKey(key));
    if (autoscaler === undefined) return;
    const history = this.#histories.get(key) ?? new ScalingHistory();
    this.#histories.set(key, history);
    yield* new AutoscalerWork(this.#setting, autoscaler, {
      metrics: this.#metrics,
      history,
      selectors: this.#selectors,
    }).advance();
    queue.addAfter(key, periodMs);
  }
}
