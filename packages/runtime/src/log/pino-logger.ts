import { Writable } from 'node:stream';
import type { Logger as Pino } from 'pino';
import { LOG_LEVELS, type LogLevel, type LogOptions, resolveLogOptions } from './log-options.js';
import type { LeveledLogger } from './leveled-logger.js';
import type { AmbientFields } from './line-fields.js';
import { Logger } from './logger.js';
import { maskSecrets } from './mask-secrets.js';

type Level = Exclude<LogLevel, 'silent'>;
type Fields = Readonly<Record<string, unknown>>;

/** The options of a `PinoLogger`. */
export interface PinoLoggerOptions extends LogOptions {
  /** The destination of the lines. @default the standard output */
  readonly destination?: { write(line: string): void };
  /** Returns additional fields for each line at the time when it is written. @default none */
  readonly ambient?: AmbientFields;
}

/** The settings that a logger shares with all loggers that `with` returns. */
interface Style {
  readonly stacks: LogLevel;
  readonly ambient: AmbientFields | undefined;
}

/** A logger that writes its lines with pino. */
export class PinoLogger extends Logger implements LeveledLogger {
  readonly #pino: Pino;
  readonly #style: Style;
  readonly #fields: Fields;

  private constructor(pino: Pino, style: Style, fields: Fields) {
    super();
    this.#pino = pino;
    this.#style = style;
    this.#fields = fields;
  }

  /**
   * Creates a logger. Loads pino, and pino-pretty for the pretty format. Rejects with INVALID_LOG_OPTIONS if an option or an environment
   * variable is invalid.
   */
  static async create(options: PinoLoggerOptions = {}): Promise<PinoLogger> {
    const isTerminal = options.destination === undefined && process.stdout.isTTY;
    const { level, format, stacks, time } = resolveLogOptions(options, { env: process.env, isTerminal });
    const { pino, stdTimeFunctions } = (await import('pino')).default;
    const timestamps = {
      iso8601: stdTimeFunctions.isoTime,
      'epoch-ms': stdTimeFunctions.epochTime,
      'epoch-s': stdTimeFunctions.unixTime,
      none: stdTimeFunctions.nullTime,
    };
    const settings = {
      level,
      base: null,
      timestamp: timestamps[time],
      formatters: { level: (label: string) => ({ level: label }) },
    };
    const stream =
      format === 'pretty'
        ? await prettyStream(options.destination, isTerminal)
        : (options.destination ?? pino.destination({ fd: 1, sync: true }));
    return new PinoLogger(pino(settings, stream), { stacks, ambient: options.ambient }, {});
  }

  get level(): string {
    return this.#pino.level;
  }
  /** Sets the level of this logger and of all loggers that `with` returns. Throws INVALID_LOG_OPTIONS for an unknown level. */
  set level(level: string) {
    this.#pino.level = resolveLogOptions({ level: level as LogLevel }, { env: {}, isTerminal: false }).level;
  }

  override debug(message: string, fields?: Fields): void {
    this.#log('debug', message, fields);
  }
  override info(message: string, fields?: Fields): void {
    this.#log('info', message, fields);
  }
  override warn(message: string, fields?: Fields): void {
    this.#log('warn', message, fields);
  }
  override error(message: string, fields?: Fields): void {
    this.#log('error', message, fields);
  }
  override with(fields: Fields): Logger {
    return new PinoLogger(this.#pino, this.#style, { ...this.#fields, ...fields });
  }

  #log(level: Level, message: string, fields: Fields | undefined): void {
    if (!this.#pino.isLevelEnabled(level)) return;
    const stacks = LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(this.#style.stacks);
    const all = { ...this.#fields, ...this.#style.ambient?.(), ...fields };
    this.#pino[level](maskSecrets(all, { stacks }), String(maskSecrets(message)));
  }
}

async function prettyStream(
  destination: PinoLoggerOptions['destination'],
  isTerminal: boolean,
): Promise<{ write(line: string): void }> {
  const { build } = (await import('pino-pretty')).default;
  return build({
    sync: true,
    ignore: 'pid,hostname',
    translateTime: 'SYS:HH:MM:ss.l',
    singleLine: true,
    // By the convention of https://no-color.org, any non-empty value disables colors.
    colorize: isTerminal && !process.env['NO_COLOR'],
    ...(destination !== undefined && { destination: writable(destination) }),
  });
}
/** Converts the destination to a stream, which pino-pretty requires. */
function writable(destination: { write(line: string): void }): Writable {
  return new Writable({
    decodeStrings: false,
    write: (line: string, _encoding, done) => {
      destination.write(line);
      done();
    },
  });
}
