import { Command, Option } from 'commander';
import type { CommandContext } from '../command/command-context.js';
import { CommandGroup } from '../command/command-group.js';
import { withExamples } from '../command/examples.js';
import { jsonOption } from '../command/options.js';

/** What `kubewright migrate` was told. */
export interface MigrateOptions {
  readonly crd?: readonly string[];
}

/** `kubewright migrate`: a new project out of one that was made with kubebuilder. */
export function migrateCommand(context: CommandContext): Command {
  const command = new Command('migrate')
    .description(
      'make a new project of one that was made with kubebuilder: its kinds, and skeletons of its controllers',
    )
    .argument('<project>', 'the folder that has the PROJECT file')
    .argument('[folder]', 'where the new project comes to (default: NAME-ts, beside the current folder)')
    .addOption(new Option('--crd <file...>', "definitions of other operators' kinds that its controllers use"))
    .addOption(jsonOption())
    .action(async (project: string, folder: string | undefined, options: MigrateOptions) => {
      const { runMigrate } = await import('./run-migrate.js');
      await runMigrate(context, { ...options, project, ...(folder !== undefined && { folder }) });
    })
    .helpGroup(CommandGroup.project);
  return withExamples(command, [
    ['kubewright migrate ../memcached-operator', 'into memcached-operator-ts'],
    ['kubewright migrate . ../new --crd cert-manager.crds.yaml', 'with types of the kinds of another operator'],
  ]);
}
