import { Option } from 'commander';

/** Returns the option `--json`. A command with this option calls `context.output.json(document)` once. */
export function jsonOption(): Option {
  return new Option('--json', 'print one JSON document');
}
/** Returns the option `--yes`. It sets `context.agreed` to true and `context.interactive` to false. */
export function yesOption(): Option {
  return new Option('-y, --yes', 'use the defaults, and do not prompt');
}
