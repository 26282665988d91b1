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
    description: 'deploy the operator to a cluster, with its kinds and RBAC rules, and wait until it is available',
    options: [
      new Option('--image <image>', 'deploy this image instead of the image of the project, without changing any file'),
      ...applyOptions(),
      new Option('--no-wait', 'do not wait until the operator is available'),
      new Option('--timeout <time>', 'the time limit for the wait').default('2m'),
      jsonOption(),
      yesOption(),
      ...clusterOptions(),
    ],
    examples: [
      ['kubewright deploy --image registry.example.com/my-operator:v1', 'use the current context'],
      ['kubewright deploy --dry-run', 'print what would change, after validation in the cluster'],
      ['kubewright deploy --context production --yes', 'in a script, without confirmation'],
    ],
  }).action(async (options: DeployOptions) => {
    const { runDeploy } = await import('./run-deploy.js');
    await runDeploy(context, options);
  });
}
