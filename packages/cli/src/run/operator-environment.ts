import { resolve } from 'node:path';
import type { CommandContext } from '../command/command-context.js';
import type { ClusterChoice } from '../deploy/kube-api.js';

/**
 * The environment of an operator that is run from here. Without a Pod there is no namespace for its Lease, and nobody to contend with: it
 * does not take part in an election unless that is asked for.
 */
export function operatorEnvironment(
  { env, cwd }: Pick<CommandContext, 'env' | 'cwd'>,
  { kubeconfig, context }: ClusterChoice,
): NodeJS.ProcessEnv {
  return {
    KUBEWRIGHT_LEADER_ELECT: 'false',
    ...env,
    ...(kubeconfig !== undefined && { KUBEWRIGHT_KUBECONFIG: resolve(cwd, kubeconfig) }),
    ...(context !== undefined && { KUBEWRIGHT_CONTEXT: context }),
  };
}
