import { type Command, Option } from 'commander';
import type { CommandContext } from '../command/command-context.js';
import { declaredCommand } from '../command/declared-command.js';
import { jsonOption, yesOption } from '../command/options.js';
import { clusterOptions } from './target.js';
import type { UndeployOptions } from './run-undeploy.js';

/** Declares `kubewright undeploy`, which removes the operator from a cluster. */
export function undeployCommand(context: CommandContext): Command {
  return declaredCommand({
    name: 'undeploy',
    description: 'take the operator out of a cluster; its kinds and their objects stay',
    options: [
      new Option('--dry-run', 'tell what would be deleted, and delete nothing'),
      jsonOption(),
      yesOption(),
      ...clusterOptions(),
    ],
    examples: [
      ['kubewright undeploy', 'out of the current context'],
      ['kubewright uninstall', 'then also its kinds, with all of their objects'],
    ],
  }).action(async (options: UndeployOptions) => {
    const { runUndeploy } = await import('./run-undeploy.js');
    await runUndeploy(context, options);
  });
}
