import type { KindRef } from '@kubewright/api';
import { isWriteText, writeNameText, type WriteName } from '../../writes/write-name.js';
import type { OperatorUnderTest } from '../operator-under-test.js';
import type { Fault, FaultKind } from './faults/fault.js';
import {
  type Conditions,
  runTrial,
  type TakenSteps,
  takeSteps,
  type Trial,
  type TrialResult,
  type TrialWorld,
} from './run-trial.js';
import { isOther, type Step } from './step.js';
import { type Moment, World, type WorldOptions } from './world.js';

/** The maximum number of states to which a world can return. */
const MOST_FORKS = 64;
/** The maximum number of trials in one world. The managers that have stopped take memory until the world ends. */
const MOST_TRIALS = 100;

/** The actions of trials that do not need a new world. */
const ACTIONS: ReadonlySet<Step['action']> = new Set(['declare', 'delete', 'stop', 'start', 'restart']);
/** The kinds of faults that do not need a new world. */
const FAULTS: ReadonlySet<FaultKind> = new Set(['crash', 'event', 'watch', 'stale', 'request', 'order']);

/** A converged state of a world after the first steps of a trial. */
interface Fork {
  readonly moment: Moment;
  readonly taken: TakenSteps;
  /** The writes of the operator since its start. */
  readonly writes: readonly WriteName[];
}

/**
 * Runs trials faster than `runTrial`. The trials use the same API server, which returns to an earlier state before each trial. A trial
 * whose first steps another trial has already taken starts from the state after these steps.
 *
 * The result of such a trial can differ from the result in a new world: resourceVersions and generated values differ, the memory of the
 * operator may contain other histories, and controllers of the cluster know deleted objects. A violated rule is therefore only a candidate,
 * which `runTrial` must reproduce. In the other direction, a forked trial can miss a bug that depends on the memory of the operator, if the
 * operator has restarted since it took the first steps. A `whole` trial takes all steps with an operator that has just started.
 */
export class ForkedTrials implements AsyncDisposable {
  readonly #operator: OperatorUnderTest;
  readonly #using: Pick<WorldOptions, 'onServer'>;
  readonly #forks = new Map<string, Fork>();
  #kind: KindRef | undefined;
  #world: World | undefined;
  #trials = 0;

  constructor(operator: OperatorUnderTest, using: Pick<WorldOptions, 'onServer'> = {}) {
    this.#operator = operator;
    this.#using = using;
  }

  /** Runs a trial in the requested world, or in another world if the trial or the operator needs it, see `worldOf`. */
  async run(trial: Trial, conditions: Conditions = {}): Promise<TrialResult> {
    const world = worldOf(this.#operator, trial, conditions);
    if (world === 'new') return runTrial(this.#operator, trial, { ...conditions, ...this.#using });
    try {
      const result = await this.#run(trial, { ...conditions, world });
      const isUsable = result.missingPermission === undefined && result.observations.at(-1)?.unconverged === undefined;
      if (!isUsable || ++this.#trials >= MOST_TRIALS) await this[Symbol.asyncDispose]();
      return { ...result, isForked: true };
    } catch (error) {
      await this[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Ends the world. The next trial starts another world. */
  async [Symbol.asyncDispose](): Promise<void> {
    const world = this.#world;
    this.#world = undefined;
    this.#trials = 0;
    this.#forks.clear();
    await world?.[Symbol.asyncDispose]();
  }

  async #run(trial: Trial, { world, recordsChanges }: Conditions): Promise<TrialResult> {
    if (this.#kind !== trial.kind) await this[Symbol.asyncDispose]();
    this.#kind = trial.kind;
    const fork = world === 'whole' ? undefined : this.#forkOf(trial);
    if (fork === undefined || (await this.#world?.return(fork.moment)) !== true) {
      return this.#takeAll(trial, recordsChanges);
    }
    this.#world?.begin(trial, fork.writes);
    const result = await this.#take(trial, fork);
    // The points do not include those of the steps that the trial has not repeated.
    return { ...result, points: undefined };
  }

  async #takeAll(trial: Trial, recordsChanges: boolean | undefined): Promise<TrialResult> {
    const disturbance = { faults: trial.faults, recordsChanges };
    if (this.#world !== undefined) await this.#world.reset(disturbance);
    else this.#world = await World.start(this.#operator, trial.kind, { ...disturbance, ...this.#using });
    const initial = this.#world.state();
    const writes = this.#world.takeWrites();
    return this.#take(trial, { taken: { initial, observations: [] }, writes });
  }

  async #take(
    { steps, faults = [] }: Trial,
    { taken, writes: earlier }: Pick<Fork, 'taken' | 'writes'>,
  ): Promise<TrialResult> {
    const world = this.#world as World;
    const known = taken.observations.length;
    const onObserved = (now: TakenSteps): void => {
      const writes = [...earlier, ...now.observations.slice(known).flatMap((each) => each.writes)];
      if (faults.length === 0 && isReturnable(now)) this.#keep(steps, { moment: world.moment(), taken: now, writes });
    };
    return takeSteps(world, steps, { taken, onObserved });
  }

  /** Returns the state after as many first steps of the trial as possible. The faults must occur in the other steps. */
  #forkOf({ steps, faults = [] }: Trial): Fork | undefined {
    for (let count = steps.length; count > 0; count--) {
      const fork = this.#forks.get(nameOf(steps.slice(0, count)));
      if (fork !== undefined && !fork.writes.some((name) => isAmong(faults, name))) return fork;
    }
    return undefined;
  }

  #keep(steps: readonly Step[], fork: Fork): void {
    const name = nameOf(steps.slice(0, fork.taken.observations.length));
    this.#forks.delete(name);
    this.#forks.set(name, fork);
    const [oldest] = this.#forks.keys();
    if (this.#forks.size > MOST_FORKS && oldest !== undefined) this.#forks.delete(oldest);
  }
}

/**
 * Returns the world in which a trial runs.
 * - `new` if the options request it, if the trial has steps of strangers or of another object, a start time, a trace, or a fault of the
 *   kind `call`, `clock`, `cluster` or `lease`, or if the operator has external systems, whose states cannot be restored.
 * - Otherwise, `whole` if the trial records changes, or has a fault that does not occur at a named write.
 * - Otherwise, the requested world.
 */
export function worldOf(
  { external }: OperatorUnderTest,
  { steps, faults = [] }: Trial,
  { world = 'new', start, recordsChanges = false, trace = false }: Conditions = {},
): TrialWorld {
  if (world === 'new' || external !== undefined || start !== undefined || trace) return 'new';
  if (!steps.every((step) => ACTIONS.has(step.action) && !isOther(step))) return 'new';
  if (!faults.every(({ kind }) => FAULTS.has(kind))) return 'new';
  return recordsChanges || !faults.every((fault) => writeOf(fault) !== undefined) ? 'whole' : world;
}

/** Returns the write at which a fault occurs. Undefined if the fault does not occur at a named write. */
function writeOf(fault: Fault): string | undefined {
  if ('write' in fault) return fault.write;
  return 'request' in fault && isWriteText(fault.request) ? fault.request : undefined;
}

/** Whether one of the faults occurs at a write. */
function isAmong(faults: readonly Fault[], write: WriteName): boolean {
  return faults.some((fault) => writeOf(fault) === writeNameText(write));
}

/** Whether a world can return to the state after these steps: the operator runs, does not fail, and has only seen declarations. */
function isReturnable({ observations }: TakenSteps): boolean {
  const last = observations.at(-1);
  return last?.isRunning === true && !last.isFailing && observations.every(({ step }) => step.action === 'declare');
}

function nameOf(steps: readonly Step[]): string {
  return JSON.stringify(steps);
}
