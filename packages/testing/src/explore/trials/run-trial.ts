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
import { converges, secondsOf, type Step } from './step.js';
import { changesByOperator, deletedObjects, OTHER, type Unconverged, type Versions, World } from './world.js';

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
}

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
  /** The objects that the operator changed within ten quiet minutes after convergence. Empty if the cluster changed an object as well. */
  readonly restless: readonly string[];
}

/** The result of a trial. */
export interface TrialResult {
  /** The content of the world before the first step. */
  readonly initial: WorldState;
  readonly observations: readonly Observation[];
  /** The points of the trial at which faults can occur. Undefined if the trial ended early. */
  readonly points: FaultPoints | undefined;
  /** The reason why the server refused a step, which ends the trial. Undefined if it accepted all steps. */
  readonly refused: string | undefined;
  /** The permission that the operator lacks, which ends the trial. Undefined if no permission is missing. */
  readonly missingPermission: string | undefined;
  /** What happened during the steps. Empty if the trial records no trace. */
  readonly trace: readonly TraceEntry[];
}

/** The time in seconds in which a converged operator must not write. */
const QUIET_S = 600;

/** Runs the steps of a trial in a new world. Rejects if the world cannot start. */
export async function runTrial(
  operator: OperatorUnderTest,
  { kind, steps, faults }: Trial,
  { start, recordsChanges, trace }: Conditions = {},
): Promise<TrialResult> {
  const observations: Observation[] = [];
  const ended: Ended = {
    initial: new Map(),
    observations,
    points: undefined,
    refused: undefined,
    missingPermission: undefined,
    trace: [],
  };
  try {
    await using world = await World.start(operator, kind, { faults, start, recordsChanges, trace });
    ended.initial = new Map(world.state());
    world.takeWrites();
    const begin = world.trace.length;
    await world.beginProblems();
    for (const [at, step] of steps.entries()) {
      const before = world.versions();
      try {
        await take(world, step);
      } catch (error) {
        if (!(error instanceof ApiError) || step.action !== 'declare') throw error;
        return { ...ended, refused: error.message };
      }
      const observation = await observe(world, step, { before, isLast: at === steps.length - 1 });
      observations.push(observation);
      ended.trace = world.trace.slice(begin);
      if (observation.unconverged !== undefined) return ended;
    }
    ended.points = world.points;
    return ended;
  } catch (error) {
    if (!(error instanceof KubewrightError) || error.code !== 'MISSING_PERMISSION') throw error;
    return { ...ended, missingPermission: error.message };
  }
}

/** The result of a trial while the trial runs. */
interface Ended extends TrialResult {
  initial: WorldState;
  points: FaultPoints | undefined;
  trace: readonly TraceEntry[];
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
  const observation = {
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
  if (!isLast || unconverged !== undefined) return observation;
  await world.wait(QUIET_S);
  const restless = changesByOperator({ before: after, after: world.versions() }, world.takeWrites());
  return { ...observation, restless };
}

async function take(world: World, step: Step): Promise<void> {
  switch (step.action) {
    case 'declare':
      return world.declare(step.spec, step.other === true ? OTHER : undefined);
    case 'delete':
      return world.delete(step.other === true ? OTHER : undefined);
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
