import { Option } from 'commander';

/** `--json`, for commands that a program may read. With it, say `context.output.json(document)` once. */
export function jsonOption(): Option {
  return new Option('--json', 'print one JSON document');
}
/** `--yes`, for commands that would ask something. With it `context.agreed` is true and `context.interactive` false. */
export function yesOption(): Option {
  return new Option('-y, --yes', 'ask nothing: take the defaults and go on');
}
