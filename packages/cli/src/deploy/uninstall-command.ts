import type { Command } from 'commander';
import type { CommandContext } from '../command/command-context.js';
import { declaredCommand } from '../command/declared-command.js';
import { jsonOption, yesOption } from '../command/options.js';
import type { ClusterChoice } from './kube-api.js';
import { clusterOptions } from './target.js';

/** Declares `kubewright uninstall`, which removes the kinds of the project from a cluster. */
export function uninstallCommand(context: CommandContext): Command {
  return declaredCommand({
    name: 'uninstall',
    description:
      'delete the CustomResourceDefinitions of the project from a cluster, including all objects of these kinds',
    options: [jsonOption(), yesOption(), ...clusterOptions()],
    examples: [
      ['kubewright uninstall', 'ask for confirmation if objects exist or the cluster is not local'],
      ['kubewright uninstall --yes', 'in a script, without confirmation'],
    ],
  }).action(async (options: ClusterChoice) => {
    const { runUninstall } = await import('./run-uninstall.js');
    await runUninstall(context, options);
  });
}
