import type { Command } from 'commander';

/** A call of a command, and what it is for. */
export type Example = readonly [call: string, purpose: string];

/** Adds examples to the end of the help of a command. */
export function withExamples(command: Command, examples: readonly Example[]): Command {
  const lines = examples.flatMap(([call, purpose]) => [`  $ ${call}`, `      ${purpose}`]);
  return command.addHelpText('after', ['', 'Examples:', ...lines].join('\n'));
}
