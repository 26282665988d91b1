import type { Steps } from '@kubewright/api/apply';
import { valueText } from '@kubewright/api/errors';
import { isQuantity } from '@kubewright/api/quantity';
import { goDuration } from '@kubewright/api/schema';
import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { formatSelector } from '../../../registry/objects/format-selector.js';
import { isObject, numberAt, objectAt, objectsAt, stringAt, valueAt } from '../../../registry/objects/json-object.js';
import type { Registry } from '../../../registry/registry.js';
import { groupOf } from '../../objects/controller-reference.js';
import type { SimulatedPods } from '../../simulation/simulated-pods.js';
import { MetricsApi, withPrefix } from './metrics-api.js';
import { MetricsError, type PodMetric, type PodMetrics } from './pod-metrics.js';
import { thousandths } from './replica-calculator.js';
import { statedMetric, statedUsage } from './stated-metrics.js';

const defaultWindowMs = 60_000;
const customGroup = 'custom.metrics.k8s.io';

/** The Pods of a scale target. */
export interface TargetPods {
  readonly namespace: string;
  /** The selector of the scale target as text. */
  readonly selector: string;
  readonly pods: readonly ApiObject[];
}

/**
 * The metrics of autoscalers: the metrics that behaviors and annotations state, or else the metrics of a registered metrics API. All
 * methods throw a MetricsError if the metrics are missing or not valid.
 */
export class AutoscalerMetrics {
  readonly #registry: Registry;
  readonly #simulated: SimulatedPods;
  readonly #api: MetricsApi;

  constructor({ registry, simulated }: { readonly registry: Registry; readonly simulated: SimulatedPods }) {
    this.#registry = registry;
    this.#simulated = simulated;
    this.#api = new MetricsApi(registry);
  }

  /** Returns the usage of a resource by the Pods, or by one container of each Pod if `container` is not empty. */
  *usage(target: TargetPods, { resource, container }: { readonly resource: string; readonly container: string }) {
    const read = (usage: ReadonlyMap<string, number>, all: readonly string[]): number | undefined => {
      if (container !== '') return usage.get(container);
      if (all.length === 0 || !all.every((name) => usage.has(name))) return undefined;
      return [...usage.values()].reduce((sum, value) => sum + value, 0);
    };
    const stated = target.pods.map((pod) => ({ pod, usage: statedUsage(this.#simulated, pod, resource) }));
    if (stated.some(({ usage }) => usage.size > 0)) {
      return this.#current(stated, ({ pod, usage }) => read(usage, namesOf(objectsAt(pod, 'spec', 'containers'))));
    }
    const request = { apiVersion: 'metrics.k8s.io/v1beta1', namespace: target.namespace, path: 'pods' };
    const items = yield* this.#items('resource', { ...request, query: { labelSelector: target.selector } });
    const metrics = new Map<string, PodMetric>();
    for (const item of items) {
      const containers = objectsAt(item, 'containers');
      const amounts = containers.map((each) => [stringAt(each, 'name'), quantityAt(each, 'usage', resource)] as const);
      const value = read(new Map(amounts.filter(isMeasured)), namesOf(containers));
      if (value === undefined) continue;
      metrics.set(stringAt(item, 'metadata', 'name'), { value, ...timeOf(item), windowMs: windowMsOf(item) });
    }
    return metrics;
  }

  /** Returns the values of a metric of the Pods by the name of the Pod. */
  *ofPods(target: TargetPods, metric: JsonDraft): Steps<PodMetrics> {
    const name = stringAt(metric, 'name');
    const stated = target.pods.map((pod) => ({ pod, value: statedMetric(pod, name) }));
    if (stated.some(({ value }) => value !== undefined)) return this.#current(stated, ({ value }) => value);
    const query = { labelSelector: target.selector, ...selectorQuery('metricLabelSelector', metric) };
    const items = yield* this.#custom({ namespace: target.namespace, path: `pods/*/${name}`, query });
    if (items.length === 0) throw new MetricsError('no metrics returned from custom metrics API');
    return new Map(
      items.map((item) => {
        const seconds = numberAt(item, 'windowSeconds');
        const windowMs = seconds === undefined ? defaultWindowMs : seconds * 1000;
        const value = quantityAt(item, 'value') ?? 0;
        return [stringAt(item, 'describedObject', 'name'), { value, ...timeOf(item), windowMs }];
      }),
    );
  }

  /** Returns the value of a metric of one object, in thousandths. */
  *ofObject(namespace: string, described: JsonDraft, metric: JsonDraft): Steps<number> {
    const { group, kind } = { group: groupOf(stringAt(described, 'apiVersion')), kind: stringAt(described, 'kind') };
    const name = stringAt(metric, 'name');
    const isNamespace = group === '' && kind === 'Namespace';
    const definition = this.#registry.all().find((each) => each.group === group && each.kind === kind);
    const key = isNamespace ? { name: namespace } : { namespace, name: stringAt(described, 'name') };
    const object = definition && this.#registry.store.get(definition.storageBucket, key);
    const stated = object && statedMetric({ ...object, kind }, name);
    if (stated !== undefined) return stated;
    const query = selectorQuery('metricLabelSelector', metric);
    const missing = `unable to map kind ${group === '' ? kind : `${kind}.${group}`} to resource`;
    const resource = definition && (group === '' ? definition.plural : `${definition.plural}.${group}`);
    const path = isNamespace ? `metrics/${name}` : resource && `${resource}/${key.name}/${name}`;
    const items = yield* this.#custom({ namespace, path, query, missing });
    if (items.length === 1) return quantityAt(items[0], 'value') ?? 0;
    const found = `the custom metrics API server returned ${items.length} results when we asked for exactly one`;
    throw new MetricsError(`unable to fetch metrics from custom metrics API: ${found}`);
  }

  /** Returns the values of an external metric: the value in the annotation of the autoscaler, or the values of the metrics API. */
  *external(autoscaler: ApiObject, metric: JsonDraft): Steps<readonly number[]> {
    const name = stringAt(metric, 'name');
    const stated = statedMetric(autoscaler, name);
    if (stated !== undefined) return [stated];
    const { namespace = '' } = autoscaler.metadata;
    const query = selectorQuery('labelSelector', metric);
    const request = { apiVersion: 'external.metrics.k8s.io/v1beta1', namespace, path: name, query };
    return (yield* this.#items('external', request)).map((item) => quantityAt(item, 'value') ?? 0);
  }

  *#items(api: 'resource' | 'external', request: Parameters<MetricsApi['items']>[0]): Steps<readonly JsonDraft[]> {
    const items = yield* withPrefix(`unable to fetch metrics from ${api} metrics API`, this.#api.items(request));
    if (items.length === 0) throw new MetricsError(`no metrics returned from ${api} metrics API`);
    return items;
  }

  *#custom(request: {
    readonly namespace: string;
    readonly path: string | undefined;
    readonly query: Readonly<Record<string, string>>;
    readonly missing?: string;
  }): Steps<readonly JsonDraft[]> {
    const { path, missing = '', ...rest } = request;
    const version = this.#api.versionOf(customGroup, ['v1beta2', 'v1beta1']);
    const fault =
      version === undefined ? `no custom metrics API (${customGroup}) registered` : path === undefined ? missing : '';
    const prefix = 'unable to fetch metrics from custom metrics API';
    if (fault !== '' || path === undefined) throw new MetricsError(`${prefix}: ${fault}`);
    return yield* withPrefix(prefix, this.#api.items({ apiVersion: `${customGroup}/${version}`, path, ...rest }));
  }

  /** Returns the stated values of running Pods by the name of the Pod. The time of each value is the current time. */
  #current<T extends { readonly pod: ApiObject }>(
    stated: readonly T[],
    valueOf: (each: T) => number | undefined,
  ): PodMetrics {
    const atMs = this.#registry.clock.now().getTime();
    const metrics = new Map<string, PodMetric>();
    for (const each of stated) {
      const value = stringAt(each.pod, 'status', 'phase') === 'Running' ? valueOf(each) : undefined;
      if (value !== undefined) metrics.set(each.pod.metadata.name, { value, atMs, windowMs: 0 });
    }
    return metrics;
  }
}

function namesOf(containers: readonly JsonDraft[]): readonly string[] {
  return containers.map((container) => stringAt(container, 'name'));
}

function isMeasured(amount: readonly [string, number | undefined]): amount is readonly [string, number] {
  return amount[1] !== undefined;
}

function timeOf(item: JsonDraft): { readonly atMs: number } {
  return { atMs: Date.parse(stringAt(item, 'timestamp')) };
}

/** Returns the time window of resource metrics, which is a duration in the notation of Go. */
function windowMsOf(item: JsonDraft): number {
  const text = stringAt(item, 'window') || '0s';
  const nanos = goDuration(text);
  if (nanos === undefined) throw new MetricsError(`the metrics API returned the invalid window ${valueText(text)}`);
  return Number(nanos / 1_000_000n);
}

function quantityAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = valueAt(value, ...path);
  if (typeof found !== 'string') return undefined;
  if (!isQuantity(found)) throw new MetricsError(`the metrics API returned the invalid quantity ${valueText(found)}`);
  return thousandths(found);
}

/** Returns the parameter with the selector of a metric. Returns no parameter for a metric without a selector. */
function selectorQuery(parameter: string, metric: JsonDraft): Record<string, string> {
  const text = isObject(metric['selector']) ? formatSelector(objectAt(metric, 'selector')) : '';
  return text === '' ? {} : { [parameter]: text };
}
