import { Option } from 'commander';

/** Returns the option `--json`. A command with this option calls `context.output.json(document)` once. */
export function jsonOption(): Option {
  return new Option('--json', 'print one JSON document');
}
/** Returns the option `--yes`. With this option, `context.agreed` is true and `context.interactive` is false. */
export function yesOption(): Option {
  return new Option('-y, --yes', 'use the defaults, and do not prompt');
}
