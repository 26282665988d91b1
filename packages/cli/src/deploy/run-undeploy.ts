import type { KubeObject } from '@kubewright/api';
import type { CommandContext } from '../command/command-context.js';
import { doneObject, type DoneObject } from './apply-objects.js';
import { deployedObjects } from './deployed-objects.js';
import { describeObject, FIELD_MANAGER, type KubeApi } from './kube-api.js';
import { agreeToCluster, describeCluster } from './target.js';
import { declaredProject, withCluster } from './with-cluster.js';
import type { ClusterChoice } from './kube-api.js';

/** What `kubewright undeploy` was asked. */
export interface UndeployOptions extends ClusterChoice {
  readonly dryRun?: boolean;
}

/** How long objects may take to go. */
const PATIENCE = '60s';

/** Does what `kubewright undeploy` was asked. */
export async function runUndeploy(context: CommandContext, options: UndeployOptions): Promise<void> {
  const { output } = context;
  const declared = await declaredProject(context);
  const { name } = declared.project.settings;
  const { dryRun = false } = options;
  const all = await deployedObjects(declared);
  // Kinds stay: with them would go what people have made of them.
  const objects = all.filter(({ kind }) => kind !== 'CustomResourceDefinition').toReversed();
  await withCluster(context, options, async (api) => {
    const where = describeCluster(api.connection);
    const found = await Promise.all(objects.map((object) => api.find(object)));
    const present = found.flatMap((object) => object ?? []);
    if (present.length > 0 && !dryRun) await agreeToCluster(context, api.connection, `take ${name} out of it`);
    const done: DoneObject[] = [];
    for (const object of present) done.push(await remove(context, api, { object, dryRun }));
    const absent = objects
      .filter((_object, at) => found[at] === undefined)
      .map((object) => doneObject(object, 'absent'));
    output.json({
      cluster: api.connection.server,
      context: api.connection.context,
      dryRun,
      objects: [...done, ...absent],
    });
    if (present.length === 0) output.line(`${name} is not in ${where}: nothing changed`);
    else
      output.line(
        output.styles.dim(`its kinds and their objects are still there; 'kubewright uninstall' takes them away`),
      );
  });
}

async function remove(
  { output, signal }: CommandContext,
  api: KubeApi,
  { object, dryRun }: { readonly object: KubeObject; readonly dryRun: boolean },
): Promise<DoneObject> {
  if (object.kind === 'Namespace' && !isOurs(object)) {
    output.line(`${output.styles.dim('kept')} ${describeObject(object)}: somebody else made it`);
    return doneObject(object, 'kept');
  }
  if (!dryRun) {
    await api.client.delete(object, { propagation: 'Foreground' });
    await api.cache.gone(object, { timeout: PATIENCE, signal });
  }
  output.line(`${output.styles.red(dryRun ? 'would delete' : 'deleted')} ${describeObject(object)}`);
  return doneObject(object, 'deleted');
}

/** Whether nobody but this command, and the controllers of the cluster, has written into it. */
function isOurs({ metadata }: KubeObject): boolean {
  const { managedFields = [] } = metadata as { readonly managedFields?: readonly ManagedFields[] };
  return managedFields.every(({ manager, subresource }) => manager === FIELD_MANAGER || subresource === 'status');
}
interface ManagedFields {
  readonly manager?: string;
  readonly subresource?: string;
}
