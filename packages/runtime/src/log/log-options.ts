import { KubewrightError, valueText } from '@kubewright/api/errors';

/** The log levels in increasing order. With 'silent', nothing is logged. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
/** The level of a line, or the minimum level of a logger. */
export type LogLevel = (typeof LOG_LEVELS)[number];
const FORMATS = ['pretty', 'json'] as const;
const TIMES = ['iso8601', 'epoch-ms', 'epoch-s', 'none'] as const;

/** The options of a log. Environment variables can set the defaults. */
export interface LogOptions {
  /**
   * The minimum level of log lines. A number is a verbosity: 0 means info, and higher numbers mean debug. @default KUBEWRIGHT_LOG_LEVEL,
   * else 'info'
   */
  readonly level?: LogLevel | number;
  /**
   * The format of log lines: readable text, or a JSON object per line. @default KUBEWRIGHT_LOG_FORMAT, else 'pretty' on a terminal and
   * 'json' otherwise
   */
  readonly format?: (typeof FORMATS)[number];
  /**
   * The minimum level of lines in which errors are logged with their stack. @default KUBEWRIGHT_LOG_STACKS, else 'warn' for 'pretty' and
   * 'error' for 'json'
   */
  readonly stacks?: LogLevel;
  /** The format of times in JSON. @default KUBEWRIGHT_LOG_TIME, else 'iso8601' */
  readonly time?: (typeof TIMES)[number];
}
/** The options of a log after validation, with defaults applied. */
export interface ResolvedLogOptions {
  readonly level: LogLevel;
  readonly format: (typeof FORMATS)[number];
  readonly stacks: LogLevel;
  readonly time: (typeof TIMES)[number];
}

/** Validates the options and applies defaults. Throws INVALID_LOG_OPTIONS; the message names the option or the variable. */
export function resolveLogOptions(
  options: LogOptions,
  { env, isTerminal }: { readonly env: Readonly<Record<string, string | undefined>>; readonly isTerminal: boolean },
): ResolvedLogOptions {
  const given = (option: keyof LogOptions): Given | undefined => {
    const value = options[option];
    if (value !== undefined) return { value: String(value), shown: valueText(value), by: `the log option ${option}` };
    const variable = `KUBEWRIGHT_LOG_${option.toUpperCase()}`;
    const text = env[variable]?.trim().toLowerCase();
    return text === undefined || text === '' ? undefined : { value: text, shown: valueText(text), by: variable };
  };
  const format = oneOf(given('format'), FORMATS) ?? (isTerminal ? 'pretty' : 'json');
  return {
    level: levelOf(given('level')) ?? 'info',
    format,
    stacks: oneOf(given('stacks'), LOG_LEVELS) ?? (format === 'pretty' ? 'warn' : 'error'),
    time: oneOf(given('time'), TIMES) ?? 'iso8601',
  };
}

interface Given {
  readonly value: string;
  /** The value as error messages contain it. */
  readonly shown: string;
  readonly by: string;
}

function levelOf(given: Given | undefined): LogLevel | undefined {
  if (given === undefined || !/^\d+$/.test(given.value)) return oneOf(given, LOG_LEVELS, ' or a verbosity such as 1');
  return Number(given.value) === 0 ? 'info' : 'debug';
}
function oneOf<const T extends string>(given: Given | undefined, values: readonly T[], more = ''): T | undefined {
  if (given === undefined) return undefined;
  const known = values.find((value) => value === given.value);
  if (known !== undefined) return known;
  throw new KubewrightError(
    'INVALID_LOG_OPTIONS',
    `cannot configure the log: ${given.by} is ${given.shown}; use one of ${values.join(', ')}${more}`,
  );
}
