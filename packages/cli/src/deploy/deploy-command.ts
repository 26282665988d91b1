import { type Command, Option } from 'commander';
import type { CommandContext } from '../command/command-context.js';
import { declaredCommand } from '../command/declared-command.js';
import { jsonOption, yesOption } from '../command/options.js';
import { applyOptions } from './install-command.js';
import { clusterOptions } from './target.js';
import type { DeployOptions } from './run-deploy.js';

/** Declares `kubewright deploy`, which deploys the operator to a cluster. */
export function deployCommand(context: CommandContext): Command {
  return declaredCommand({
    name: 'deploy',
    description: 'put the operator into a cluster, with its kinds and rights, and wait until it is available',
    options: [
      new Option('--image <image>', 'run this image in place of the one of the project; no file is changed'),
      ...applyOptions(),
      new Option('--no-wait', 'do not wait until the operator is available'),
      new Option('--timeout <time>', 'how long to wait').default('2m'),
      jsonOption(),
      yesOption(),
      ...clusterOptions(),
    ],
    examples: [
      ['kubewright deploy --image registry.example.com/my-operator:v1', 'into the current context'],
      ['kubewright deploy --dry-run', 'see what would change, checked by the cluster'],
      ['kubewright deploy --context production --yes', 'in a script, which cannot be asked'],
    ],
  }).action(async (options: DeployOptions) => {
    const { runDeploy } = await import('./run-deploy.js');
    await runDeploy(context, options);
  });
}
