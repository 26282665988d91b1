import { type Duration, durationMs } from '@kubewright/api/clock';
import { RequestLimit } from '../../transport/request/request-limit.js';

/** The type of a setting: parses the text of a flag or variable. */
export interface SettingValue {
  /** The allowed values, for error messages and the reference documentation, such as "a duration such as '30s'". */
  readonly allowed: string;
  /** Whether a flag without a value means true. */
  readonly isSwitch?: boolean;
  /** Parses the text. Returns undefined if the text is not valid. */
  parse(text: string): unknown;
}

export const text: SettingValue = { allowed: 'a string', parse: (given) => given };

export const boolean: SettingValue = {
  allowed: 'true or false',
  isSwitch: true,
  parse: (given) => ({ true: true, '1': true, false: false, '0': false })[given.toLowerCase()],
};

export const duration: SettingValue = { allowed: "a duration such as '30s'", parse: durationOf };

export const durationOrFalse: SettingValue = {
  allowed: "a duration such as '30s', or false to disable",
  parse: (given) => (given === 'false' ? false : durationOf(given)),
};

/** A duration greater than 0. */
export const positiveDuration: SettingValue = {
  allowed: "a duration greater than 0, such as '30s'",
  parse: positiveOf,
};

export const positiveDurationOrFalse: SettingValue = {
  allowed: "a duration greater than 0, such as '30s', or false to disable",
  parse: (given) => (given === 'false' ? false : positiveOf(given)),
};

export const count: SettingValue = { allowed: 'a positive integer', parse: countOf };

export const list: SettingValue = {
  allowed: "a comma-separated list of names, such as 'a,b'",
  parse: (given) => {
    const names = partsOf(given);
    return names.length > 0 ? names : undefined;
  },
};

/** A list of names, each with a positive integer. */
export const counts: SettingValue = {
  allowed: "a comma-separated list of names with positive integers, such as 'Deployment.apps=4,Pod=8'",
  parse: (given) => {
    const pairs = partsOf(given).map((part) => part.split('='));
    const entries = pairs.map(([name = '', number = '']) => [name, countOf(number)] as const);
    const isFine = entries.length > 0 && pairs.every(({ length }) => length === 2);
    return isFine && entries.every(([name, value]) => name !== '' && value !== undefined)
      ? Object.fromEntries(entries)
      : undefined;
  },
};

/** A name with a group, such as a finalizer. */
export const qualifiedName: SettingValue = {
  allowed: "a name with a group, such as 'example.com/name'",
  parse: (given) => (/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?\/[A-Za-z0-9][-A-Za-z0-9_.]*$/.test(given) ? given : undefined),
};

/** The number of requests per second, optionally followed by the burst size. */
export const requestLimit: SettingValue = {
  allowed: "requests per second, optionally with a burst, such as '20' or '20/30'",
  parse: (given) => {
    const match = /^(?<perSecond>\d{1,9}(?:\.\d{1,3})?)(?:\/(?<burst>[1-9]\d{0,8}))?$/.exec(given);
    const perSecond = Number(match?.groups?.['perSecond']);
    const burst = match?.groups?.['burst'];
    if (!(perSecond > 0)) return undefined;
    return new RequestLimit({ perSecond, ...(burst !== undefined && { burst: Number(burst) }) });
  },
};

/** An address to listen on, or 0 to disable the endpoint. */
export const address: SettingValue = {
  allowed: "an address such as ':8080' or '127.0.0.1:8080', or 0 to disable",
  parse: (given) => {
    if (given === '0' || given === 'false') return false;
    const match = /^(?:\[(?<six>[\da-fA-F:.]+)\]|(?<host>[^:]*)):(?<port>\d{1,5})$/.exec(given);
    const port = Number(match?.groups?.['port']);
    if (match === null || port > 65_535) return undefined;
    const host = match.groups?.['six'] ?? match.groups?.['host'];
    return { port, ...(host && { host }) };
  },
};

/** Returns a type that accepts only the given words. */
export function oneOf(...words: readonly string[]): SettingValue {
  return {
    allowed: `one of ${words.join(', ')}`,
    parse: (given) => (words.includes(given) ? given : undefined),
  };
}
/** Returns a type that accepts the values of another type, and a verbosity number of at least 0. */
export function orVerbosity(value: SettingValue): SettingValue {
  return {
    allowed: `${value.allowed}, or a verbosity such as 1`,
    parse: (given) => (/^\d{1,3}$/.test(given) ? Number(given) : value.parse(given)),
  };
}
/** Returns a type that accepts the values of another type, and the word false. */
export function orFalse(value: SettingValue): SettingValue {
  return {
    allowed: `${value.allowed}, or false`,
    parse: (given) => (given === 'false' ? false : value.parse(given)),
  };
}

function partsOf(given: string): readonly string[] {
  return given
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
function countOf(given: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(given) ? Number(given) : undefined;
}
function positiveOf(given: string): Duration | undefined {
  const duration = durationOf(given);
  return duration !== undefined && durationMs(duration) > 0 ? duration : undefined;
}
function durationOf(given: string): Duration | undefined {
  try {
    durationMs(given as Duration);
    return given as Duration;
  } catch {
    // The text is not valid. The caller reports the allowed values.
    return undefined;
  }
}
