import { resolve } from 'node:path';
import { isKubeconfigText } from '@kubewright/runtime/internal';
import type { CommandContext } from '../command/command-context.js';
import type { ClusterChoice } from '../deploy/kube-api.js';
import { withCommandVariables } from './command-variables.js';

/**
 * Returns the cluster of an operator that this command starts: that of the options, else that of the operator's settings in the
 * environment. A path becomes absolute; the text of a kubeconfig stays as it is.
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
 * The environment of an operator that is run from here. It does not take part in an election unless that is requested.
 *
 * @param more other variables, such as `electionVariables`
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
