import { Command } from 'commander';
import type { CommandContext } from '../command/command-context.js';
import { withExamples } from '../command/examples.js';
import { jsonOption } from '../command/options.js';

/** What `kubewright add version` was told. */
export interface AddVersionOptions {
  readonly group?: string;
  readonly kind: string;
  /** @default the only version, or the one that is stored */
  readonly from?: string;
  readonly version: string;
  /** Whether the new version becomes the one that is stored. */
  readonly stored?: boolean;
}

/** `kubewright add version`: one more version of a kind. */
export function addVersionCommand(context: CommandContext): Command {
  const command = new Command('version')
    .description('add a version of a kind of yours, as a copy of another one')
    .requiredOption('--kind <kind>', 'that gets the version')
    .requiredOption('--version <version>', 'that is new, such as v2')
    .option('--from <version>', 'that is copied (default: the one that is stored)')
    .option('--group <group>', 'where several groups have the kind')
    .option('--stored', 'from now on objects are stored in the new version')
    .addOption(jsonOption())
    .action(async (options: AddVersionOptions) => {
      const { runAddVersion } = await import('./run-add-version.js');
      await runAddVersion(context, options);
    });
  return withExamples(command, [
    ['kubewright add version --kind Website --version v2', 'a copy of the version that is stored'],
    ['kubewright add version --kind Website --from v1beta1 --version v1 --stored', 'store objects in the new one'],
  ]);
}
