import { type Command, Option } from 'commander';
import type { CommandContext } from '../command/command-context.js';
import { declaredCommand } from '../command/declared-command.js';
import { jsonOption, yesOption } from '../command/options.js';
import { clusterOptions } from './target.js';
import type { InstallOptions } from './run-install.js';

/** Returns the options `--dry-run` and `--force-conflicts`. */
export function applyOptions(): readonly Option[] {
  return [
    new Option('--dry-run', 'validate all changes in the cluster without persisting them'),
    new Option('--force-conflicts', 'take over fields of other field managers'),
  ];
}

/** Declares `kubewright install`, which installs the kinds of the project in a cluster. */
export function installCommand(context: CommandContext): Command {
  return declaredCommand({
    name: 'install',
    description: 'install the CustomResourceDefinitions of the project in a cluster, and wait until they are served',
    options: [...applyOptions(), jsonOption(), yesOption(), ...clusterOptions()],
    examples: [
      ['kubewright install', 'use the current context; then `kubewright run` runs the operator on this machine'],
      ['kubewright install --context kind-dev', 'use another cluster'],
    ],
  }).action(async (options: InstallOptions) => {
    const { runInstall } = await import('./run-install.js');
    await runInstall(context, options);
  });
}
