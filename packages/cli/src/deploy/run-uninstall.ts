import type { KubeObject } from '@kubewright/api';
import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import type { CommandContext } from '../command/command-context.js';
import { confirm } from '../command/confirm.js';
import { removeExpiredSessions } from '../dev-sessions/remove-expired-sessions.js';
import { counted, doneObject } from './apply-objects.js';
import { withoutMissingConversion } from './conversion-services.js';
import { countObjects, removeDefinition } from './definitions.js';
import { type ClusterChoice, describeObject, type KubeApi } from './kube-api.js';
import { agreeToCluster, describeCluster } from './target.js';
import { declaredProject, withCluster } from './with-cluster.js';

/** Runs `kubewright uninstall`: deletes the definitions of the project, and all objects of these kinds. */
export async function runUninstall(context: CommandContext, options: ClusterChoice): Promise<void> {
  const { output, signal } = context;
  const { declared } = await declaredProject(context);
  await withCluster(context, options, async (api) => {
    let present = await installed(api, declared.crds);
    if (present.length > 0) {
      await agree(context, api, present);
      // Restores conversions, so that the API server can read the objects in order to delete them.
      if ((await removeExpiredSessions(context, api)).removed > 0) present = await installed(api, declared.crds);
    }
    for (const crd of present) {
      await withoutMissingConversion(context, api, crd);
      await removeDefinition(api, crd, signal);
      output.line(`${output.styles.red('deleted')} ${describeObject(crd)}`);
    }
    const isPresent = (name: string): boolean => present.some(({ metadata }) => metadata.name === name);
    const objects = declared.crds.map((crd) => doneObject(crd, isPresent(crd.metadata.name) ? 'deleted' : 'absent'));
    output.json({ cluster: api.connection.server, context: api.connection.context, objects });
    if (present.length === 0)
      output.line(`nothing changed: none of the kinds is installed in ${describeCluster(api.connection)}`);
  });
}

async function installed(
  api: KubeApi,
  crds: readonly CustomResourceDefinition[],
): Promise<readonly CustomResourceDefinition[]> {
  const found: readonly (KubeObject | undefined)[] = await Promise.all(crds.map((crd) => api.find(crd)));
  return found.flatMap((crd) => crd ?? []) as readonly KubeObject[] as readonly CustomResourceDefinition[];
}

/** Asks the user to confirm if objects of the kinds exist, or if the cluster does not seem to be local. */
async function agree(
  context: CommandContext,
  api: KubeApi,
  present: readonly CustomResourceDefinition[],
): Promise<void> {
  const all = await Promise.all(present.map(async (crd) => ({ crd, count: await countObjects(api, crd) })));
  const used = all.filter(({ count }) => count !== 0);
  const what = `uninstall ${counted(present.length, 'kind')}`;
  if (used.length === 0) return agreeToCluster(context, api.connection, what);
  const objects = used
    .map(({ crd, count }) => `${count ?? 'an unknown number of'} ${crd.spec.names.plural}`)
    .join(', ');
  const reason = `${describeCluster(api.connection)} has objects that would be deleted: ${objects}`;
  await confirm(context, { what, reason });
}
