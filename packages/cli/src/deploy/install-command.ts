import { Command, Option } from 'commander';
import type { CommandContext } from '../command/command-context.js';
import { withExamples } from '../command/examples.js';
import { jsonOption, yesOption } from '../command/options.js';
import type { ClusterChoice } from './kube-api.js';
import { clusterOptions } from './target.js';

/** What `kubewright install` was asked. */
export interface InstallOptions extends ClusterChoice {
  readonly dryRun?: boolean;
  readonly forceConflicts?: boolean;
}

/** `kubewright install`: puts the kinds of the project into a cluster. */
export function installCommand(context: CommandContext): Command {
  const command = new Command('install')
    .description('put the CustomResourceDefinitions of the project into a cluster, and wait until they are served')
    .addOption(new Option('--dry-run', 'let the cluster check everything, and change nothing'))
    .addOption(new Option('--force-conflicts', 'take over fields that somebody else wrote'))
    .addOption(jsonOption())
    .addOption(yesOption())
    .action(async (options: InstallOptions) => {
      const { runInstall } = await import('./run-install.js');
      await runInstall(context, options);
    });
  for (const option of clusterOptions()) command.addOption(option);
  return withExamples(command, [
    ['kubewright install', 'into the current context; then `kubewright run` runs the operator from here'],
    ['kubewright install --context kind-dev', 'into another cluster'],
  ]);
}
