import { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import type { CommandContext } from '../command/command-context.js';
import type { ClusterChoice } from '../deploy/kube-api.js';
import { withCluster } from '../deploy/with-cluster.js';

/**
 * Reads the definitions of the given kinds from a cluster. Omits kinds that are not installed. Rejects with the errors of `withCluster`.
 */
export async function definitionsInCluster(
  context: CommandContext,
  options: ClusterChoice,
  crds: readonly CustomResourceDefinition[],
): Promise<readonly CustomResourceDefinition[]> {
  const found: CustomResourceDefinition[] = [];
  await withCluster(context, options, async ({ client }) => {
    for (const { metadata } of crds) {
      const known = await client.live.find(CustomResourceDefinition, { name: metadata.name });
      if (known !== undefined) found.push(known);
    }
  });
  return found;
}
