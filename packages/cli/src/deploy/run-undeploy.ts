import type { KubeObject } from '@kubewright/api';
import { Secret } from '@kubewright/api/core/v1';
import type { CommandContext } from '../command/command-context.js';
import { hasExpiredSessions, removeExpiredSessions } from '../dev-sessions/remove-expired-sessions.js';
import { certificateSecretName } from '../manifests/webhooks/certificate-secret.js';
import { doneObject, type DoneObject, inInstallOrder } from './apply-objects.js';
import { warnOfMissingConversion } from './conversion-services.js';
import { declaredDefinitions } from './declared-definitions.js';
import { deployedObjects } from './deployed-objects.js';
import { describeObject, FIELD_MANAGER, type KubeApi } from './kube-api.js';
import { agreeToCluster, describeCluster } from './target.js';
import { type DeclaredProject, declaredProject, withCluster } from './with-cluster.js';
import type { ClusterChoice } from './kube-api.js';

/** The options of `kubewright undeploy`. */
export interface UndeployOptions extends ClusterChoice {
  readonly dryRun?: boolean;
}

/**
 * The certificate sources whose Secret this command must delete, because the Secret is not in config/default and is not deleted with its
 * owner.
 */
const WITH_SECRET = ['manager', 'cert-manager'];

/** The time limit for the deletion of an object. */
const TIME_LIMIT = '60s';

/**
 * Runs `kubewright undeploy`: deletes the objects of config/default, the Secret with the webhook certificate, and the webhooks of expired
 * sessions of `kubewright dev`. Keeps the definitions, and a namespace that another client has created or changed.
 */
export async function runUndeploy(context: CommandContext, options: UndeployOptions): Promise<void> {
  const { output } = context;
  const declared = await declaredProject(context);
  const { name } = declared.project.settings;
  const { dryRun = false } = options;
  const all = inInstallOrder([
    ...(await deployedObjects(declared, { env: context.env })),
    ...certificateSecrets(declared),
  ]);
  // Does not delete the definitions, because this would also delete all objects of these kinds.
  const objects = all.filter(({ kind }) => kind !== 'CustomResourceDefinition').toReversed();
  await withCluster(context, options, async (api) => {
    const where = describeCluster(api.connection);
    const found = await Promise.all(objects.map((object) => api.find(object)));
    const present = found.flatMap((object) => object ?? []);
    const isChanged = present.length > 0 || (await hasExpiredSessions(api));
    if (isChanged && !dryRun) await agreeToCluster(context, api.connection, `undeploy ${name}`);
    const { removed } = await removeExpiredSessions(context, api, { dryRun });
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
    if (present.length === 0)
      return output.line(`${removed > 0 ? '' : 'nothing changed: '}${name} is not deployed in ${where}`);
    output.line(output.styles.dim(`the kinds and their objects still exist; 'kubewright uninstall' deletes them`));
    if (!dryRun) await warnOfMissingConversion(context, api, declaredDefinitions(declared));
  });
}

/** Returns the Secret with the certificates of the webhooks, which the manager or cert-manager creates, without its data. */
function certificateSecrets({ project, declared }: DeclaredProject): readonly KubeObject[] {
  const { webhooks } = declared.operator;
  if (webhooks === undefined || !WITH_SECRET.includes(webhooks.certificates.source)) return [];
  const name = certificateSecretName(project.settings, webhooks);
  return name === undefined ? [] : [new Secret({ metadata: { name, namespace: project.settings.namespace } })];
}

async function remove(
  { output, signal }: CommandContext,
  api: KubeApi,
  { object, dryRun }: { readonly object: KubeObject; readonly dryRun: boolean },
): Promise<DoneObject> {
  if (object.kind === 'Namespace' && !isOurs(object)) {
    output.line(`${output.styles.dim('kept')} ${describeObject(object)}: another client created or changed it`);
    return doneObject(object, 'kept');
  }
  if (!dryRun) {
    await api.client.delete(object, { propagation: 'Foreground' });
    await api.cache.untilDeleted(object, { timeout: TIME_LIMIT, signal });
  }
  output.line(`${output.styles.red(dryRun ? 'would delete' : 'deleted')} ${describeObject(object)}`);
  return doneObject(object, 'deleted');
}

/** Reports whether `kubewright` is the only field manager of the object. Ignores field managers of the status. */
function isOurs({ metadata }: KubeObject): boolean {
  const { managedFields = [] } = metadata as { readonly managedFields?: readonly ManagedFields[] };
  return managedFields.every(({ manager, subresource }) => manager === FIELD_MANAGER || subresource === 'status');
}
interface ManagedFields {
  readonly manager?: string;
  readonly subresource?: string;
}
