import type { ApiObject } from '../../registry/objects/api-object.js';
import { timestamp } from '../../registry/metadata/metadata-rules.js';
import type { Registry } from '../../registry/registry.js';
import type { ResourceKey } from '../../registry/requests/verb-options.js';
import { controllerContext } from './controller-context.js';
import { EventCorrelator, type Occurrence } from './event-correlator.js';

/** The text of an Event. */
export interface EventText {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** The source of an Event. */
export interface EventSource {
  /** The component, such as 'replicaset-controller'. */
  readonly component: string;
}

/** Writes the Events of the server's controllers. `kubectl describe` shows these Events. */
export class EventRecorder {
  readonly #registry: Registry;
  readonly #correlator = new EventCorrelator<ResourceKey>();
  #names = 0;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /**
   * Records a core/v1 Event about an object. Drops an Event that exceeds the rate limit of `EventCorrelator`, and an Event in a namespace
   * that does not exist or is being deleted.
   */
  record(object: ApiObject, text: EventText, source: EventSource): void {
    const { uid, name, namespace } = object.metadata;
    const subject = [source.component, object.kind, namespace ?? '', name, uid, object.apiVersion].join('|');
    const occurrence: Occurrence = { subject, ...text };
    const correlation = this.#correlator.correlate(occurrence, this.#registry.clock.monotonicMs());
    if (correlation.kind === 'drop') return;
    const { earlier, message } = correlation;
    const counted =
      earlier === undefined ? undefined : this.#count(earlier.event, { message, count: earlier.count + 1 });
    const event = counted ?? this.#write(object, { ...text, message }, source);
    if (event === undefined) return;
    const count = counted === undefined ? 1 : (earlier?.count ?? 0) + 1;
    this.#correlator.written(occurrence, { event, count });
  }

  /**
   * Records an events.k8s.io/v1 Event, as the scheduler does. Does not combine Events or limit their rate. Drops an Event in a namespace
   * that does not exist or is being deleted.
   */
  report(object: ApiObject, text: EventText & { readonly action: string }, source: EventSource): void {
    const now = this.#registry.clock.now();
    const body = {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: this.#metadata(object, now),
      eventTime: microTime(now),
      reportingController: source.component,
      reportingInstance: `${source.component}-embedded`,
      action: text.action,
      reason: text.reason,
      regarding: referenceTo(object),
      note: text.message,
      type: text.type,
    };
    this.#create('events.k8s.io/v1/events', body, {
      ...controllerContext(source.component, 'create'),
      fieldManager: 'kube-scheduler',
    });
  }

  #write(object: ApiObject, text: EventText, { component }: EventSource): ResourceKey | undefined {
    const now = this.#registry.clock.now();
    const body = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: this.#metadata(object, now),
      involvedObject: referenceTo(object),
      reason: text.reason,
      message: text.message,
      source: { component },
      firstTimestamp: timestamp(now),
      lastTimestamp: timestamp(now),
      count: 1,
      type: text.type,
      eventTime: null,
      reportingComponent: component,
      reportingInstance: '',
    };
    return this.#create('/v1/events', body, controllerContext(component, 'create'));
  }

  #create(
    path: '/v1/events' | 'events.k8s.io/v1/events',
    body: { readonly metadata: ResourceKey },
    context: ReturnType<typeof controllerContext>,
  ): ResourceKey | undefined {
    const namespace = this.#registry.builtIn('/v1/namespaces').find({ name: body.metadata.namespace ?? '' });
    if (namespace === undefined || namespace.metadata.deletionTimestamp !== undefined) return undefined;
    return this.#registry.builtIn(path).add(body, context).metadata;
  }

  /** Increases the count of an Event. Returns undefined if the Event no longer exists. */
  #count(key: ResourceKey, change: { readonly message: string; readonly count: number }): ResourceKey | undefined {
    const events = this.#registry.builtIn('/v1/events');
    if (events.find(key) === undefined) return undefined;
    const lastTimestamp = timestamp(this.#registry.clock.now());
    events.update(key, (live) => ({ ...live, ...change, lastTimestamp }), controllerContext('event-recorder', 'patch'));
    return key;
  }

  #metadata({ metadata }: ApiObject, now: Date): ResourceKey {
    this.#names += 1;
    const nanoseconds = BigInt(now.getTime()) * 1_000_000n + BigInt(this.#names % 1_000_000);
    return { name: `${metadata.name}.${nanoseconds.toString(16)}`, namespace: metadata.namespace ?? 'default' };
  }
}

function referenceTo({ apiVersion, kind, metadata }: ApiObject): object {
  const { name, namespace, uid, resourceVersion } = metadata;
  return { kind, ...(namespace === undefined ? {} : { namespace }), name, uid, apiVersion, resourceVersion };
}

function microTime(now: Date): string {
  return `${now.toISOString().slice(0, -1)}000Z`;
}
