import type { Clock } from '@kubewright/api/clock';
import { ApiError, KubewrightError } from '@kubewright/api/errors';
import { BackOff } from '../cache/back-off.js';
import type { ControllerDependencies } from '../controller/controller-dependencies.js';
import { ControllerRunner } from '../controller/controller-runner.js';
import type { ResolvedControllerOptions } from '../controller/resolved-options.js';
import type { Logger } from '../log/logger.js';

/** Opens controllers, however long it takes until the server tells where their kinds are served. */
export class ControllerOpening {
  readonly #clock: Clock;
  readonly #logger: Logger;
  #problem: string | undefined;

  constructor({ clock, logger }: { readonly clock: Clock; readonly logger: Logger }) {
    this.#clock = clock;
    this.#logger = logger;
  }

  /** What an opening waits for; empty when none does. */
  get problems(): readonly string[] {
    return this.#problem === undefined ? [] : [this.#problem];
  }

  /**
   * Asks again, with back-off, while the server does not know a kind or does not answer; each trouble is logged once. Rejects when
   * the signal is aborted, and with what asking again does not change.
   */
  async open(
    options: ResolvedControllerOptions,
    { dependencies, signal }: { readonly dependencies: ControllerDependencies; readonly signal: AbortSignal },
  ): Promise<ControllerRunner> {
    const backOff = new BackOff(this.#clock);
    for (;;) {
      signal.throwIfAborted();
      try {
        const runner = await ControllerRunner.open(options, dependencies);
        this.#problem = undefined;
        return runner;
      } catch (error) {
        if (!mayPass(error)) throw error;
        this.#tell(`controller '${options.name}' cannot find out where its kinds are served: ${error.message}`, error);
      }
      await this.#clock.sleep(`${backOff.nextMs()}ms`, signal);
    }
  }

  #tell(problem: string, error: KubewrightError): void {
    const level = problem === this.#problem ? 'debug' : 'error';
    this.#problem = problem;
    this.#logger[level](`${problem}; trying again`, { code: error.code, error });
  }
}

function mayPass(error: unknown): error is KubewrightError {
  if (error instanceof ApiError) return true;
  return error instanceof KubewrightError && (error.code === 'KIND_NOT_SERVED' || error.code === 'REQUEST_FAILED');
}
