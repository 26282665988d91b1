import { KubewrightError } from '@kubewright/api/errors';
import { Command } from 'commander';
import { CommandGroup } from './command-group.js';
import { nearest } from '@kubewright/api/names';

/** Declares `kubewright help [command...]`, which prints the help of a command, a subcommand, or the program. */
export function helpCommand(program: Command): Command {
  return new Command('help')
    .argument('[command...]')
    .description('print the help of a command')
    .helpGroup(CommandGroup.other)
    .action((path: readonly string[]) => {
      let command = program;
      for (const name of path) command = subcommand(command, name);
      command.outputHelp();
    });
}

/** Throws INVALID_USAGE for a name that is not the name of a subcommand. */
function subcommand(command: Command, name: string): Command {
  const found = command.commands.find((each) => each.name() === name);
  if (found !== undefined) return found;
  const names = command.commands.map((each) => each.name());
  const near = nearest(name, names);
  const remedy = near === undefined ? `use one of ${names.join(', ')}` : `did you mean ${near}?`;
  throw new KubewrightError(
    'INVALID_USAGE',
    names.length === 0 ? `${command.name()} has no command '${name}'` : `unknown command '${name}'; ${remedy}`,
  );
}
