import type { Clock } from '@kubewright/api/clock';
import type {
  ApiServer,
  FaultPlan,
  PlannedRequest,
  PlannedWatchEvent,
  RequestFault,
  WatchFault,
} from '@kubewright/apiserver';
import { changedFields, type StoreEvent } from '@kubewright/apiserver/internal';
import { describeCause, type ObservedRun } from '@kubewright/runtime/internal';
import { stableName } from './stable-name.js';
import type { TraceEntry } from './trace-entry.js';

/** The client of a request. */
interface Sender {
  readonly by: string;
  readonly reconcile: string | undefined;
}

/** Records what happens in a test environment. Also a fault plan, which returns the faults of the given plan and records the requests. */
export class Trace implements FaultPlan {
  readonly #entries: TraceEntry[] = [];
  readonly #faults: FaultPlan;
  readonly #clock: Clock | undefined;
  /** The clients of the requests that the server has not received yet, by the IDs of the requests. */
  readonly #senders = new Map<string, Sender>();

  constructor({ faults = {}, clock }: { readonly faults?: FaultPlan | undefined; readonly clock?: Clock | undefined }) {
    this.#faults = faults;
    this.#clock = clock;
  }

  get entries(): readonly TraceEntry[] {
    return this.#entries;
  }

  onRequest(request: PlannedRequest): RequestFault | undefined {
    const { verb, resource, subresource, namespace, write, id = '' } = request;
    const fault = this.#faults.onRequest?.(request);
    const name = write?.name ?? request.name;
    const { by, reconcile } = this.#senders.get(id) ?? {};
    this.#senders.delete(id);
    this.#entries.push({
      ...this.#time,
      what: 'request',
      ...(by !== undefined && { by }),
      ...(reconcile !== undefined && { reconcile }),
      verb: write?.verb ?? verb,
      kind: write?.kind ?? resource,
      ...(subresource !== undefined && subresource !== 'status' && { subresource }),
      ...(namespace !== undefined && { namespace }),
      ...(name !== undefined && { name }),
      fields: write?.fields ?? [],
      ...(fault !== undefined && { fault }),
    });
    return fault;
  }
  onWatchEvent(event: PlannedWatchEvent): WatchFault | undefined {
    const fault = this.#faults.onWatchEvent?.(event);
    if (fault !== undefined) this.#entries.push({ ...this.#time, what: 'watch-fault', kind: event.resource, fault });
    return fault;
  }

  /** Records the client of a request that the server has not received yet. */
  readonly onSend = (id: string, sender: Sender): void => {
    this.#senders.set(id, sender);
  };
  /** Removes a request that has ended. The server may not have received the request. */
  readonly onEnd = (id: string): void => {
    this.#senders.delete(id);
  };
  readonly onRun = ({ phase, controller, kind, object, causes, outcome }: ObservedRun): void => {
    this.#entries.push({
      ...this.#time,
      what: 'reconcile',
      controller,
      kind,
      object,
      phase,
      causes: causes.map(describeCause),
      ...(outcome !== undefined && { outcome }),
    });
  };
  /** Records the changes of all objects that the server commits from now on, except changes of the Leases of nodes. */
  follow({ store }: ApiServer): void {
    let seen = store.resourceVersion;
    store.onCommit(() => {
      for (const event of store.writesAfter(seen)) this.#changed(event);
      seen = store.resourceVersion;
    });
  }

  #changed({ type, object, old }: StoreEvent): void {
    const { namespace } = object.metadata;
    // The kubelets of the server renew the Leases of their nodes at real times, which differ between runs.
    if (namespace === 'kube-node-lease') return;
    this.#entries.push({
      ...this.#time,
      what: 'change',
      type,
      kind: object.kind,
      ...(namespace !== undefined && { namespace }),
      name: stableName(object),
      fields: type === 'MODIFIED' && old !== undefined ? changedFields(object, old) : [],
    });
  }
  get #time(): { readonly atMs?: number } {
    return this.#clock === undefined ? {} : { atMs: this.#clock.monotonicMs() };
  }
}
