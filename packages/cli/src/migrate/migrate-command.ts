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
    description: 'make a new project out of one of kubebuilder',
    options: [
      new Option('--crd <file...>', "definitions of other operators' kinds that its controllers use"),
      jsonOption(),
    ],
    notes: [
      'It has the kinds of the other as classes, and skeletons of its controllers;',
      'MIGRATION.md tells what is left to do.',
    ],
    examples: [
      ['kubewright migrate ../memcached-operator', 'into memcached-operator-ts'],
      ['kubewright migrate . ../new --crd cert-manager.crds.yaml', 'with types of the kinds of another operator'],
    ],
  })
    .argument('<project>', 'the folder that has the PROJECT file')
    .argument('[folder]', 'where the new project comes to (default: NAME-ts)')
    .action(async (project: string, folder: string | undefined, options: MigrateOptions) => {
      const { runMigrate } = await import('./run-migrate.js');
      await runMigrate(context, { ...options, project, ...(folder !== undefined && { folder }) });
    })
    .helpGroup(CommandGroup.project);
}
