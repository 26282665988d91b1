import { hasFinalizer, type KubeObject } from '@kubewright/api';
import { isConflict, KubewrightError, messageOf, TerminalError } from '@kubewright/api/errors';
import { checkedResult } from '../reconciler/checked-result.js';
import type { Reconciler } from '../reconciler/reconciler.js';
import type { ReconcileContext } from '../reconciler/reconcile-context.js';
import { Result } from '../reconciler/result.js';
import { type FinalizerStep, finalizerTwice } from '../reconciler/finalizers.js';

/** The object, the context and the time of a run that calls finalizer steps. */
export interface FinalizerRun {
  readonly object: KubeObject;
  readonly context: ReconcileContext;
  readonly now: Date;
}

/** The combined results of the finalizer steps of one run. */
export interface Finalized {
  /** The names of the finalizers to remove. */
  readonly done: readonly string[];
  /** The result with the earliest requeue among the results of all steps that did not fail. */
  readonly result: Result;
  /** The error of the failed step, or one error that combines the errors of several steps. */
  readonly failure?: { readonly error: unknown };
}

/**
 * Returns the finalizer steps of a reconciler: its `finalizers`, followed by `finalize` if the reconciler defines this method. Throws
 * DUPLICATE_FINALIZER.
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
  if (steps.some((step) => step.name === name)) throw finalizerTwice(name, ` ${of}, which its finalize method uses`);
  const run: FinalizerStep['run'] = async (object, context) =>
    checkedResult(await reconciler.finalize?.(object as T, context), `finalize ${of}`);
  return [...steps, { name, run }];
}

/**
 * Calls, in sequence, the steps whose finalizers are present on the object. After a failed step, continues with the next step if the run is
 * not aborted. Never rejects.
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

/**
 * Returns the result that requeues earliest. A requeue with back-off takes precedence over results with a time. Returns `Result.done()` if
 * no result requeues.
 */
function soonest(results: readonly Result[], now: Date): Result {
  const waitMs = ({ kind, delayMs, moment }: Result): number =>
    kind === 'requeue' ? Number.NEGATIVE_INFINITY : (delayMs ?? (moment?.getTime() ?? 0) - now.getTime());
  const again = results.filter(({ kind }) => kind !== 'done');
  return again.reduce((first, one) => (waitMs(one) < waitMs(first) ? one : first), again[0] ?? Result.done());
}

/**
 * Returns a single error unchanged. Combines several errors into a FINALIZERS_FAILED error. The cause of this error is an AggregateError,
 * whose cause determines the retry. That cause is the first error that is neither a conflict nor terminal, otherwise the first conflict,
 * otherwise the first terminal error.
 */
function joined(failures: ReadonlyMap<string, unknown>): unknown {
  const errors = [...failures.values()];
  if (errors.length === 1) return errors[0];
  const weight = (error: unknown): number => (error instanceof TerminalError ? 2 : isConflict(error) ? 1 : 0);
  const [cause] = errors.toSorted((a, b) => weight(a) - weight(b));
  const reported = [...failures].map(([name, error]) => `${name}: ${messageOf(error)}`);
  return new KubewrightError('FINALIZERS_FAILED', `${errors.length} finalizers failed: ${reported.join('; ')}`, {
    cause: new AggregateError(errors, 'finalizers failed', { cause }),
  });
}
