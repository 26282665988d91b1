import { resolve } from 'node:path';
import { isKubeconfigText } from '@kubewright/runtime/internal';
import type { CommandContext } from '../command/command-context.js';
import type { ClusterChoice } from '../deploy/kube-api.js';
import { withCommandVariables } from './command-variables.js';

/**
 * Returns the kubeconfig and the context for an operator on this machine: the options of the command, or otherwise KUBEWRIGHT_KUBECONFIG
 * and KUBEWRIGHT_CONTEXT. Makes the path of a kubeconfig absolute. Does not change the text of a kubeconfig.
 */
export function operatorCluster(
  { env, cwd }: Pick<CommandContext, 'env' | 'cwd'>,
  options: ClusterChoice,
): ClusterChoice {
  const kubeconfig = options.kubeconfig ?? env['KUBEWRIGHT_KUBECONFIG'];
  const context = options.context ?? env['KUBEWRIGHT_CONTEXT'];
  return {
    ...(kubeconfig && { kubeconfig: isKubeconfigText(kubeconfig) ? kubeconfig : resolve(cwd, kubeconfig) }),
    ...(context && { context }),
  };
}

/**
 * Returns the environment variables of an operator on this machine. Disables leader election, unless the environment or `more` enables it.
 *
 * @param more further variables, such as the result of `electionVariables`
 */
export function operatorEnvironment(
  { env }: Pick<CommandContext, 'env'>,
  { kubeconfig, context }: ClusterChoice,
  more: Readonly<Record<string, string>> = {},
): NodeJS.ProcessEnv {
  const set = {
    ...more,
    ...(kubeconfig !== undefined && { KUBEWRIGHT_KUBECONFIG: kubeconfig }),
    ...(context !== undefined && { KUBEWRIGHT_CONTEXT: context }),
  };
  return withCommandVariables(env, { set, byDefault: { KUBEWRIGHT_LEADER_ELECT: 'false' } });
}
