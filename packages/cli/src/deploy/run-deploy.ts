import type { KubeObject } from '@kubewright/api';
import { append } from '@kubewright/api/json';
import type { CommandContext } from '../command/command-context.js';
import { timeoutMs } from '../command/timeout-ms.js';
import { objectsToApply } from '../dev-sessions/objects-to-apply.js';
import { applyObjects, type DoneObject, inSteps } from './apply-objects.js';
import { untilServed } from './definitions.js';
import { deployedObjects } from './deployed-objects.js';
import { describeObject, type KubeApi } from './kube-api.js';
import { rolledOut } from './rollout.js';
import { agreeToCluster, describeCluster } from './target.js';
import { declaredProject, withCluster } from './with-cluster.js';
import type { InstallOptions } from './run-install.js';
import { removeOldPolicies } from './operator-policies.js';
import { removeOldConfigurations, untilInjected } from './webhook-configurations.js';

/** The options of `kubewright deploy`. */
export interface DeployOptions extends InstallOptions {
  readonly image?: string;
  readonly wait: boolean;
  readonly timeout: string;
}

/**
 * Runs `kubewright deploy`: applies the objects of config/default, and deletes the webhook configurations and admission policies that the
 * operator no longer has. Waits until the Deployments are available and the webhooks have a CA bundle. Does not wait for these conditions
 * with `--no-wait` or `--dry-run`. Applies webhook configurations and admission policies last, so that the API server does not call
 * webhooks that are not available yet.
 */
export async function runDeploy(context: CommandContext, options: DeployOptions): Promise<void> {
  const { output, signal, env } = context;
  const limitMs = timeoutMs(options.timeout);
  const declared = await declaredProject(context);
  const { name } = declared.project.settings;
  const { image, dryRun = false, forceConflicts: force = false, wait } = options;
  const objects = await deployedObjects(declared, { env, ...(image !== undefined && { image }) });
  await withCluster(context, options, async (api) => {
    const where = describeCluster(api.connection);
    const { bold, dim, green } = output.styles;
    output.line(`${bold(name)} ${dim('→')} ${where}${dryRun ? dim(' (dry run)') : ''}`);
    if (!dryRun) await agreeToCluster(context, api.connection, `deploy ${name}`);
    const applied = await objectsToApply(context, api, { objects, dryRun });
    const { first, definitions, rest, admission } = inSteps(applied);
    const waits = wait && !dryRun;
    const { settings } = declared.project;
    const done: DoneObject[] = [];
    append(done, await removeOldConfigurations(context, api, { settings, objects, dryRun }));
    append(done, await removeOldPolicies(context, api, { settings, objects, dryRun }));
    append(done, await applyObjects(api, first, { output, dryRun, force }));
    if (!dryRun) await untilServed(api, definitions, signal);
    append(done, await applyObjects(api, rest, { output, dryRun, force, known: done }));
    if (waits) await allRolledOut(context, api, { objects, limitMs });
    append(done, await applyObjects(api, admission, { output, dryRun, force, known: done }));
    // Does not wait if the user provides the certificates in files, because the user may add the CA bundle after this command.
    const isInjected = declared.declared.operator.webhooks?.certificates.source !== 'files';
    if (waits && isInjected) await untilInjected(api, { settings, objects: admission, limitMs, signal });
    output.json({ cluster: api.connection.server, context: api.connection.context, dryRun, objects: done });
    const changed = done.filter(({ outcome }) => outcome !== 'unchanged').length;
    if (changed === 0) output.line(`nothing changed: all ${done.length} objects are up to date in ${where}`);
    else if (dryRun) output.line(dim(`${changed} of ${done.length} objects would change`));
    else output.line(wait ? green(`${name} is available`) : dim(`${changed} of ${done.length} objects changed`));
  });
}

/** Waits until all Deployments among the objects are available, and prints the progress. */
async function allRolledOut(
  { output, signal }: CommandContext,
  api: KubeApi,
  { objects, limitMs }: { readonly objects: readonly KubeObject[]; readonly limitMs: number },
): Promise<void> {
  for (const deployment of objects.filter(({ kind }) => kind === 'Deployment')) {
    const progress = (text: string): void =>
      output.note(output.errorStyles.dim(`  ${describeObject(deployment)}: ${text}`));
    await rolledOut(api, deployment, { limitMs, signal, progress });
  }
}
