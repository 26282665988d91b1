import type { Command } from 'commander';

/** An example in the help: a command line, and its description. */
export type Example = readonly [call: string, purpose: string];

/** Adds examples to the end of a command's help. */
export function withExamples(command: Command, examples: readonly Example[]): Command {
  const lines = examples.flatMap(([call, purpose]) => [`  $ ${call}`, `      ${purpose}`]);
  return command.addHelpText('after', ['', 'Examples:', ...lines].join('\n'));
}
