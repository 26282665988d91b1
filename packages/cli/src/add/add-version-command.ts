import { type Command, Option } from 'commander';
import type { CommandContext } from '../command/command-context.js';
import { declaredCommand } from '../command/declared-command.js';
import { jsonOption } from '../command/options.js';
import type { AddVersionOptions } from './run-add-version.js';

/** Declares `kubewright add version`, which adds a version to a kind. */
export function addVersionCommand(context: CommandContext): Command {
  return declaredCommand({
    name: 'version',
    description: 'add a version of one of your kinds, as a copy of another version',
    options: [
      new Option('--kind <kind>', 'the kind to extend').makeOptionMandatory(),
      new Option('--version <version>', 'the new version, such as v2').makeOptionMandatory(),
      new Option('--from <version>', 'the version to copy (default: the storage version)'),
      new Option('--group <group>', 'the group of the kind, if several groups have this kind'),
      new Option('--stored', 'make the new version the storage version'),
      new Option('--converter', 'add a converter between the new version and the storage version'),
      new Option('--no-converter', 'do not ask for a converter in a terminal'),
      jsonOption(),
    ],
    examples: [
      ['kubewright add version --kind Website --version v2', 'copy the storage version'],
      [
        'kubewright add version --kind Website --from v1beta1 --version v1 --stored',
        'store objects in the new version',
      ],
      ['kubewright add version --kind Website --version v2 --converter', 'add a version with other fields'],
    ],
  }).action(async (options: AddVersionOptions) => {
    const { runAddVersion } = await import('./run-add-version.js');
    await runAddVersion(context, options);
  });
}
