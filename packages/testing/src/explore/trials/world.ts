import type { KindRef, KubeObject, ObjectKey } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { kindOf } from '@kubewright/api/metadata';
import type { ApiServer } from '@kubewright/apiserver';
import { ignoreNotFound, type Manager } from '@kubewright/runtime';
import { FakeClock } from '../../fake-clock.js';
import { TestEnvironment } from '../../test-environment.js';
import type { TraceEntry } from '../../trace/trace-entry.js';
import type { WriteName } from '../../writes/write-name.js';
import type { ExternalSystem } from '../external-system.js';
import type { OperatorUnderTest } from '../operator-under-test.js';
import type { StoredObject } from '../state/stored-object.js';
import { stateDifferences } from '../state/state-differences.js';
import type { WorldState } from '../state/world-state.js';
import { endOfWork } from './end-of-work.js';
import { ClusterState } from './faults/cluster-state.js';
import type { Fault } from './faults/fault.js';
import { FaultInjector } from './faults/fault-injector.js';
import type { FaultPoints } from './faults/fault-points.js';
import { OPERATOR_LEASE } from './faults/request-faults.js';
import { changedObjects, type Versions } from './object-versions.js';
import { type ReconcileError, ReconcileErrors } from './reconcile-errors.js';
import { ReplaceableFaults } from './replaceable-faults.js';
import type { StoredContent } from './stored-objects.js';
import { Stranger } from './stranger.js';
import { WorldObjects } from './world-objects.js';

/** The key of the object that a trial explores. If the kind is not namespaced, the object has only the name. */
export const SUBJECT = { namespace: 'default', name: 'subject' } as const;
/** The name of another object of the same kind. */
export const OTHER = 'other';

/** The steps of virtual time in seconds in which a world must stay quiet, and the time from the start of each step to the last end. */
const TIME_STEPS = [
  { stepS: 1, restS: 21 },
  { stepS: 5, restS: 20 },
  { stepS: 15, restS: 15 },
] as const;
/** The maximum time in seconds that the deletion of an object takes before the object is created again. */
const DELETION_S = 60;
/** The steps in seconds in which a converged world waits. */
const WAIT_STEP_S = 60;
/** The virtual time in seconds after which a world that still changes counts as not converging. */
const LIMIT_S = 30 * 60;
/** The time in milliseconds that a trial waits until a new instance of the operator becomes the leader after another replica. */
const ELECTION_MS = 30_000;

/** The reason why a world did not converge. */
export interface Unconverged {
  /** The objects that still change, or the pending work. */
  readonly changing: readonly string[];
}

/** The state of a world at one time, to which the world can return. */
export interface Moment {
  readonly content: StoredContent;
  readonly time: Date;
  readonly state: WorldState;
  /** The uids of the objects that existed before the trial. */
  readonly initial: ReadonlySet<string>;
}

/** What happens in a world, and what is recorded, during one trial. */
export interface Disturbance {
  /** The faults of the trial. After a crash, the operator starts again. @default none */
  readonly faults?: readonly Fault[] | undefined;
  /** Whether to record the changes that the operator receives. @default false */
  readonly recordsChanges?: boolean | undefined;
}

/** The options of a world. */
export interface WorldOptions extends Disturbance {
  /** The time at the start. @default the start of a `FakeClock` */
  readonly start?: string | undefined;
  /** Whether to record a trace. @default false */
  readonly trace?: boolean | undefined;
  /** Called before the operator starts, for example to record the requests. @default not called */
  readonly onServer?: ((server: ApiServer) => void) | undefined;
}

/** An API server with an operator, in which the clock moves only when the trial lets time pass. */
export class World implements AsyncDisposable {
  readonly #operator: OperatorUnderTest;
  readonly #subject: KindRef;
  readonly #env: TestEnvironment;
  readonly #clock: FakeClock;
  readonly #plan: ReplaceableFaults;
  readonly #cluster: ClusterState;
  /** Whether the operator takes part in a leader election. */
  readonly hasElection: boolean;
  readonly #errors = new ReconcileErrors();
  readonly #stranger: Stranger;
  readonly #objects: WorldObjects;
  /** The state before the first start of the operator. */
  readonly #empty: Moment;
  #external: readonly ExternalSystem[] = [];
  #manager: Manager | undefined;
  /** Whether the operator has stopped because another replica is the leader. */
  #hasLostLease = false;
  #electedMs = 0;

  private constructor(
    operator: OperatorUnderTest,
    subject: KindRef,
    using: {
      readonly env: TestEnvironment;
      readonly clock: FakeClock;
      readonly plan: ReplaceableFaults;
      readonly faults: readonly Fault[];
    },
  ) {
    this.#operator = operator;
    this.#subject = subject;
    const { env, clock, plan, faults } = using;
    this.#env = env;
    this.#clock = clock;
    this.#plan = plan;
    this.hasElection = faults.some(({ kind }) => kind === 'lease');
    const { server, client } = env;
    this.#cluster = new ClusterState(faults, { server, client, objects: operator.objects ?? [], subject });
    plan.current.follow(server);
    this.#stranger = new Stranger(client, () => this.objects());
    this.#objects = new WorldObjects({
      store: server.store,
      operator,
      subject,
      copies: () => this.#stranger.copies,
    });
    this.#empty = this.moment();
  }

  /**
   * Starts a server with the operator, and waits until the operator is idle.
   *
   * @param subject the kind of the object that the steps of the trial declare
   */
  static async start(
    operator: OperatorUnderTest,
    subject: KindRef,
    { faults = [], recordsChanges = false, start, trace = false, onServer }: WorldOptions = {},
  ): Promise<World> {
    const late = faults.find((fault) => fault.kind === 'clock');
    const clock = new FakeClock(start ?? late?.start, { seed: start ?? 'explore' });
    const plan = new ReplaceableFaults(new FaultInjector({ faults, clock, recordsChanges }));
    const { kinds, objects = [] } = operator;
    const env = await TestEnvironment.start({
      kinds,
      objects,
      workloads: true,
      clock,
      faults: plan,
      transport: 'in-process',
      trace,
    });
    onServer?.(env.server);
    const world = new World(operator, subject, { env, clock, plan, faults });
    try {
      await world.#startEmpty();
      return world;
    } catch (error) {
      await world[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Starts the operator with new external systems, and waits until the operator is idle. */
  async #startEmpty(): Promise<void> {
    this.#external = this.#operator.external?.() ?? [];
    await this.startOperator();
    await this.converge();
    this.#objects.initial = new Set(this.objects().map(({ metadata }) => metadata.uid));
  }

  /** Returns the current state. */
  moment(): Moment {
    const { initial } = this.#objects;
    return { content: this.#objects.content(), time: this.#clock.now(), state: this.state(), initial };
  }

  /**
   * Returns to the state before the first start of the operator, and starts the operator for another trial. Then, the world has the same
   * content as a new world, except for resourceVersions and for values that the server chooses.
   */
  async reset(disturbance: Disturbance = {}): Promise<void> {
    this.begin();
    await this.stopOperator();
    await this.#return(this.#empty);
    this.begin(disturbance);
    await this.#startEmpty();
    this.takeErrors();
  }

  /**
   * Returns to an earlier state. The operator continues to run, and observes the changes as writes of another client. Resolves with false
   * if the operator then fails, or if it does not keep this state.
   */
  async return(moment: Moment): Promise<boolean> {
    this.begin();
    await this.#return(moment);
    if (!this.isRunning) {
      await this.startOperator();
      await this.#env.settled();
      this.takeWrites();
    }
    this.takeErrors();
    return !this.isFailing && stateDifferences(this.state(), moment.state).length === 0;
  }

  /**
   * Begins another trial in the current state. The faults of an earlier trial, and what it recorded, have no effect on this trial.
   * @param disturbance the trial has no faults of the kinds `clock`, `cluster` and `lease`, which need a new world
   * @param earlier the writes of the steps that the trial does not repeat. @default none
   */
  begin({ faults = [], recordsChanges = false }: Disturbance = {}, earlier: readonly WriteName[] = []): void {
    this.#plan.current = new FaultInjector({ faults, clock: this.#clock, recordsChanges, earlier });
    this.#plan.current.follow(this.#env.server);
  }

  /**
   * Creates the object of the trial, or replaces its spec. With another name, this is another object of the same kind. If the object is
   * being deleted, first waits until it no longer exists.
   */
  async declare(spec: unknown, name: string = SUBJECT.name): Promise<void> {
    const key = this.#key(name);
    const find = () => this.#env.client.live.find(this.#subject, key);
    let current = await find();
    for (let passedS = 0; current?.metadata.deletionTimestamp !== undefined && passedS < DELETION_S; passedS++) {
      await this.#pass(1);
      current = await find();
    }
    const { apiVersion, kind } = kindOf(this.#subject);
    if (current === undefined) {
      await this.#env.client.create({ apiVersion, kind, metadata: key, spec } as unknown as KubeObject);
      return;
    }
    await this.#env.client.update({ ...current, spec } as KubeObject);
  }

  /** Deletes the object of the trial, or the object with the given name. */
  async delete(name: string = SUBJECT.name): Promise<void> {
    const current = await this.#env.client.live.find(this.#subject, this.#key(name));
    if (current !== undefined) await this.#env.client.delete(current).catch(ignoreNotFound);
  }

  /** The stranger who changes the objects of the operator. */
  get stranger(): Stranger {
    return this.#stranger;
  }

  /** Returns the object with this name among the objects that exist before the trial starts, without the fields that the server sets. */
  surrounding(name: string): KubeObject | undefined {
    return this.#objects.surrounding(name);
  }

  /** Starts the operator. Does nothing if the operator runs. */
  async startOperator(): Promise<void> {
    if (this.#manager !== undefined) return;
    const { controllers, manager: given, prepare } = this.#operator;
    const leaderElection = this.hasElection ? OPERATOR_LEASE : false;
    const options = { ...given, logger: this.#errors, gracePeriod: '0s', leaderElection } as const;
    const manager = this.#env.manager(options, { rbac: 'derived' });
    const provided = this.#plan.current.calls.providing(manager);
    for (const system of this.#external) system.provide(provided);
    prepare?.(manager);
    manager.add(...controllers);
    this.#manager = manager;
    this.#plan.current.onStart();
    if (this.hasElection) {
      manager.stopped.catch(() => {
        this.#hasLostLease = manager === this.#manager;
      });
    }
    await endOfWork(manager.start(), { env: this.#env, clock: this.#clock });
  }

  /** Stops the operator. Does nothing if the operator does not run. */
  async stopOperator(): Promise<void> {
    const manager = this.#manager;
    this.#manager = undefined;
    if (manager === undefined) return;
    const stopped = manager.stop().catch(() => undefined);
    await endOfWork(stopped, { env: this.#env, clock: this.#clock });
  }

  /**
   * Lets time pass until the operator has converged: the content of the world stays the same, except for times. Returns a description of
   * the pending work if the operator does not converge.
   */
  async converge(): Promise<Unconverged | undefined> {
    let passedS = 0;
    let pending = await this.#pass(0);
    for (let quiet = 0; pending === undefined; ) {
      const step = TIME_STEPS[quiet];
      if (step === undefined) break;
      if (this.#isIdleFor(step.restS)) return this.#pass(step.restS);
      const { stepS } = step;
      const before = this.state();
      pending = await this.#pass(stepS);
      if (pending !== undefined) break;
      passedS += stepS;
      const after = this.state();
      const changing =
        after === before ? [] : [...new Set(stateDifferences(before, after).map(({ object }) => object))];
      quiet = changing.length === 0 && !this.#isDisturbed ? quiet + 1 : 0;
      if (changing.length > 0 && passedS > LIMIT_S) pending = { changing };
    }
    return pending;
  }

  /** Begins the problems of the cluster. */
  async beginProblems(): Promise<void> {
    await this.#cluster.begin();
  }
  /**
   * Waits until the operator has reacted to the problems of the cluster, ends the problems, and waits until no retry is due. Returns the
   * reason if the operator does not converge before the end. Does nothing without problems.
   */
  async endProblems(): Promise<Unconverged | undefined> {
    if (!this.#cluster.hasProblem) return undefined;
    const unconverged = await this.converge();
    await this.#cluster.end();
    for (let passedS = 0; this.isFailing && passedS < LIMIT_S; passedS += WAIT_STEP_S) await this.#pass(WAIT_STEP_S);
    return unconverged;
  }

  /** Advances the clock by the given seconds, without waiting for convergence. */
  async pass(seconds: number): Promise<void> {
    await this.#pass(seconds);
  }

  /** Advances the clock until the cluster changes an object, at most by the given seconds. */
  async wait(seconds: number): Promise<void> {
    const before = this.versions();
    await this.#pass(0);
    for (let passedS = 0; passedS < seconds && !this.#isIdleFor(seconds - passedS); passedS += WAIT_STEP_S) {
      await this.#pass(WAIT_STEP_S);
      if (changedObjects(before, this.versions()).some(({ isDerived }) => isDerived)) return;
    }
  }

  /** Returns the comparable content of the world without the objects that existed before the trial. */
  state(): WorldState {
    const objects = this.#objects.state();
    if (this.#external.length === 0) return objects;
    const systems = this.#external.map(
      (system, at) => [`external system ${at + 1}`, structuredClone(system.state())] as const,
    );
    return new Map([...objects, ...systems]);
  }

  /** Returns the events of the operator in sorted order. */
  events(): readonly string[] {
    return this.#objects.events();
  }

  /** Whether the object of the trial exists. */
  get hasSubject(): boolean {
    return this.#objects.hasSubject(SUBJECT.name);
  }

  /** Whether the operator runs. */
  get isRunning(): boolean {
    return this.#manager !== undefined;
  }

  /** Returns the versions of all objects of the trial by their uids. Omits leases and events. */
  versions(): Versions {
    return this.#objects.versions();
  }

  /** Returns the writes of the operator since the previous call. */
  takeWrites(): readonly WriteName[] {
    return this.#plan.current.take();
  }
  /** The points so far at which faults can occur. */
  get points(): FaultPoints {
    return this.#plan.current.points;
  }
  /** What happened since the start, if the trace is recorded. */
  get trace(): readonly TraceEntry[] {
    return this.#env.trace;
  }
  /** Returns the errors of reconciles since the previous call. */
  takeErrors(): readonly ReconcileError[] {
    return this.#errors.take();
  }
  /** Whether a retry of a failed reconcile is due within half an hour. */
  get isFailing(): boolean {
    return (this.#manager?.pending({ retriesWithinMs: LIMIT_S * 1000 }).length ?? 0) > 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#env[Symbol.asyncDispose]();
  }

  /** Whether a fault has not ended yet, so that a quiet world has not converged. */
  get #isDisturbed(): boolean {
    return this.#plan.current.isHolding || this.#clock.monotonicMs() < this.#electedMs;
  }

  /**
   * Whether nothing happens within the given time: no fault lasts, and neither the operator nor the cluster waits for a timer in this time.
   */
  #isIdleFor(seconds: number): boolean {
    return !this.#isDisturbed && this.#clock.msToNextTimer > seconds * 1000;
  }

  /** Advances the clock after the operator has settled. After a crash or the loss of the Lease, starts the operator again. */
  async #pass(seconds: number): Promise<Unconverged | undefined> {
    const { crash } = this.#plan.current;
    const crashed = crash.crashed().then(() => 'crashed' as const);
    const passed = this.#clock.advance(`${seconds}s`).then(() => undefined, unconverged);
    const end = await Promise.race([crashed, passed]);
    if (end !== 'crashed' && !crash.isCrashed && !this.#hasLostLease) return end;
    await this.stopOperator();
    await passed;
    if (this.#hasLostLease) this.#electedMs = this.#clock.monotonicMs() + ELECTION_MS;
    this.#hasLostLease = false;
    crash.restart();
    await this.startOperator();
    return this.#pass(0);
  }

  #key(name: string): ObjectKey {
    const { namespace } = SUBJECT;
    return kindOf(this.#subject).namespaced === false ? { name } : { name, namespace };
  }

  /** Returns all objects of the server. */
  objects(): readonly StoredObject[] {
    return this.#objects.all;
  }

  /** Writes the objects of an earlier state, and waits until nothing happens. The operator must be idle or stopped. */
  async #return({ content, time, initial }: Moment): Promise<void> {
    this.#clock.setTime(time);
    this.#objects.initial = initial;
    this.#objects.restore(content, this.#empty.content);
    await this.#env.settled();
    this.takeWrites();
  }
}

function unconverged(error: unknown): Unconverged {
  if (error instanceof KubewrightError && error.code === 'NOT_SETTLED') return { changing: [error.message] };
  throw error;
}
