import { KubewrightError } from '@kubewright/api/errors';
import { isLeveled, type LeveledLogger } from '../log/leveled-logger.js';
import type { AmbientFields } from '../log/line-fields.js';
import type { LogOptions } from '../log/log-options.js';
import { LateLogger } from '../log/late-logger.js';
import type { Logger } from '../log/logger.js';
import { type GivenLogger, loggerOf } from '../log/logger-of.js';
import { PinoLogger } from '../log/pino-logger.js';
import { openTracer, type Tracer } from '../tracing/tracer.js';

/** The options of a `ManagerLog`. */
export interface ManagerLogOptions {
  readonly logger: GivenLogger | undefined;
  /** The options of the logger that the manager creates if the program provides none. */
  readonly log: LogOptions;
  /** The signal that switches the level to debug and back. If false, no signal switches the level. */
  readonly levelSignal: NodeJS.Signals | false;
}

/** The log of a manager. Stores lines until `open` is called, and then writes them. The level can be changed while the manager runs. */
export class ManagerLog {
  /** The logger for all components of the manager. */
  readonly logger = new LateLogger();
  readonly #options: ManagerLogOptions;
  #target: Logger | undefined;
  #tracer: Tracer | undefined;
  /** The level to restore at the next signal. Undefined if the signal has not switched the level to debug. */
  #quieter: string | undefined;

  constructor(options: ManagerLogOptions) {
    this.#options = options;
    if (options.logger !== undefined) this.#to(loggerOf(options.logger, this.#spanIds));
  }

  /** Opens the log and writes the stored lines. Rejects with INVALID_LOG_OPTIONS. */
  async open(): Promise<void> {
    this.#tracer = await openTracer();
    if (this.#target === undefined) {
      this.#to(await PinoLogger.create({ ...this.#options.log, ambient: this.#spanIds }));
    }
  }
  /** Starts to handle the signal that switches the level. */
  listen(): void {
    const { levelSignal } = this.#options;
    if (levelSignal !== false && this.level !== undefined) process.on(levelSignal, this.#toggle);
  }
  /** Stops handling the signal. Lines are still written. */
  close(): void {
    const { levelSignal } = this.#options;
    if (levelSignal !== false) process.off(levelSignal, this.#toggle);
  }

  /** The level of the log. Undefined before the log is open, and always undefined for a logger of the program that is not pino. */
  get level(): string | undefined {
    return this.#target !== undefined && isLeveled(this.#target) ? this.#target.level : undefined;
  }
  /** Sets the level. Throws INVALID_LOG_OPTIONS if the level is unknown or the logger has no level. */
  set level(level: string) {
    const target = this.#leveled();
    try {
      target.level = level;
    } catch (cause) {
      if (cause instanceof KubewrightError) throw cause;
      throw new KubewrightError(
        'INVALID_LOG_OPTIONS',
        `cannot change the log level: the logger has no level '${level}'`,
        { cause },
      );
    }
    this.#quieter = undefined;
  }

  #leveled(): LeveledLogger {
    if (this.#target !== undefined && isLeveled(this.#target)) return this.#target;
    const reason =
      this.#target === undefined
        ? 'the log is not open until the manager starts; use the option logLevel'
        : "the manager's logger is not a pino instance; change the level in that logger";
    throw new KubewrightError('INVALID_LOG_OPTIONS', `cannot change the log level: ${reason}`);
  }
  #to(logger: Logger): void {
    this.#target = logger;
    this.logger.to(logger);
  }
  readonly #spanIds: AmbientFields = () => this.#tracer?.activeIds();
  readonly #toggle = (signal: NodeJS.Signals): void => {
    const target = this.#leveled();
    const next = this.#quieter ?? 'debug';
    this.#quieter = this.#quieter === undefined ? target.level : undefined;
    target.level = next;
    this.logger.info('the log level changed', { signal, logLevel: next });
  };
}
