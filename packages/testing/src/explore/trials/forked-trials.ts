import type { KindRef } from '@kubewright/api';
import { writeNameText, type WriteName } from '../../writes/write-name.js';
import type { OperatorUnderTest } from '../operator-under-test.js';
import type { Fault } from './faults/fault.js';
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

  /** Runs a trial in the requested world. Uses a new world if the trial or the operator needs a new world, see `isForkable`. */
  async run(trial: Trial, { world = 'new', ...conditions }: Conditions = {}): Promise<TrialResult> {
    if (world === 'new' || !isForkable(this.#operator, trial, conditions)) {
      return runTrial(this.#operator, trial, { ...conditions, ...this.#using });
    }
    try {
      const result = await this.#run(trial, world);
      const isUsable = result.missingPermission === undefined && result.observations.at(-1)?.unconverged === undefined;
      if (!isUsable || ++this.#trials >= MOST_TRIALS) await this[Symbol.asyncDispose]();
      // The points do not include those of the steps that the trial has not repeated.
      return { ...result, points: undefined, isForked: true };
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

  async #run(trial: Trial, world: Exclude<TrialWorld, 'new'>): Promise<TrialResult> {
    if (this.#kind !== trial.kind) await this[Symbol.asyncDispose]();
    this.#kind = trial.kind;
    const fork = world === 'whole' ? undefined : this.#forkOf(trial);
    if (fork !== undefined && (await this.#world?.return(fork.moment)) === true) return this.#take(trial, fork);
    return this.#takeAll(trial);
  }

  async #takeAll(trial: Trial): Promise<TrialResult> {
    if (this.#world === undefined) this.#world = await World.start(this.#operator, trial.kind, this.#using);
    else await this.#world.reset();
    const initial = this.#world.state();
    const writes = this.#world.takeWrites();
    return this.#take(trial, { taken: { initial, observations: [] }, writes });
  }

  async #take(
    { steps, faults = [] }: Trial,
    { taken, writes: earlier }: Pick<Fork, 'taken' | 'writes'>,
  ): Promise<TrialResult> {
    const world = this.#world as World;
    world.begin(faults, earlier);
    const known = taken.observations.length;
    const onObserved = (now: TakenSteps): void => {
      const writes = [...earlier, ...now.observations.slice(known).flatMap((each) => each.writes)];
      if (faults.length === 0 && isReturnable(now)) this.#keep(steps, { moment: world.moment(), taken: now, writes });
    };
    return takeSteps(world, steps, { taken, onObserved });
  }

  /** Returns the state after as many first steps of the trial as possible. The fault must occur in the other steps. */
  #forkOf({ steps, faults = [] }: Trial): Fork | undefined {
    for (let count = steps.length; count > 0; count--) {
      const fork = this.#forks.get(nameOf(steps.slice(0, count)));
      if (fork !== undefined && !fork.writes.some((name) => faults.some((fault) => isAt(fault, name)))) return fork;
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
 * Whether the world of an earlier trial can run a trial. The trial has no fault except a crash after a write, no steps of strangers and no
 * other objects. The operator has no external systems, because their states cannot return. Traces, recorded changes and other times need
 * new worlds.
 */
export function isForkable(
  { external }: OperatorUnderTest,
  { steps, faults = [] }: Trial,
  { start, recordsChanges = false, trace = false }: Conditions = {},
): boolean {
  if (external !== undefined || start !== undefined || recordsChanges || trace || faults.length > 1) return false;
  return faults.every(isCrashAfterWrite) && steps.every((step) => ACTIONS.has(step.action) && !isOther(step));
}

function isCrashAfterWrite(fault: Fault): boolean {
  return fault.kind === 'crash' && fault.at === 'after' && 'write' in fault;
}
/** Whether a fault occurs at a write. */
function isAt(fault: Fault, write: WriteName): boolean {
  return 'write' in fault && fault.write === writeNameText(write);
}

/** Whether a world can return to the state after these steps: the operator runs, does not fail, and has only seen declarations. */
function isReturnable({ observations }: TakenSteps): boolean {
  const last = observations.at(-1);
  return last?.isRunning === true && !last.isFailing && observations.every(({ step }) => step.action === 'declare');
}

function nameOf(steps: readonly Step[]): string {
  return JSON.stringify(steps);
}
