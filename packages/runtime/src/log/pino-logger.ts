import type { Logger as Pino } from 'pino';
import { Logger } from './logger.js';
import { maskSecrets } from './mask-secrets.js';

type Level = 'debug' | 'info' | 'warn' | 'error';
type Fields = Readonly<Record<string, unknown>>;

/** Where log lines go. */
export interface PinoLoggerOptions {
  /** @default LOG_LEVEL of the environment, else 'info' */
  readonly level?: Level | 'silent';
  /** @default readable lines on a terminal, JSON otherwise */
  readonly format?: 'pretty' | 'json';
  /** @default the standard output */
  readonly destination?: { write(line: string): void };
}

/** Logs through pino. */
export class PinoLogger extends Logger {
  readonly #pino: Pino;
  readonly #fields: Fields;

  private constructor(pino: Pino, fields: Fields) {
    super();
    this.#pino = pino;
    this.#fields = fields;
  }

  /** Loads pino, and pino-pretty where it is needed, and makes the logger. */
  static async create(options: PinoLoggerOptions = {}): Promise<PinoLogger> {
    const { pino, stdTimeFunctions } = await import('pino');
    const pretty = (options.format ?? (process.stdout.isTTY ? 'pretty' : 'json')) === 'pretty';
    const settings = {
      level: options.level ?? process.env.LOG_LEVEL ?? 'info',
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label: string) => ({ level: label }) },
    };
    const stream = pretty
      ? await prettyStream(options.destination)
      : (options.destination ?? pino.destination({ fd: 1, sync: true }));
    return new PinoLogger(pino(settings, stream), {});
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
    return new PinoLogger(this.#pino, { ...this.#fields, ...fields });
  }

  #log(level: Level, message: string, fields: Fields | undefined): void {
    if (!this.#pino.isLevelEnabled(level)) return;
    this.#pino[level](maskSecrets({ ...this.#fields, ...fields }), String(maskSecrets(message)));
  }
}

async function prettyStream(destination: PinoLoggerOptions['destination']): Promise<{ write(line: string): void }> {
  const { build } = await import('pino-pretty');
  return build({
    sync: true,
    ignore: 'pid,hostname',
    translateTime: 'SYS:HH:MM:ss.l',
    singleLine: true,
    colorize: destination === undefined,
    ...(destination !== undefined && { destination: writable(destination) }),
  });
}
function writable(destination: { write(line: string): void }): NodeJS.WritableStream {
  return destination as NodeJS.WritableStream;
}
