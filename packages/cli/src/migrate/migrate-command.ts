import { type Command, Option } from 'commander';
import type { CommandContext } from '../command/command-context.js';
import { CommandGroup } from '../command/command-group.js';
import { declaredCommand } from '../command/declared-command.js';
import { jsonOption } from '../command/options.js';
import type { MigrateOptions } from './run-migrate.js';

/** Declares `kubewright migrate`, which creates a new project from a kubebuilder project. */
export function migrateCommand(context: CommandContext): Command {
  return declaredCommand({
    name: 'migrate',
    description: 'create a new project from a kubebuilder project',
    options: [
      new Option('--crd <file...>', "definitions of other operators' kinds that the controllers use"),
      jsonOption(),
    ],
    notes: [
      'The new project contains the kinds as classes, and skeletons of the controllers.',
      'MIGRATION.md lists the remaining tasks.',
    ],
    examples: [
      ['kubewright migrate ../memcached-operator', 'create the project in memcached-operator-ts'],
      ['kubewright migrate . ../new --crd cert-manager.crds.yaml', 'with types of the kinds of another operator'],
    ],
  })
    .argument('<project>', 'the folder with the PROJECT file')
    .argument('[folder]', 'the folder of the new project (default: NAME-ts)')
    .action(async (project: string, folder: string | undefined, options: MigrateOptions) => {
      const { runMigrate } = await import('./run-migrate.js');
      await runMigrate(context, { ...options, project, ...(folder !== undefined && { folder }) });
    })
    .helpGroup(CommandGroup.project);
}
