import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** The options of `npm run bench`. */
export interface BenchOptions {
  /** The names of the rows. All rows if empty. */
  readonly names: readonly string[];
  readonly peers: boolean;
  readonly runs: number;
  /** The duration of the churn in seconds. */
  readonly seconds: number;
  readonly json?: string;
  readonly plots?: string;
  readonly against?: string;
  /** A file with the results of an earlier command, from which the page of the documentation is generated. */
  readonly docs?: string;
  readonly list: boolean;
}

const DEFAULTS = { runs: '5', seconds: '300' };

/** Parses the arguments. Throws an error with the usage if an argument is not valid. */
export function parseOptions(args: readonly string[]): BenchOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      peers: { type: 'boolean', default: false },
      runs: { type: 'string', default: DEFAULTS.runs },
      seconds: { type: 'string', default: DEFAULTS.seconds },
      json: { type: 'string' },
      plots: { type: 'string' },
      against: { type: 'string' },
      docs: { type: 'string' },
      list: { type: 'boolean', default: false },
    },
  });
  const { peers, list, json, plots, against, docs } = values;
  return {
    names: positionals,
    peers,
    list,
    runs: positive('runs', values.runs),
    seconds: positive('seconds', values.seconds),
    ...(json !== undefined && { json: resolve(json) }),
    ...(plots !== undefined && { plots: resolve(plots) }),
    ...(against !== undefined && { against: resolve(against) }),
    ...(docs !== undefined && { docs: resolve(docs) }),
  };
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new Error(`--${name} ${text} is invalid; use a positive integer`);
}
