import { Command } from 'commander';
import type { CommandContext } from '../command/command-context.js';
import { withExamples } from '../command/examples.js';
import { jsonOption, yesOption } from '../command/options.js';
import type { ClusterChoice } from './kube-api.js';
import { clusterOptions } from './target.js';

/** `kubewright uninstall`: takes the kinds of the project out of a cluster. */
export function uninstallCommand(context: CommandContext): Command {
  const command = new Command('uninstall')
    .description(
      'take the CustomResourceDefinitions of the project out of a cluster, and with them all of their objects',
    )
    .addOption(jsonOption())
    .addOption(yesOption())
    .action(async (options: ClusterChoice) => {
      const { runUninstall } = await import('./run-uninstall.js');
      await runUninstall(context, options);
    });
  for (const option of clusterOptions()) command.addOption(option);
  return withExamples(command, [
    ['kubewright uninstall', 'asks before objects are lost'],
    ['kubewright uninstall --yes', 'in a script: deletes them'],
  ]);
}
