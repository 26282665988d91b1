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
      'take the CustomResourceDefinitions of the project out of a cluster, and with them all of their objects',
    options: [jsonOption(), yesOption(), ...clusterOptions()],
    examples: [
      ['kubewright uninstall', 'asks before objects are lost'],
      ['kubewright uninstall --yes', 'in a script: deletes them'],
    ],
  }).action(async (options: ClusterChoice) => {
    const { runUninstall } = await import('./run-uninstall.js');
    await runUninstall(context, options);
  });
}
