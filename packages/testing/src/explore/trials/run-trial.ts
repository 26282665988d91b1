import type { KindRef } from '@kubewright/api';
import { ApiError, KubewrightError } from '@kubewright/api/errors';
import type { TraceEntry } from '../../trace/trace-entry.js';
import type { WriteName } from '../../writes/write-name.js';
import type { OperatorUnderTest } from '../operator-under-test.js';
import type { WorldState } from '../state/world-state.js';
import type { Fault } from './faults/fault.js';
import type { FaultPoints } from './faults/fault-points.js';
import type { ReconcileError } from './reconcile-errors.js';
import type { StoredObject } from '../state/stored-object.js';
import { converges, isOther, secondsOf, type Step } from './step.js';
import { changesByOperator, deletedObjects, type Versions } from './object-versions.js';
import { OTHER, type Unconverged, World, type WorldOptions } from './world.js';

/** A history to run, and the faults in it. */
export interface Trial {
  /** The kind of the object that the steps declare. */
  readonly kind: KindRef;
  readonly steps: readonly Step[];
  /** @default none */
  readonly faults?: readonly Fault[];
}

/** The conditions of a trial that must not change its result. */
export interface Conditions {
  /** The time at the start. @default the start of a `FakeClock` */
  readonly start?: string;
  /** Whether the result contains the changes that the operator receives. @default false */
  readonly recordsChanges?: boolean;
  /** Whether to record a trace. @default false */
  readonly trace?: boolean;
  /** The world in which the trial runs. Trials that need a new world ignore this value, see `ForkedTrials`. @default 'new' */
  readonly world?: TrialWorld;
}

/**
 * The world in which a trial runs.
 * - `new`: a new world.
 * - `whole`: the world of an earlier trial, in which the trial takes all steps, with an operator that has just started.
 * - `forked`: the world of an earlier trial, from the state after the steps that another trial has already taken.
 */
export type TrialWorld = 'new' | 'whole' | 'forked';

/** Runs a trial. */
export type RunTrial = (trial: Trial, conditions?: Conditions) => Promise<TrialResult>;

/** The world after a step. */
export interface Observation {
  readonly step: Step;
  /** The content of the world. Undefined if the trial does not wait for convergence after this step. */
  readonly state: WorldState | undefined;
  /** All objects of the server. */
  readonly objects: readonly StoredObject[];
  /** The names of the copies of children that a stranger created. */
  readonly copies: ReadonlySet<string>;
  readonly hasSubject: boolean;
  /** Whether the operator runs. */
  readonly isRunning: boolean;
  /** The writes of the operator during the step. */
  readonly writes: readonly WriteName[];
  /** The objects that the operator changed during the step. Empty if the cluster changed an object as well. */
  readonly changed: readonly string[];
  /** The objects that existed before the step, and were deleted. */
  readonly deleted: readonly string[];
  /** The events that the operator has recorded since the start of the trial, without names that the server chose. */
  readonly events: readonly string[];
  /** The errors of reconciles during the step. */
  readonly errors: readonly ReconcileError[];
  /** Whether the operator still fails after the step. */
  readonly isFailing: boolean;
  /** The reason why the operator did not converge. Undefined if it converged. */
  readonly unconverged: Unconverged | undefined;
  /**
   * The objects that the operator changed within ten quiet minutes after the last step. Empty if the cluster changed an object as well, and
   * in trials with the fault `lease`.
   */
  readonly restless: readonly string[];
}

/** The result of a trial. */
export interface TrialResult {
  /** The content of the world before the first step. */
  readonly initial: WorldState;
  readonly observations: readonly Observation[];
  /**
   * The points of the trial at which faults can occur. Undefined if the trial ended early, or if the trial started from the state after
   * steps of another trial.
   */
  readonly points: FaultPoints | undefined;
  /** The reason why the server refused a step, which ends the trial. Undefined if it accepted all steps. */
  readonly refused: string | undefined;
  /** The permission that the operator lacks, which ends the trial. Undefined if no permission is missing. */
  readonly missingPermission: string | undefined;
  /** What happened during the steps. Empty if the trial records no trace. */
  readonly trace: readonly TraceEntry[];
  /** Whether the trial ran in the world of an earlier trial, so that a violated rule must be reproduced in new worlds. @default false */
  readonly isForked?: boolean;
}

/** The time in seconds in which a converged operator must not write. */
const QUIET_S = 600;

/** The steps of a trial that a world has already taken, and what was observed. */
export type TakenSteps = Pick<TrialResult, 'initial' | 'observations'>;

/** Runs the steps of a trial in a new world. Rejects if the world cannot start. */
export async function runTrial(
  operator: OperatorUnderTest,
  { kind, steps, faults }: Trial,
  { onServer, ...conditions }: Conditions & Pick<WorldOptions, 'onServer'> = {},
): Promise<TrialResult> {
  const { start, recordsChanges, trace } = conditions;
  try {
    await using world = await World.start(operator, kind, { faults, start, recordsChanges, trace, onServer });
    const initial = new Map(world.state());
    world.takeWrites();
    return await takeSteps(world, steps, { taken: { initial, observations: [] } });
  } catch (error) {
    return withoutPermission(error, ended({ initial: new Map(), observations: [] }));
  }
}

/**
 * Takes the steps of a trial after the steps that the world has already taken.
 * @param onObserved called after each step in which the world has converged
 */
export async function takeSteps(
  world: World,
  steps: readonly Step[],
  { taken, onObserved }: { readonly taken: TakenSteps; readonly onObserved?: (taken: TakenSteps) => void },
): Promise<TrialResult> {
  const { initial } = taken;
  const observations = [...taken.observations];
  const begin = world.trace.length;
  let trace: readonly TraceEntry[] = [];
  try {
    await world.beginProblems();
    for (const [at, step] of [...steps.entries()].slice(observations.length)) {
      const before = world.versions();
      try {
        await take(world, step);
      } catch (error) {
        if (!(error instanceof ApiError) || step.action !== 'declare') throw error;
        return { ...ended({ initial, observations }), trace, refused: error.message };
      }
      const observation = await observe(world, step, { before, isLast: at === steps.length - 1 });
      observations.push(observation);
      trace = world.trace.slice(begin);
      if (observation.unconverged !== undefined) return { ...ended({ initial, observations }), trace };
      if (observation.state !== undefined) onObserved?.({ initial, observations: [...observations] });
    }
    const last = observations.pop();
    // A leader renews its Lease every 2 s, which makes quiet time expensive. The same history without the fault contains the quiet time.
    const restless = world.hasElection ? [] : await restlessObjects(world);
    if (last !== undefined) observations.push({ ...last, restless });
    trace = world.trace.slice(begin);
    return { ...ended({ initial, observations }), trace, points: world.points };
  } catch (error) {
    return withoutPermission(error, { ...ended({ initial, observations }), trace });
  }
}

function ended(taken: TakenSteps): TrialResult {
  return { ...taken, points: undefined, refused: undefined, missingPermission: undefined, trace: [] };
}

/** Returns the result of a trial that ends because a permission is missing. Throws all other errors. */
function withoutPermission(error: unknown, result: TrialResult): TrialResult {
  if (!(error instanceof KubewrightError) || error.code !== 'MISSING_PERMISSION') throw error;
  return { ...result, missingPermission: error.message };
}

/** Waits for convergence if the step requires it, and describes the world. */
async function observe(
  world: World,
  step: Step,
  { before, isLast }: { readonly before: Versions; readonly isLast: boolean },
): Promise<Observation> {
  const seconds = secondsOf(step);
  if (seconds !== undefined) await world.pass(seconds);
  const unsolved = isLast ? await world.endProblems() : undefined;
  const unconverged = unsolved ?? (converges(step) ? await world.converge() : undefined);
  const after = world.versions();
  const writes = world.takeWrites();
  return {
    step,
    state: converges(step) ? world.state() : undefined,
    objects: world.objects(),
    copies: new Set(world.stranger.copies),
    hasSubject: world.hasSubject,
    isRunning: world.isRunning,
    writes,
    changed: changesByOperator({ before, after }, writes),
    deleted: deletedObjects({ before, after }),
    events: world.events(),
    errors: world.takeErrors(),
    isFailing: world.isFailing,
    unconverged,
    restless: [],
  };
}

/** Lets quiet time pass, and returns the objects that the operator changed. Returns no objects if the cluster changed an object as well. */
async function restlessObjects(world: World): Promise<readonly string[]> {
  const before = world.versions();
  await world.wait(QUIET_S);
  return changesByOperator({ before, after: world.versions() }, world.takeWrites());
}

async function take(world: World, step: Step): Promise<void> {
  switch (step.action) {
    case 'declare':
      return world.declare(step.spec, isOther(step) ? OTHER : undefined);
    case 'delete':
      return world.delete(isOther(step) ? OTHER : undefined);
    case 'stop':
      return world.stopOperator();
    case 'start':
      return world.startOperator();
    case 'restart':
      await world.stopOperator();
      return world.startOperator();
    default:
      return takeAsStranger(world, step);
  }
}

async function takeAsStranger(world: World, step: Exclude<Step, { readonly spec: unknown }>): Promise<void> {
  const { stranger } = world;
  if (step.action === 'plant') return stranger.plant();
  if (!('object' in step)) return;
  if (step.action === 'edit-child') return stranger.editChild(step.object);
  if (step.action === 'delete-child') return stranger.deleteChild(step.object);
  const object = world.surrounding(step.object);
  if (object === undefined) return;
  if (step.action === 'remove-object') return stranger.removeObject(object);
  if (step.action === 'restore-object') return stranger.restoreObject(object);
  return stranger.editObject(object);
}
