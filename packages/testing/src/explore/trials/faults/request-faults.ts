import { microTime } from '@kubewright/api/clock';
import type { ApiServer, PlannedRequest, RequestFault } from '@kubewright/apiserver';
import { STRANGER } from '../../state/operator-fields.js';
import type { Fault, RequestFailure } from './fault.js';

/** The key of the Lease of the operator in a trial with the fault `lease`. */
export const OPERATOR_LEASE = { namespace: 'default', name: 'explored-operator' } as const;
/** The identity of the replica that takes the Lease. */
const RIVAL = 'another-replica';
/** The bucket of the Leases in the store. */
const LEASES = 'coordination.k8s.io/leases';

interface ObjectMetadata {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly managedFields?: readonly { readonly manager?: string }[];
}

/** Injects all faults at named requests except crashes. */
export class RequestFaults {
  readonly #failures: readonly RequestFailure[];
  readonly #leases: ReadonlySet<string>;
  readonly #reads = new Map<string, number>();
  readonly #names: string[] = [];
  readonly #unled: string[] = [];
  #server: ApiServer | undefined;
  /** The name of the instance of the operator that lost the Lease. */
  #loser: string | undefined;

  constructor(faults: readonly Fault[]) {
    this.#failures = faults.filter((fault) => fault.kind === 'request');
    this.#leases = new Set(faults.flatMap((fault) => (fault.kind === 'lease' ? [fault.write] : [])));
  }

  /** The names of the reads, such as 'get secrets/default/ca #1', in the order of the requests. */
  get reads(): readonly string[] {
    return this.#names;
  }

  /** The names of the writes of a later instance of the operator while another replica was the leader. */
  get unled(): readonly string[] {
    return this.#unled;
  }

  /** Sets the server whose objects the faults change. */
  follow(server: ApiServer): void {
    this.#server = server;
  }

  /** Returns the fault of a write with this name. If the fault `lease` occurs at this write, makes another replica the leader. */
  onWrite(request: PlannedRequest, name: string): RequestFault | undefined {
    const instance = request.id?.replace(/-\d+$/, '');
    if (this.#leases.has(name)) {
      this.#loser = instance;
      this.#takeLease();
    } else if (this.#loser !== undefined && instance !== this.#loser && this.#isLedByRival) {
      this.#unled.push(name);
    }
    return this.#fault(request, name);
  }
  /** Returns the fault of a get or a list. */
  onRead(request: PlannedRequest): RequestFault | undefined {
    const { verb, resource, namespace, name } = request;
    if (verb !== 'get' && verb !== 'list') return undefined;
    const text = `${verb} ${[resource, namespace, name ?? '*'].filter((part) => part !== undefined).join('/')}`;
    const count = (this.#reads.get(text) ?? 0) + 1;
    this.#reads.set(text, count);
    this.#names.push(`${text} #${count}`);
    return this.#fault(request, `${text} #${count}`);
  }

  #fault(request: PlannedRequest, name: string): RequestFault | undefined {
    const fault = this.#failures.find((each) => each.request === name);
    switch (fault?.failure) {
      case undefined:
        return undefined;
      case 'conflict':
        this.#changeObject(request);
        return undefined;
      case 'throttled':
        return { kind: 'status', code: 429, retryAfterSeconds: 1 };
      case 'error':
        return { kind: 'status', code: 500 };
      case 'unavailable':
        return { kind: 'status', code: 503 };
      case 'lost':
        return { kind: 'cut', after: 'write' };
    }
  }

  /** Changes an annotation of the object of a write, as another client does. */
  #changeObject({ resource, namespace, name, write }: PlannedRequest): void {
    if (name === undefined || this.#server === undefined) return;
    const { registry, store } = this.#server;
    const definition = registry.stored().find(({ plural, kind }) => plural === resource && kind === write?.kind);
    const object = definition && store.get(definition.storageBucket, { namespace, name });
    if (definition === undefined || object === undefined) return;
    const { annotations, managedFields = [] } = object.metadata as ObjectMetadata;
    const entry = {
      manager: STRANGER,
      operation: 'Update',
      apiVersion: definition.apiVersion,
      time: registry.clock
        .now()
        .toISOString()
        .replace(/\.\d+Z$/, 'Z'),
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:metadata': { 'f:annotations': { 'f:kubewright.dev/noted-by': {} } } },
    };
    const metadata = {
      ...object.metadata,
      annotations: { ...annotations, 'kubewright.dev/noted-by': STRANGER },
      managedFields: [...managedFields.filter(({ manager }) => manager !== STRANGER), entry],
    };
    store.update(definition.storageBucket, { ...object, metadata });
  }

  get #isLedByRival(): boolean {
    const lease = this.#server?.store.get(LEASES, OPERATOR_LEASE);
    return (lease?.['spec'] as { readonly holderIdentity?: string } | undefined)?.holderIdentity === RIVAL;
  }

  /** Makes another replica the holder of the Lease of the operator. The server has further Leases, such as its own. */
  #takeLease(): void {
    if (this.#server === undefined) return;
    const { store, registry } = this.#server;
    const lease = store.get(LEASES, OPERATOR_LEASE);
    if (lease === undefined) return;
    const now = microTime(registry.clock.now());
    const spec = { ...(lease['spec'] as object), holderIdentity: RIVAL, acquireTime: now, renewTime: now };
    store.update(LEASES, { ...lease, spec });
  }
}
