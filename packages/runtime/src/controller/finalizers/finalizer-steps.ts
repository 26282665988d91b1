import { hasFinalizer, type KubeObject } from '@kubewright/api';
import { isConflict, KubewrightError, messageOf, TerminalError } from '@kubewright/api/errors';
import { checkedResult } from '../checked-result.js';
import type { Reconciler } from '../reconciler.js';
import type { ReconcileContext } from '../reconcile-context.js';
import { Result } from '../result.js';
import { type FinalizerStep, finalizerTwice } from './finalizers.js';

/** What the steps of one run are done with. */
export interface FinalizerRun {
  readonly object: KubeObject;
  readonly context: ReconcileContext;
  readonly now: Date;
}

/** What running some steps came to. */
export interface Finalized {
  /** The finalizers that may go. */
  readonly done: readonly string[];
  /** The result of all that did not fail. */
  readonly result: Result;
  /** What was thrown, as one error. */
  readonly failure?: { readonly error: unknown };
}

/**
 * The finalizers of a reconciler: those in its `finalizers`, and that of its controller where it has `finalize`. Throws
 * FINALIZER_TWICE.
 */
export function finalizerSteps<T extends KubeObject>(
  reconciler: Reconciler<T>,
  controller: { readonly name: string; readonly finalizer: string },
): readonly FinalizerStep[] {
  const of = `of controller '${controller.name}'`;
  const steps = [...(reconciler.finalizers ?? [])].map(({ name, run }) => ({
    name,
    run: async (object: KubeObject, context: ReconcileContext) =>
      checkedResult(await run(object, context), `finalizer '${name}' ${of}`),
  }));
  if (reconciler.finalize === undefined) return steps;
  const { finalizer: name } = controller;
  if (steps.some((step) => step.name === name)) throw finalizerTwice(name, ` ${of}, which is that of its finalize`);
  const run: FinalizerStep['run'] = async (object, context) =>
    checkedResult(await reconciler.finalize?.(object as T, context), `finalize ${of}`);
  return [...steps, { name, run }];
}

/**
 * Runs those whose finalizers are on the object, one after the other. One that fails does not hold up the next, unless the run is
 * aborted. Never rejects.
 */
export async function runFinalizers(
  steps: readonly FinalizerStep[],
  { object, context, now }: FinalizerRun,
): Promise<Finalized> {
  const results = new Map<string, Result>();
  const failures = new Map<string, unknown>();
  for (const { name, run } of steps) {
    if (!hasFinalizer(object, name)) continue;
    if (failures.size > 0 && context.signal.aborted) break;
    try {
      context.signal.throwIfAborted();
      results.set(name, await run(object, context));
    } catch (error) {
      failures.set(name, error);
    }
  }
  const done = [...results].filter(([, { kind }]) => kind === 'done').map(([name]) => name);
  const finalized = { done, result: soonest([...results.values()], now) };
  return failures.size === 0 ? finalized : { ...finalized, failure: { error: joined(failures) } };
}

/** What comes again first: by back-off before all that name a time. */
function soonest(results: readonly Result[], now: Date): Result {
  const waitMs = ({ kind, delayMs, moment }: Result): number =>
    kind === 'requeue' ? Number.NEGATIVE_INFINITY : (delayMs ?? (moment?.getTime() ?? 0) - now.getTime());
  const again = results.filter(({ kind }) => kind !== 'done');
  return again.reduce((first, one) => (waitMs(one) < waitMs(first) ? one : first), again[0] ?? Result.done());
}

/** One error of several. What is tried again counts before what is not: an ordinary error, a conflict, a terminal error. */
function joined(failures: ReadonlyMap<string, unknown>): unknown {
  const errors = [...failures.values()];
  if (errors.length === 1) return errors[0];
  const weight = (error: unknown): number => (error instanceof TerminalError ? 2 : isConflict(error) ? 1 : 0);
  const [cause] = errors.toSorted((a, b) => weight(a) - weight(b));
  const told = [...failures].map(([name, error]) => `${name}: ${messageOf(error)}`);
  return new KubewrightError('FINALIZERS_FAILED', `${errors.length} finalizers failed: ${told.join('; ')}`, {
    cause: new AggregateError(errors, 'finalizers failed', { cause }),
  });
}
