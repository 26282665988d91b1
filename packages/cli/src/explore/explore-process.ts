import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { KubewrightError, messageOf } from '@kubewright/api/errors';
import { maskText } from '@kubewright/api/secrets';
import type { Manager } from '@kubewright/runtime';
import type { Finding, RunTrial, SavedFinding, Trial } from '@kubewright/testing/internal';
import { nothingStarted } from '../project/ended-early.js';
import { placeIn } from '../project/inspection/place-in.js';
import type { Coverage, ExploreMessage, ExploreOrder, Problem } from './explore-messages.js';
import type { ExploredOperator } from './explored-operator.js';
import { refuseOutgoing } from './refuse-outgoing.js';

/** The interval in milliseconds of the message `alive`. */
const ALIVE_MS = 1000;

type Testing = typeof import('@kubewright/testing/internal');

/**
 * Explores an operator in a child process of `kubewright explore`. The process receives one order, runs the program until
 * `manager.start()`, and copies the components of its manager to the managers of the trials.
 */
class ExploreProcess {
  readonly #order: ExploreOrder;
  #coverage: Coverage = { trials: 0, fields: 0, values: 0, crashes: 0 };
  #problems: readonly Problem[] = [];
  /** The running trial. */
  #trial: Trial | undefined;

  constructor(order: ExploreOrder) {
    this.#order = order;
  }

  async run(): Promise<void> {
    const { request, replay } = this.#order;
    if (request.hasOwnCopies) {
      const data = { from: new URL('../../', import.meta.url).href, project: pathToFileURL(request.main).href };
      register('../project/inspection/own-copies.js', import.meta.url, { data });
    }
    refuseOutgoing(request.root, (message) => post({ type: 'connection', message }));
    const testing = await loadTesting();
    const manager = await this.#startedManager();
    process.on('uncaughtException', (error) => this.#thrown(error, testing));
    const { exploredOperator } = await import('./explored-operator.js');
    const explored = await exploredOperator(manager, this.#order);
    setInterval(() => post({ type: 'alive' }), ALIVE_MS).unref();
    post({ type: 'loaded', material: explored.material });
    if (replay === undefined) await this.#explore(explored, testing);
    else await this.#replay(replay, explored, testing);
  }

  /** Runs the program. Resolves with the manager that the program starts. The manager itself never starts. */
  #startedManager(): Promise<Manager> {
    const { main } = this.#order.request;
    return new Promise((resolve, reject) => {
      const scope = globalThis as Record<symbol, unknown>;
      const inspection = Symbol.for('kubewright.inspection');
      scope[inspection] = (manager: Manager) => {
        // The managers of the trials start without an inspection.
        delete scope[inspection];
        resolve(manager);
      };
      let isLoaded = false;
      process.once('beforeExit', () => reject(new KubewrightError('INSPECTION_FAILED', nothingStarted(isLoaded))));
      process.argv[1] = main;
      import(pathToFileURL(main).href).then(() => {
        isLoaded = true;
      }, reject);
    });
  }

  async #explore({ operator, explored }: ExploredOperator, testing: Testing): Promise<void> {
    const { kind, field, seed, budgetMs, share, accept, known, samples } = this.#order;
    if (explored.length === 0) {
      const message =
        kind === undefined
          ? 'no controller reconciles a kind of this project'
          : `no controller of this project reconciles '${kind}'`;
      throw new KubewrightError('UNKNOWN_CONTROLLER', `cannot explore the operator: ${message}`);
    }
    for (const each of explored) {
      const [before, found] = [this.#coverage, this.#problems];
      const budget = `${Math.round(budgetMs / explored.length)}ms` as const;
      try {
        await using forked = new testing.ForkedTrials(operator);
        const exploration = await testing.exploreKinds({
          ...operator,
          explored: [each],
          samples,
          budget,
          seed,
          share,
          accept,
          known: known.flatMap((saved) => testing.findingOf(saved, [each]) ?? []),
          run: this.#run((trial, conditions) => forked.run(trial, conditions), testing),
          ...(field !== undefined && { fields: [field] }),
          onProgress: ({ findings, ...progress }) => {
            const shown = findings.filter(({ signature }) => !accept.includes(signature));
            this.#note(before, progress, [...found, ...problemsOf(shown, testing)]);
            post({ type: 'progress', coverage: this.#coverage, problems: this.#problems });
          },
        });
        this.#note(before, exploration, [...found, ...problemsOf(exploration.findings, testing)]);
      } catch (error) {
        if (codeOf(error) !== 'CANNOT_GENERATE') throw error;
        post({ type: 'unexplored', message: messageOf(error) });
      }
    }
    post({ type: 'done', coverage: this.#coverage, problems: this.#problems });
  }

  async #replay(saved: SavedFinding, { operator }: ExploredOperator, testing: Testing): Promise<void> {
    const finding = testing.findingOf(saved, operator.kinds);
    if (finding === undefined) {
      const { apiVersion, kind } = saved.kind;
      throw new KubewrightError(
        'UNKNOWN_CONTROLLER',
        `cannot replay the history: the project has no kind ${apiVersion} ${kind}; replay a history of this project`,
      );
    }
    const run = this.#run((trial, conditions) => testing.runTrial(operator, trial, conditions), testing);
    const { found, trace } = await testing.replayedFinding(finding, run);
    const report = testing.reportFinding(found ?? finding);
    post({ type: 'replayed', report, trace: testing.traceText(trace), isViolated: found !== undefined });
  }

  /**
   * Reports an unhandled error as a problem of the running trial, or as a failure of the exploration if no trial has started. Then ends the
   * process, because its state is not known.
   */
  #thrown(error: unknown, testing: Testing): void {
    const trial = this.#trial;
    if (trial === undefined) return this.fail(error);
    const place = placeIn(this.#order.request.root, error);
    const message = maskText(`${place === undefined ? '' : `${place}: `}${messageOf(error)}`);
    const sentence = 'an error or a rejected promise is not handled';
    const details = [message];
    const finding = {
      ...unendedTrial(trial),
      oracle: 'exception',
      sentence,
      details,
      signature: `exception ${message}`,
    } as const;
    const problem = problemOf(finding, testing);
    post({ type: 'unhandled', key: keyOf(problem), problem });
    end();
  }

  /**
   * Returns a function that reports the start of a trial to the parent process and then runs the trial. If an earlier process could not end
   * the trial, the function does not run the trial and returns a refused result.
   */
  #run(run: RunTrial, testing: Testing): RunTrial {
    const skipped = new Set(this.#order.skipped);
    return async (trial, conditions) => {
      const problem = problemOf(unendedTrial(trial), testing);
      const key = keyOf(problem);
      if (skipped.has(key)) {
        const refused = 'the trial does not end';
        return {
          initial: new Map(),
          observations: [],
          points: undefined,
          refused,
          missingPermission: undefined,
          trace: [],
        };
      }
      this.#trial = trial;
      post({ type: 'trial', key, problem });
      return run(trial, conditions);
    };
  }

  #note(
    before: Coverage,
    tried: { readonly trials: number; readonly fields: number; readonly changes: number; readonly crashes: number },
    problems: readonly Problem[],
  ): void {
    this.#coverage = {
      trials: before.trials + tried.trials,
      fields: before.fields + tried.fields,
      values: before.values + tried.changes,
      crashes: before.crashes + tried.crashes,
    };
    this.#problems = problems;
  }

  fail(error: unknown): void {
    const code = codeOf(error);
    const place = code === undefined ? placeIn(this.#order.request.root, error) : undefined;
    const message = `${place === undefined ? '' : `${place}: `}${maskText(messageOf(error))}`;
    const stack = error instanceof Error && error.stack !== undefined ? { stack: maskText(error.stack) } : {};
    post({ type: 'failed', code: code ?? 'EXPLORE_FAILED', message, ...stack });
    end();
  }
}

/**
 * Loads `@kubewright/testing`, from the project if the project has its own copies of the packages. Rejects with INSPECTION_FAILED if the
 * package is not installed.
 */
async function loadTesting(): Promise<Testing> {
  try {
    return await import('@kubewright/testing/internal');
  } catch (error) {
    if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new KubewrightError(
      'INSPECTION_FAILED',
      "@kubewright/testing is not installed; run 'npm install --save-dev @kubewright/testing'",
      { cause: error },
    );
  }
}

function problemsOf(findings: readonly Finding[], testing: Testing): readonly Problem[] {
  return findings.map((finding) => problemOf(finding, testing));
}
function problemOf(finding: Finding, testing: Testing): Problem {
  return { finding: testing.savedFinding(finding), report: testing.reportFinding(finding) };
}

/** Returns the finding for a trial that does not end. */
function unendedTrial(trial: Trial): Finding {
  return {
    oracle: 'converges',
    sentence: 'the operator does not end a step',
    trial,
    at: trial.steps.length - 1,
    expected: undefined,
    differences: [],
    details: [],
    fields: [],
    signature: 'converges step',
  };
}

/** Returns the code of an error. The error can come from another copy of the packages, so its class is not comparable. */
function codeOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

function keyOf({ finding: { kind, trial } }: Problem): string {
  return JSON.stringify([kind, trial]);
}

function post(message: ExploreMessage): void {
  process.send?.(message);
}
/** Ends the process when all messages are sent. The program can have timers and servers that would keep the process alive. */
function end(): void {
  process.send?.({ type: 'alive' } satisfies ExploreMessage, () => process.exit());
}

// Keeps the process alive until the order arrives.
process.channel?.ref();
process.once('message', (order: ExploreOrder) => {
  process.channel?.unref();
  const exploration = new ExploreProcess(order);
  exploration.run().then(end, (error: unknown) => exploration.fail(error));
});
