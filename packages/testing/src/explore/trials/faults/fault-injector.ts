import type { Clock } from '@kubewright/api/clock';
import type {
  ApiServer,
  FaultPlan,
  PlannedRequest,
  PlannedWatchEvent,
  RequestFault,
  WatchFault,
} from '@kubewright/apiserver';
import { isOfManager } from '../../../quiescence/request-ledger.js';
import { type WriteName, WriteNames, writeNameText } from '../../../writes/write-name.js';
import { ChangeNames } from './change-names.js';
import { CrashSwitch } from './crash-switch.js';
import { ExternalCalls } from './external-calls.js';
import type { Fault } from './fault.js';
import type { FaultPoints } from './fault-points.js';
import { HeldWatches } from './held-watches.js';
import { RequestFaults } from './request-faults.js';
import { StaleReads } from './stale-reads.js';

/** The resources of writes that are not part of the state of a world. */
const REPORTING = new Set(['events', 'leases', 'selfsubjectaccessreviews', 'selfsubjectrulesreviews']);

/** The options of a `FaultInjector`. */
export interface FaultInjectorOptions {
  readonly faults: readonly Fault[];
  readonly clock: Clock;
  /** Whether to name the changes that the operator receives, for `points`. */
  readonly recordsChanges: boolean;
  /** The writes of earlier steps. The numbers in the names of later writes continue after these writes. @default none */
  readonly earlier?: readonly WriteName[];
}

/** Records the requests of an operator, and injects the faults of a trial into requests, watches and calls of external systems. */
export class FaultInjector implements FaultPlan {
  readonly crash = new CrashSwitch();
  readonly calls: ExternalCalls;
  readonly #crashes: ReadonlyMap<string, 'before' | 'after'>;
  readonly #isReversed: boolean;
  readonly #requests: RequestFaults;
  readonly #held: HeldWatches;
  readonly #stale: StaleReads;
  readonly #names: WriteNames;
  readonly #changes = new ChangeNames();
  readonly #namesChanges: boolean;
  readonly #writes: WriteName[] = [];
  readonly #resources = new Set<string>();

  constructor({ faults, clock, recordsChanges, earlier = [] }: FaultInjectorOptions) {
    this.#names = new WriteNames(earlier);
    this.#crashes = new Map(
      faults.flatMap((fault) => (fault.kind === 'crash' && 'write' in fault ? [[fault.write, fault.at] as const] : [])),
    );
    this.#isReversed = faults.some(({ kind }) => kind === 'order');
    this.calls = new ExternalCalls(faults, this.crash);
    this.#requests = new RequestFaults(faults);
    this.#held = new HeldWatches(faults, this.#changes, clock);
    this.#stale = new StaleReads(faults, clock);
    this.#namesChanges = recordsChanges || this.#held.needsNames || this.#stale.needsNames;
  }

  /** Sets the server that the faults change, and whose changes get names. */
  follow(server: ApiServer): void {
    this.#changes.follow(server);
    this.#requests.follow(server);
  }
  /** Records that the operator starts again. */
  onStart(): void {
    this.#stale.onStart();
  }

  /** Whether the server still holds events for the operator, or is behind. */
  get isHolding(): boolean {
    return this.#held.isHolding || this.#stale.isBehind;
  }
  /** Returns the writes since the previous call. */
  take(): readonly WriteName[] {
    return this.#writes.splice(0);
  }
  /** The points so far at which faults can occur, except for the writes. */
  get points(): FaultPoints {
    return {
      reads: this.#requests.reads,
      changes: this.#changes.all,
      resources: [...this.#resources],
      calls: this.calls.all,
      unled: this.#requests.unled,
    };
  }

  onRequest(request: PlannedRequest): RequestFault | undefined {
    if (!isOfManager(request.id)) return undefined;
    if (this.crash.isCrashed) return { kind: 'cut', after: 'none' };
    if (REPORTING.has(request.resource)) return undefined;
    const write = this.#names.next(request);
    return write === undefined ? this.#onRead(request) : this.#onWrite(request, write);
  }

  onWatchEvent(event: PlannedWatchEvent): WatchFault | undefined {
    if (!isOfManager(event.id)) return undefined;
    if (this.crash.isCrashed) return { kind: 'cut', midEvent: true };
    const { version, resource } = event;
    if (version === undefined || REPORTING.has(resource)) return undefined;
    this.#resources.add(resource);
    if (this.#namesChanges) {
      const name = this.#changes.at(version);
      if (name !== undefined) this.#stale.note(name, version);
    }
    return this.#stale.onEvent(event, version) ?? this.#held.onEvent(event, version);
  }

  #onRead(request: PlannedRequest): RequestFault | undefined {
    const fault = this.#stale.onRequest(request) ?? this.#requests.onRead(request);
    if (fault !== undefined || !this.#isReversed) return fault;
    return request.verb === 'get' ? undefined : { kind: 'reverse' };
  }

  #onWrite(request: PlannedRequest, write: WriteName): RequestFault | undefined {
    const name = writeNameText(write);
    const at = this.#crashes.get(name);
    this.#writes.push(write);
    if (at === undefined) return this.#requests.onWrite(request, name);
    this.crash.crash();
    return { kind: 'cut', after: at === 'after' ? 'write' : 'none' };
  }
}
