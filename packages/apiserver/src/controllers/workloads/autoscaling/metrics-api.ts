import type { Steps } from '@kubewright/api/apply';
import { ApiError } from '@kubewright/api/errors';
import { aggregatedService, apiServiceBucket } from '../../../registry/aggregation/aggregated-service.js';
import { remoteUserHeaders } from '../../../registry/aggregation/remote-user-headers.js';
import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { numberAt, objectsAt, stringAt } from '../../../registry/objects/json-object.js';
import type { Registry } from '../../../registry/registry.js';
import { parseAnswer, readBody } from '../../../registry/webhooks/read-answer.js';
import { waitFor } from '../../../registry/webhooks/wait-for.js';
import { WebhookCallError } from '../../../registry/webhooks/webhook-call-error.js';
import { MetricsError } from './pod-metrics.js';

const timeoutMs = 60_000;
const user = {
  name: 'system:serviceaccount:kube-system:horizontal-pod-autoscaler',
  groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'],
};

/** A list of metrics in a namespace. */
export interface MetricsRequest {
  /** The group and the version, such as `metrics.k8s.io/v1beta1`. */
  readonly apiVersion: string;
  readonly namespace: string;
  /** The path after the namespace, such as `pods` or `services/web/requests`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
}

/**
 * Reads the metrics APIs that users register: an aggregated API server, or a CustomResourceDefinition whose objects are metrics. All
 * methods throw a MetricsError with the text of a Kubernetes client if they cannot read metrics.
 */
export class MetricsApi {
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** Returns the registered version of an API group with the highest priority, or undefined if the group is not registered. */
  versionOf(group: string, versions: readonly string[]): string | undefined {
    const found = versions
      .map((version) => this.#apiService(group, version))
      .filter((service) => service !== undefined)
      .toSorted((a, b) => priorityOf(b) - priorityOf(a));
    return found[0] && stringAt(found[0], 'spec', 'version');
  }

  /** Returns the items of a list. */
  *items({ apiVersion, namespace, path, query = {} }: MetricsRequest): Steps<readonly JsonDraft[]> {
    const [group = '', version = ''] = apiVersion.split('/');
    const definition = this.#registry.find(group, version, path);
    if (definition !== undefined) {
      const { items } = yield* this.#registry
        .resource(definition)
        .listSteps({ namespace, labelSelector: query['labelSelector'] });
      return items;
    }
    const service = this.#apiService(group, version);
    const [resource = '', ...rest] = path.split('/');
    const request = `(get ${resource}.${group}${rest.length > 0 ? ` ${rest.join('/')}` : ''})`;
    if (service === undefined || aggregatedService(service) === undefined) {
      throw new MetricsError(`the server could not find the requested resource ${request}`);
    }
    const text = new URLSearchParams(query).toString();
    const target = `/apis/${apiVersion}/namespaces/${namespace}/${path}${text === '' ? '' : `?${text}`}`;
    return objectsAt(yield* this.#get(service, target, request), 'items');
  }

  *#get(service: ApiObject, path: string, request: string): Steps<JsonDraft> {
    const end = new AbortController();
    const { signal } = end;
    const timer = this.#registry.clock.schedule(timeoutMs, () => end.abort(new WebhookCallError('timeout')));
    const headers = { ...remoteUserHeaders(user), accept: 'application/json' };
    return yield* waitFor(async () => {
      try {
        const opened = await this.#registry.aggregation
          .open(service, { method: 'GET', path, headers, signal })
          .catch((cause: unknown) => {
            throw new MetricsError(`the server is currently unable to handle the request ${request}`, { cause });
          });
        return parseAnswer(opened.response, await readBody(opened.response, signal));
      } catch (error) {
        if (!(error instanceof WebhookCallError)) throw error;
        throw new MetricsError(error.message, { cause: error });
      } finally {
        timer.cancel();
      }
    });
  }

  #apiService(group: string, version: string): ApiObject | undefined {
    return this.#registry.store.get(apiServiceBucket, { name: `${version}.${group}` });
  }
}

/** Runs steps, and throws a MetricsError with a prefix instead of a MetricsError or an error of the API server. */
export function* withPrefix<T>(prefix: string, steps: Steps<T>): Steps<T> {
  try {
    return yield* steps;
  } catch (error) {
    if (!(error instanceof MetricsError || error instanceof ApiError)) throw error;
    throw new MetricsError(`${prefix}: ${error.message}`, { cause: error });
  }
}

function priorityOf(service: ApiObject): number {
  return numberAt(service, 'spec', 'versionPriority') ?? 0;
}
