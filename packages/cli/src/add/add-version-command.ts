import { type Command, Option } from 'commander';
import type { CommandContext } from '../command/command-context.js';
import { declaredCommand } from '../command/declared-command.js';
import { jsonOption } from '../command/options.js';
import type { AddVersionOptions } from './run-add-version.js';

/** Declares `kubewright add version`, which adds a version to a kind. */
export function addVersionCommand(context: CommandContext): Command {
  return declaredCommand({
    name: 'version',
    description: 'add a version of a kind of yours, as a copy of another one',
    options: [
      new Option('--kind <kind>', 'that gets the version').makeOptionMandatory(),
      new Option('--version <version>', 'that is new, such as v2').makeOptionMandatory(),
      new Option('--from <version>', 'that is copied (default: the one that is stored)'),
      new Option('--group <group>', 'where several groups have the kind'),
      new Option('--stored', 'from now on objects are stored in the new version'),
      jsonOption(),
    ],
    examples: [
      ['kubewright add version --kind Website --version v2', 'a copy of the version that is stored'],
      ['kubewright add version --kind Website --from v1beta1 --version v1 --stored', 'store objects in the new one'],
    ],
  }).action(async (options: AddVersionOptions) => {
    const { runAddVersion } = await import('./run-add-version.js');
    await runAddVersion(context, options);
  });
}
