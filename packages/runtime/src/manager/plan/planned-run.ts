import type { KubeObject, ObjectKey } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import { KubewrightError, messageOf } from '@kubewright/api/errors';
import { formatKey } from '../../cache/store/object-key.js';
import { KnownSecrets, shownText } from '../../log/known-secrets.js';
import type { ControllerDependencies } from '../../controller/runs/controller-dependencies.js';
import { ControllerSources } from '../../controller/informers/controller-sources.js';
import { ObjectRunner } from '../../controller/object-runner.js';
import { type Outcome, outcomeOfError } from '../../controller/reconciler/outcome.js';
import type { ReconcileRun } from '../../controller/runs/reconcile-run.js';
import type { ResolvedControllerOptions } from '../../controller/options/resolved-options.js';
import { RunLimit } from '../../controller/runs/run-limit.js';
import type { PlannedOutcome } from './plan.js';

/** Runs one reconcile of a controller for a plan. */
export class PlannedRun {
  readonly #options: ResolvedControllerOptions;
  readonly #dependencies: ControllerDependencies;

  constructor(options: ResolvedControllerOptions, dependencies: ControllerDependencies) {
    this.#options = options;
    this.#dependencies = dependencies;
  }

  /**
   * Runs the reconcile of the object with this key. `suppose` sets the state of the object before the reconcile. Rejects with
   * NO_SUCH_OBJECT, KIND_NOT_SERVED, and the error of a rejected list.
   */
  async on(key: ObjectKey, suppose: (() => Promise<KubeObject>) | undefined): Promise<PlannedOutcome> {
    const { informers, clock } = this.#dependencies;
    const limit = new AbortController();
    const sources = await ControllerSources.open(this.#options, { informers, clock, onStatus: () => refuseProblems() });
    const refuseProblems = (): void => {
      const [problem] = sources.problems;
      if (problem !== undefined) limit.abort(problem);
    };
    try {
      await this.#addOptional(sources);
      refuseProblems();
      await sources.synced(limit.signal);
      if (suppose !== undefined) sources.primary.wrote(await suppose());
      return await new KnownSecrets().within(async () =>
        outcomeReported(await this.#run(sources, key), this.#dependencies.clock),
      );
    } finally {
      await sources.close();
    }
  }

  /** Opens the optional kinds that the API server serves. */
  async #addOptional(sources: ControllerSources): Promise<void> {
    const { served } = this.#dependencies;
    for (const watch of this.#options.watches) {
      if (watch.optional && (await served.isServed(watch.kind))) await sources.add(watch);
    }
    for (const read of this.#options.reads) {
      if (read.optional && (await served.isServed(read.kind))) await sources.addRead(read);
    }
  }
  async #run({ primary }: ControllerSources, key: ObjectKey): Promise<Outcome> {
    const { name, kindName } = this.#options;
    if (primary.get(key) === undefined) {
      const object = `${kindName} ${formatKey(key)}`;
      const remedy =
        "specify an existing object, or pass the object with the option 'suppose' or with kubewright run --plan -f FILE";
      throw new KubewrightError(
        'NO_SUCH_OBJECT',
        `controller '${name}' cannot reconcile ${object}: the object does not exist; ${remedy}`,
      );
    }
    const using = { options: this.#options, dependencies: this.#dependencies, informer: primary };
    const nobody = (): void => undefined;
    const runner = new ObjectRunner({ ...using, onWrite: nobody, onUnanswered: nobody });
    const run = this.#begun(key);
    let outcome = await runner.run(run).catch(outcomeOfError);
    run.limit.end();
    if (outcome.kind === 'error') {
      const failure = { ...outcome, attempt: 1, lastAttempt: outcome.terminal !== undefined };
      outcome = { ...failure, answer: await runner.failed(run, failure) };
    }
    return runner.report(run, outcome, primary.get(key));
  }

  #begun(key: ObjectKey): ReconcileRun {
    const { name, kindName, timeoutMs } = this.#options;
    const { clock, logger } = this.#dependencies;
    const limit = new RunLimit(clock, timeoutMs);
    const id = formatKey(key);
    const log = logger.with({ controller: name, object: `${kindName} ${id}`, reconcileId: clock.random.uuid() });
    const context = Object.freeze({ log, signal: limit.signal, causes: [{ kind: 'manual' } as const], attempt: 1 });
    return {
      id,
      key,
      limit,
      context,
      startedMs: clock.monotonicMs(),
      meanwhile: [],
      taken: [],
      deleting: false,
      known: undefined,
    };
  }
}

function outcomeReported(outcome: Outcome, clock: Clock): PlannedOutcome {
  switch (outcome.kind) {
    case 'result': {
      const { kind, delayMs = 0, moment = clock.now() } = outcome.result;
      if (kind === 'requeueAfter') return { kind, delayMs };
      return kind === 'requeueAt' ? { kind, moment: moment.toISOString() } : { kind };
    }
    case 'paused':
      return { kind: 'paused', until: outcome.pause.value };
    case 'conflict':
    case 'error':
      return { kind: outcome.kind, message: shownText(messageOf(outcome.error)) };
    case 'forgotten':
    case 'stopped':
      return { kind: 'forgotten' };
  }
}
