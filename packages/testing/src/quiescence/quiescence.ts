import type { Clock } from '@kubewright/api/clock';
import type { KubeObject } from '@kubewright/api';
import type { Manager } from '@kubewright/runtime';
import {
  AsyncVariable,
  type InformerCache,
  type ObservedRun,
  REPORT,
  type WatchedScope,
} from '@kubewright/runtime/internal';
import { FakeClock } from '../fake-clock.js';
import type { Trace } from '../trace/trace.js';
import type { TestServer } from '../test-server.js';
import { Activity } from './activity.js';
import { OutsideWork } from './outside-work.js';
import { managerName, RequestLedger } from './request-ledger.js';
import { RunCounts } from './run-counts.js';
import { runName } from './run-name.js';
import { settle, type Survey } from './settling.js';

/** The time in milliseconds within which the first retries of the back-off start, including the retries after a conflict. */
const QUICK_RETRY_MS = 100;

/** The options of a `Quiescence`. */
export interface QuiescenceOptions {
  readonly server: TestServer;
  /** The clock that the test moves. Undefined for the system clock. */
  readonly clock: Clock | undefined;
  /** The cache of the environment. */
  readonly cache: () => InformerCache;
  /** Throws the error that `settled` must report, such as MISSING_PERMISSION, if there is one. */
  readonly check: () => void;
  /** Records the requests and the reconciles. @default not recorded */
  readonly trace: Trace | undefined;
  /** Describes other unfinished work of the environment. */
  readonly others: () => readonly string[];
}

/** A client of the server: the environment itself, or a manager. */
interface ObservedClient {
  /** Undefined for the environment itself. */
  readonly manager: Manager | undefined;
  readonly ledger: RequestLedger;
  readonly scopes: () => readonly WatchedScope<KubeObject>[];
}

/** A list or a watch of an informer that is behind the server. */
interface ScopeBehind {
  readonly kind: string;
  /** Whether the informer waits before it sends the next request. */
  readonly isPaused: boolean;
  /** Whether the next change waits for the clock. */
  readonly isHeldBack: boolean;
  /** Whether the informer is certainly behind, because the server is in this process. */
  readonly isKnown: boolean;
}

/**
 * Determines when nothing happens in an environment until its clock advances. Each participant reports its own work: the server its
 * requests, its controllers and its delayed watches, the ledgers the requests in transit, the managers their queues and reconciles, and the
 * informers the state that they have received. No participant depends on how requests are transported.
 */
export class Quiescence {
  readonly activity = new Activity();
  readonly #options: QuiescenceOptions;
  readonly #clients: ObservedClient[] = [];
  readonly #stopped = new WeakSet<Manager>();
  #created = 0;
  readonly #counts = new RunCounts();
  readonly #outside = new OutsideWork(this.activity.note);
  readonly #checking = new AsyncVariable<true>();
  /** The number of activities when the environment was last found to be idle. Undefined if it was not idle. */
  #idleSince: number | undefined;

  constructor(options: QuiescenceOptions) {
    this.#options = options;
  }

  /** Returns an observer for the requests of the environment's own client. The client uses the given clock. */
  own(clock: Clock): RequestLedger {
    const ledger = this.#ledger('env', clock);
    this.#clients.push({ manager: undefined, ledger, scopes: () => this.#options.cache().scopes() });
    return ledger;
  }
  /** Creates a manager with an observer for its requests, and adds the manager to the environment. */
  manager(clock: Clock, create: (observer: RequestLedger) => Manager): Manager {
    this.#removeStopped();
    const ledger = this.#ledger(managerName(++this.#created), clock);
    const manager = create(ledger);
    this.#clients.push({ manager, ledger, scopes: () => manager[REPORT].scopes() });
    manager.onActivity(this.activity.note);
    const stopped = (): void => void this.#stopped.add(manager);
    manager.stopped.then(stopped, stopped);
    manager[REPORT].onRun(this.#onRun);
    if (this.#options.trace !== undefined) manager[REPORT].onRun(this.#options.trace.onRun);
    return manager;
  }
  /** The managers of the environment. Omits managers that had stopped when a later manager was created. */
  get managers(): readonly Manager[] {
    return this.#clients.flatMap(({ manager }) => manager ?? []);
  }

  /**
   * Resolves when nothing happens until the clock advances. Rejects with NOT_SETTLED, and with the errors of `check`.
   * @param hasChanged whether something that the environment does not observe, such as a timer of the clock, can have happened since the
   *   previous call. If false, resolves at once if the environment was idle and has recorded no activity since then. @default true
   */
  async settled(hasChanged = true): Promise<void> {
    const { server, check } = this.#options;
    check();
    if (!hasChanged && this.#idleSince === this.activity.count) return;
    this.#idleSince = undefined;
    this.#counts.reset();
    const isIdle = await settle({
      activity: this.activity,
      isBusy: () => this.#isBusy(),
      survey: () => this.#survey(),
      outside: () => this.#outside.pending(),
      prod: () => server.prod(),
      progress: () => this.#clients.reduce((sum, { ledger }) => sum + ledger.answered, this.#counts.ended),
      mostRuns: (atLeast) => this.#counts.most(atLeast),
      objects: () => server.objectCount(),
    });
    if (isIdle) this.#idleSince = this.activity.count;
  }
  close(): void {
    this.#outside.close();
  }

  /**
   * Whether the embedded server has work that does not wait for the clock, or a request is in transit. Returns false on the real clock and
   * for an external server, because their work is not known here.
   */
  #isBusy(): boolean {
    const { server, clock, check } = this.#options;
    if (clock === undefined || server.embedded === undefined) return false;
    check();
    if (server.pending({ timers: false }).length > 0) return true;
    const held = server.waiting();
    return this.#clients.some(({ ledger }) => ledger.inTransit(held).length > 0);
  }

  async #survey(): Promise<Survey> {
    const { check, others } = this.#options;
    check();
    const behind = await this.#behind();
    return this.#options.clock === undefined
      ? this.#onRealClock(behind, others())
      : this.#onGivenClock(behind, others());
  }

  /**
   * Returns the kinds whose readers are behind the server. The check of an external server sends requests. If such a request waits for the
   * clock, the result is empty, because the same faults then delay the readers.
   */
  async #behind(): Promise<readonly string[]> {
    const { server, cache } = this.#options;
    const found: { behind?: readonly string[] } = {};
    const checked = this.#checking.run(true, async () => {
      found.behind = await server.behind({ managers: this.managers, cache: cache() });
    });
    if (server.embedded === undefined) checked.catch(() => undefined);
    else await checked;
    while (found.behind === undefined) {
      const seen = this.activity.count;
      if (this.#clients.some(({ ledger }) => ledger.isCheckWaiting(server.waiting()))) return [];
      await Promise.race([checked, this.activity.since(seen)]);
    }
    return found.behind;
  }

  /** On the real clock, work that waits for a timer continues by itself. */
  #onRealClock(behind: readonly string[], others: readonly string[]): Survey {
    const reconciles = this.managers.flatMap((manager) => manager.pending({ retriesWithinMs: QUICK_RETRY_MS }));
    const busy = [...this.#options.server.pending(), ...others, ...reconciles, ...behind.map(changesOf)];
    return { busy, pending: [], waiting: [] };
  }

  #onGivenClock(behind: readonly string[], others: readonly string[]): Survey {
    const { server, clock } = this.#options;
    const held = server.waiting();
    const ofReconciles = server.embedded === undefined;
    const inTransit = this.#clients.flatMap(({ ledger }) => ledger.inTransit(held, { ofReconciles }));
    const waiting = this.#clients.flatMap(({ ledger }) => ledger.waiting(held));
    const scopes = this.#scopes(held);
    const sleeping = new Set(clock instanceof FakeClock ? clock.sleepingReconciles : []);
    return {
      busy: [...server.pending({ timers: false }), ...inTransit, ...deliveries(behind, scopes).map(changesOf)],
      pending: [...others, ...this.managers.flatMap((each) => each.pending()).filter((name) => !sleeping.has(name))],
      waiting: [
        ...waiting,
        ...scopes.filter(({ isPaused }) => isPaused).map(({ kind }) => `retry of the list of ${kind}`),
      ],
    };
  }

  /** Returns the lists and watches that are behind the server, or that may be behind it. */
  #scopes(held: ReadonlySet<string>): readonly ScopeBehind[] {
    const { server } = this.#options;
    return this.#clients.flatMap(({ ledger, scopes }) =>
      scopes()
        .filter((scope) => !server.hasReached(scope))
        .map((scope) => {
          const { kind, state } = scope.status;
          const isPaused = state.name === 'waiting' && ledger.isMoved;
          return {
            kind,
            isPaused,
            isHeldBack: isPaused || ledger.isWaiting(scope, held),
            isKnown: server.embedded !== undefined,
          };
        }),
    );
  }

  /** Removes the managers that have stopped and whose requests have ended, so that an environment can restart a manager many times. */
  #removeStopped(): void {
    for (const [at, { manager, ledger }] of [...this.#clients.entries()].toReversed()) {
      if (manager !== undefined && this.#stopped.has(manager) && ledger.isIdle) this.#clients.splice(at, 1);
    }
  }

  #ledger(name: string, clock: Clock): RequestLedger {
    return new RequestLedger({
      name,
      clock,
      isMoved: clock === this.#options.clock,
      isCheck: () => this.#checking.get() === true,
      onChange: this.activity.note,
      onSend: this.#options.trace?.onSend,
      onEnd: this.#options.trace?.onEnd,
      onWrite: (run, attempted) => this.#counts.wrote(run, attempted),
    });
  }
  readonly #onRun = (run: ObservedRun): void => {
    this.#counts.note(run);
    if (run.phase === 'ended') this.#outside.ended(runName(run.controller, run.object));
    this.activity.note();
  };
}

/**
 * Returns the kinds whose changes are in transit to a client or are being handled. `behind` contains the kinds that a client has not
 * handled completely.
 */
function deliveries(behind: readonly string[], scopes: readonly ScopeBehind[]): readonly string[] {
  const inTransit = scopes.filter(({ isKnown, isHeldBack }) => isKnown && !isHeldBack).map(({ kind }) => kind);
  // Without a delayed list or watch, the changes have been received, or an external server is sending them.
  const handled = behind.filter(
    (kind) => !scopes.some((scope) => scope.kind === kind && (scope.isKnown || scope.isHeldBack)),
  );
  return [...new Set([...inTransit, ...handled])];
}

function changesOf(kind: string): string {
  return `changes of ${kind}`;
}
