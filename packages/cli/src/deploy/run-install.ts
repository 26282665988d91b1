import type { CommandContext } from '../command/command-context.js';
import { objectsToApply } from '../dev-sessions/objects-to-apply.js';
import { applyObjects, counted } from './apply-objects.js';
import { warnOfMissingConversion } from './conversion-services.js';
import { declaredDefinitions } from './declared-definitions.js';
import { untilServed } from './definitions.js';
import { agreeToCluster, describeCluster } from './target.js';
import { declaredProject, withCluster } from './with-cluster.js';
import type { ClusterChoice } from './kube-api.js';

/** The options of `kubewright install`. */
export interface InstallOptions extends ClusterChoice {
  readonly dryRun?: boolean;
  readonly forceConflicts?: boolean;
}

/** Runs `kubewright install`: applies the definitions of the project, and waits until the API server serves the kinds. */
export async function runInstall(context: CommandContext, options: InstallOptions): Promise<void> {
  const { output, signal } = context;
  const crds = declaredDefinitions(await declaredProject(context));
  const { dryRun = false, forceConflicts: force = false } = options;
  await withCluster(context, options, async (api) => {
    if (!dryRun) await agreeToCluster(context, api.connection, `install ${counted(crds.length, 'kind')}`);
    const applied = await objectsToApply(context, api, { objects: crds, dryRun });
    const objects = await applyObjects(api, applied, { output, dryRun, force });
    if (!dryRun)
      await untilServed(
        api,
        crds.map(({ metadata }) => metadata.name),
        signal,
      );
    await warnOfMissingConversion(context, api, crds);
    output.json({ cluster: api.connection.server, context: api.connection.context, dryRun, objects });
    const { dim } = output.styles;
    const changed = objects.filter(({ outcome }) => outcome !== 'unchanged').length;
    const where = describeCluster(api.connection);
    if (crds.length === 0) output.line('nothing changed: the project declares no kinds');
    else if (changed === 0)
      output.line(`nothing changed: ${counted(crds.length, 'kind')} already installed in ${where}`);
    else
      output.line(
        dim(
          dryRun
            ? `dry run: ${where} was not changed`
            : `${where} serves ${counted(crds.length, 'kind')} of the project`,
        ),
      );
  });
}
