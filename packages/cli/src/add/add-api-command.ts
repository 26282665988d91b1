import { Command } from 'commander';
import type { CommandContext } from '../command/command-context.js';
import { withExamples } from '../command/examples.js';
import { jsonOption } from '../command/options.js';

/** What `kubewright add api` was told. */
export interface AddApiOptions {
  readonly group?: string;
  readonly kind: string;
  readonly version: string;
  readonly clusterScoped?: boolean;
  /** False with `--no-controller`. */
  readonly controller: boolean;
}

/** `kubewright add api`: a kind of one's own, with a controller and its test. */
export function addApiCommand(context: CommandContext): Command {
  const command = new Command('api')
    .description('add a kind of your own: its class, a controller and a test')
    .requiredOption('--kind <kind>', 'in PascalCase, such as VirtualMachine')
    .option('--version <version>', 'of the kind', 'v1')
    .option('--group <group>', 'before the domain of the project, or whole (default: that of the other kinds)')
    .option('--cluster-scoped', 'objects live in no namespace')
    .option('--no-controller', 'the class only')
    .addOption(jsonOption())
    .action(async (options: AddApiOptions) => {
      const { runAddApi } = await import('./run-add-api.js');
      await runAddApi(context, options);
    });
  return withExamples(command, [
    ['kubewright add api --kind Database', 'in the group that the project has'],
    ['kubewright add api --group billing --kind Invoice --version v1beta1', 'in another group'],
    ['kubewright add api --kind Region --cluster-scoped --no-controller', 'the class only'],
  ]);
}
