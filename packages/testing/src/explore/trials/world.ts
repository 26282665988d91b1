import type { KindRef, KubeObject, ObjectKey } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { kindOf } from '@kubewright/api/metadata';
import { ignoreNotFound, type Manager } from '@kubewright/runtime';
import { FakeClock } from '../../fake-clock.js';
import { TestEnvironment } from '../../test-environment.js';
import { whileTimePasses } from '../../while-time-passes.js';
import type { TraceEntry } from '../../trace/trace-entry.js';
import type { WriteName } from '../../writes/write-name.js';
import type { ExternalSystem } from '../external-system.js';
import type { OperatorUnderTest } from '../operator-under-test.js';
import { isWrittenByOperator } from '../state/operator-fields.js';
import { nameOf, objectName, stableNameOf, type StoredObject } from '../state/stored-object.js';
import { stateDifferences } from '../state/state-differences.js';
import { isDerived, type WorldState, worldState } from '../state/world-state.js';
import { ClusterState } from './faults/cluster-state.js';
import type { Fault } from './faults/fault.js';
import { FaultInjector } from './faults/fault-injector.js';
import type { FaultPoints } from './faults/fault-points.js';
import { type ReconcileError, ReconcileErrors } from './reconcile-errors.js';
import { Stranger } from './stranger.js';

/** The key of the object that a trial explores. If the kind is not namespaced, the object has only the name. */
export const SUBJECT = { namespace: 'default', name: 'subject' } as const;
/** The name of another object of the same kind. */
export const OTHER = 'other';

/** The steps of virtual time in seconds in which a world converges. The world must stay quiet during the last step. */
const TIME_STEPS_S = [1, 5, 15];
/** The maximum time in seconds that the deletion of an object takes before the object is created again. */
const DELETION_S = 60;
/** The steps in seconds in which a converged world waits. */
const WAIT_STEP_S = 60;
/** The virtual time in seconds after which a world that still changes counts as not converging. */
const LIMIT_S = 30 * 60;
/** The time in milliseconds that a trial waits until a new instance of the operator becomes the leader after another replica. */
const ELECTION_MS = 30_000;
/** Kinds whose changes are not part of convergence: leases are always renewed, and events may report earlier changes. */
const RESTLESS = new Set(['Event', 'Lease']);
/** The components of a cluster that record events. */
const CLUSTER_REPORTERS = new Set(['kubelet', 'default-scheduler', 'kube-scheduler', 'persistentvolume-controller']);

/** The versions of objects by their uids. */
export type Versions = ReadonlyMap<string, ObjectVersion>;

/** The version of an object. */
export interface ObjectVersion {
  readonly name: string;
  /** The name with '*' instead of the generated part. */
  readonly stableName: string;
  readonly version: string;
  /** Whether a controller of the cluster, instead of the operator, writes the object. */
  readonly isDerived: boolean;
}

/** The reason why a world did not converge. */
export interface Unconverged {
  /** The objects that still change, or the pending work. */
  readonly changing: readonly string[];
}

/** The options of a world. */
export interface WorldOptions {
  /** The faults of the trial. After a crash, the operator starts again. @default none */
  readonly faults?: readonly Fault[] | undefined;
  /** Whether to record the changes that the operator receives. @default false */
  readonly recordsChanges?: boolean | undefined;
  /** The time at the start. @default the start of a `FakeClock` */
  readonly start?: string | undefined;
  /** Whether to record a trace. @default false */
  readonly trace?: boolean | undefined;
}

/** An API server with an operator, in which the clock moves only when the trial lets time pass. */
export class World implements AsyncDisposable {
  readonly #operator: OperatorUnderTest;
  readonly #subject: KindRef;
  readonly #env: TestEnvironment;
  readonly #clock: FakeClock;
  readonly #faults: FaultInjector;
  readonly #cluster: ClusterState;
  readonly #elects: boolean;
  readonly #errors = new ReconcileErrors();
  readonly #external: readonly ExternalSystem[];
  readonly #stranger: Stranger;
  #initial: ReadonlySet<string> = new Set();
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
      readonly injector: FaultInjector;
      readonly faults: readonly Fault[];
    },
  ) {
    this.#operator = operator;
    this.#subject = subject;
    this.#external = operator.external?.() ?? [];
    const { env, clock, injector, faults } = using;
    this.#env = env;
    this.#clock = clock;
    this.#faults = injector;
    this.#elects = faults.some(({ kind }) => kind === 'lease');
    const { server, client } = env;
    this.#cluster = new ClusterState(faults, { server, client, objects: operator.objects ?? [], subject });
    injector.follow(server);
    this.#stranger = new Stranger(client, () => this.objects());
  }

  /**
   * Starts a server with the operator, and waits until the operator is idle.
   *
   * @param subject the kind of the object that the steps of the trial declare
   */
  static async start(
    operator: OperatorUnderTest,
    subject: KindRef,
    { faults = [], recordsChanges = false, start, trace = false }: WorldOptions = {},
  ): Promise<World> {
    const late = faults.find((fault) => fault.kind === 'clock');
    const clock = new FakeClock(start ?? late?.start, { seed: start ?? 'explore' });
    const injector = new FaultInjector({ faults, clock, recordsChanges });
    const { kinds, objects = [] } = operator;
    const env = await TestEnvironment.start({
      kinds,
      objects,
      workloads: true,
      clock,
      faults: injector,
      transport: 'in-process',
      trace,
    });
    const world = new World(operator, subject, { env, clock, injector, faults });
    try {
      await world.startOperator();
      await world.converge();
      world.#initial = new Set(world.objects().map(({ metadata }) => metadata.uid));
      return world;
    } catch (error) {
      await world[Symbol.asyncDispose]();
      throw error;
    }
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
    return this.#operator.objects?.find(({ kind, metadata }) => objectName(kind, metadata) === name);
  }

  /** Starts the operator. Does nothing if the operator runs. */
  async startOperator(): Promise<void> {
    if (this.#manager !== undefined) return;
    const { controllers, manager: given, prepare } = this.#operator;
    const leaderElection = this.#elects ? { name: 'explored-operator', namespace: SUBJECT.namespace } : false;
    const options = { ...given, logger: this.#errors, gracePeriod: '0s', leaderElection } as const;
    const manager = this.#env.manager(options, { rbac: 'derived' });
    const provided = this.#faults.calls.providing(manager);
    for (const system of this.#external) system.provide(provided);
    prepare?.(manager);
    manager.add(...controllers);
    this.#manager = manager;
    this.#faults.onStart();
    if (this.#elects) {
      manager.stopped.catch(() => {
        this.#hasLostLease = manager === this.#manager;
      });
    }
    await whileTimePasses(this.#clock, manager.start());
  }

  /** Stops the operator. Does nothing if the operator does not run. */
  async stopOperator(): Promise<void> {
    const manager = this.#manager;
    this.#manager = undefined;
    if (manager !== undefined)
      await whileTimePasses(
        this.#clock,
        manager.stop().catch(() => undefined),
      );
  }

  /**
   * Lets time pass until the operator has converged: the content of the world stays the same, except for times. Returns a description of
   * the pending work if the operator does not converge.
   */
  async converge(): Promise<Unconverged | undefined> {
    let passedS = 0;
    for (let quiet = 0; quiet < TIME_STEPS_S.length; ) {
      const before = this.state();
      const stepS = TIME_STEPS_S[quiet] as number;
      const pending = await this.#pass(stepS);
      if (pending !== undefined) return pending;
      passedS += stepS;
      const changing = [...new Set(stateDifferences(before, this.state()).map(({ object }) => object))];
      quiet = changing.length === 0 && !this.#isDisturbed ? quiet + 1 : 0;
      if (changing.length > 0 && passedS > LIMIT_S) return { changing };
    }
    return undefined;
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
    for (let passedS = 0; passedS < seconds; passedS += WAIT_STEP_S) {
      await this.#pass(WAIT_STEP_S);
      if (changedObjects(before, this.versions()).some(({ isDerived }) => isDerived)) return;
    }
  }

  /** Returns the comparable content of the world without the objects that existed before the trial. */
  state(): WorldState {
    const all = this.objects();
    const objects = worldState(
      all.filter((object) => !this.#isSurrounding(object) && !this.#isDerived(object)),
      { all, isCustom: (object) => this.#isCustom(object) },
    );
    const systems = this.#external.map(
      (system, at) => [`external system ${at + 1}`, structuredClone(system.state())] as const,
    );
    return new Map([...objects, ...systems]);
  }

  /** Returns the events of the operator in sorted order. */
  events(): readonly string[] {
    const texts = this.objects().flatMap(({ kind, type, reason, note, message, reportingController, source }) => {
      const reporter = reportingController ?? source?.component ?? '';
      if (kind !== 'Event' || CLUSTER_REPORTERS.has(reporter)) return [];
      return [`${type} ${reason}: ${note ?? message}`];
    });
    return [...new Set(texts)].toSorted();
  }

  /** Whether the object of the trial exists. */
  get hasSubject(): boolean {
    const { kind } = kindOf(this.#subject);
    return this.objects().some((object) => object.kind === kind && object.metadata.name === SUBJECT.name);
  }

  /** Whether the operator runs. */
  get isRunning(): boolean {
    return this.#manager !== undefined;
  }

  /** Returns the versions of all objects of the trial by their uids. Omits leases and events. */
  versions(): Versions {
    return new Map(
      this.objects()
        .filter((object) => !RESTLESS.has(object.kind) && !this.#isSurrounding(object))
        .map((object) => [
          object.metadata.uid,
          {
            name: nameOf(object),
            stableName: stableNameOf(object),
            version: object.metadata.resourceVersion,
            isDerived: this.#isDerived(object),
          },
        ]),
    );
  }

  /** Returns the writes of the operator since the previous call. */
  takeWrites(): readonly WriteName[] {
    return this.#faults.take();
  }
  /** The points so far at which faults can occur. */
  get points(): FaultPoints {
    return this.#faults.points;
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
    return this.#faults.isHolding || this.#clock.monotonicMs() < this.#electedMs;
  }

  /** Advances the clock after the operator has settled. After a crash or the loss of the Lease, starts the operator again. */
  async #pass(seconds: number): Promise<Unconverged | undefined> {
    const { crash } = this.#faults;
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
    return undefined;
  }

  /** Whether the operator defines the kind of the object. */
  #isCustom({ kind }: StoredObject): boolean {
    return this.#operator.kinds.some((each) => kindOf(each).kind === kind);
  }
  #isDerived(object: StoredObject): boolean {
    return isDerived(object, this.#isCustom(object));
  }
  /** Whether the object is not part of the comparison, because neither a step nor the operator created it. */
  #isSurrounding(object: StoredObject): boolean {
    const { metadata, kind } = object;
    const name = nameOf(object);
    if (this.#initial.has(metadata.uid) || this.#stranger.copies.has(name) || this.surrounding(name) !== undefined)
      return true;
    const isOfEnvironment = metadata.managedFields?.some(({ manager }) => manager === 'kubewright-test') === true;
    return isOfEnvironment && !isWrittenByOperator(object) && kind !== kindOf(this.#subject).kind;
  }

  #key(name: string): ObjectKey {
    const { namespace } = SUBJECT;
    return kindOf(this.#subject).namespaced === false ? { name } : { name, namespace };
  }

  /** Returns all objects of the server. */
  objects(): readonly StoredObject[] {
    const { registry } = this.#env.server;
    return registry
      .stored()
      .flatMap((definition) => registry.resource(definition).list().items) as unknown as readonly StoredObject[];
  }
}

function unconverged(error: unknown): Unconverged {
  if (error instanceof KubewrightError && error.code === 'NOT_SETTLED') return { changing: [error.message] };
  throw error;
}

/**
 * Returns the names of the objects that the operator changed. Returns no names if the cluster changed an object as well, for example
 * because the schedule of a CronJob was due: the operator may react to this change.
 */
export function changesByOperator(
  { before, after }: { readonly before: Versions; readonly after: Versions },
  writes: readonly WriteName[],
): readonly string[] {
  const written = new Set(writes.map(({ kind, namespace, name = '' }) => objectName(kind, { namespace, name })));
  const changed = changedObjects(before, after);
  const isByCluster = changed.some(({ name, isDerived }) => isDerived || !written.has(name));
  return isByCluster ? [] : changed.map(({ name }) => name);
}

/** Returns the names of the objects of the operator that were deleted, even if objects with the same names exist again. */
export function deletedObjects({
  before,
  after,
}: {
  readonly before: Versions;
  readonly after: Versions;
}): readonly string[] {
  return [...before].flatMap(([uid, { stableName, isDerived }]) => (isDerived || after.has(uid) ? [] : [stableName]));
}

/** Returns the objects that were created, changed or deleted. */
function changedObjects(before: Versions, after: Versions): readonly ObjectVersion[] {
  const uids = [...new Set([...before.keys(), ...after.keys()])];
  const changed = uids.filter((uid) => before.get(uid)?.version !== after.get(uid)?.version);
  return changed.flatMap((uid) => after.get(uid) ?? before.get(uid) ?? []);
}
