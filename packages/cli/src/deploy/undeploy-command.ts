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
    description: 'delete the operator from a cluster, but not its kinds and their objects',
    options: [
      new Option('--dry-run', 'print the objects that would be deleted, without deleting them'),
      jsonOption(),
      yesOption(),
      ...clusterOptions(),
    ],
    examples: [
      ['kubewright undeploy', 'use the current context'],
      ['kubewright uninstall', 'afterwards, delete the kinds of the operator and all objects of these kinds'],
    ],
  }).action(async (options: UndeployOptions) => {
    const { runUndeploy } = await import('./run-undeploy.js');
    await runUndeploy(context, options);
  });
}
