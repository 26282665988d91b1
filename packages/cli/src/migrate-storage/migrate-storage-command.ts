import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommandContext } from '../command/command-context.js';
import { declaredCommand } from '../command/declared-command.js';
import { jsonOption, yesOption } from '../command/options.js';
import { clusterOptions } from '../deploy/target.js';
import type { MigrateStorageOptions } from './run-migrate-storage.js';

/** Declares `kubewright migrate-storage`, which stores all objects of the kinds of the project in the current storage version. */
export function migrateStorageCommand(context: CommandContext): Command {
  return declaredCommand({
    name: 'migrate-storage',
    description: 'store all objects in the storage version of their CustomResourceDefinition',
    options: [
      new Option('--rate <number>', 'the maximum number of writes per second').default(50).argParser(rateOf),
      new Option('--dry-run', 'validate all writes in the cluster without persisting them'),
      jsonOption(),
      yesOption(),
      ...clusterOptions(),
    ],
    examples: [
      ['kubewright migrate-storage --dry-run', 'print the number of objects, and which objects cannot be written'],
      ['kubewright migrate-storage --context production --yes', 'in a script, without confirmation'],
      ['kubewright migrate-storage foos.example.com', 'outside of a project'],
    ],
  })
    .argument('[names...]', 'CustomResourceDefinitions such as foos.example.com (default: those of the project)')
    .action(async (names: readonly string[], options: MigrateStorageOptions) => {
      const { runMigrateStorage } = await import('./run-migrate-storage.js');
      await runMigrateStorage(context, names, options);
    });
}

function rateOf(text: string): number {
  const rate = Number(text);
  if (rate > 0 && Number.isFinite(rate)) return rate;
  throw new InvalidArgumentError('write a number greater than 0, such as 50.');
}
