import { isReady } from '@kubewright/api';
import { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { isForbidden, KubewrightError } from '@kubewright/api/errors';
import { append } from '@kubewright/api/json';
import type { CommandContext } from '../command/command-context.js';
import { declaredDefinitions } from '../deploy/declared-definitions.js';
import type { ClusterChoice, KubeApi } from '../deploy/kube-api.js';
import { describeCluster } from '../deploy/target.js';
import { type DeclaredProject, withCluster } from '../deploy/with-cluster.js';
import { withSessionConversions } from '../dev-sessions/replaced-conversion.js';
import { checkDevSessions } from './check-dev-sessions.js';
import { checkWebhooks } from './check-webhooks.js';
import { type Finding, ok, refused, warning, wrong } from './finding.js';

/**
 * Checks that the cluster responds, the sessions of `kubewright dev` in the cluster, that the installed definitions are equal to the
 * definitions of the project, and that the API server can call the webhooks of the project. Without a project, checks only the cluster and
 * the sessions. Does not change the cluster.
 */
export async function checkCluster(
  context: CommandContext,
  choice: ClusterChoice,
  project: DeclaredProject | undefined,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  try {
    await withCluster(context, choice, async (api) => {
      await api.discovery.findAll({ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' });
      findings.push(ok('cluster', `${describeCluster(api.connection)} answers`));
      append(findings, await checkDevSessions(api));
      if (project === undefined) return;
      for (const crd of await withSessionConversions(api, declaredDefinitions(project)))
        findings.push(await checkKind(api, crd));
      append(findings, await checkWebhooks(context, api, project));
    });
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof KubewrightError)) throw error;
    findings.push(refused('cluster', error));
  }
  return findings;
}

async function checkKind(api: KubeApi, crd: CustomResourceDefinition): Promise<Finding> {
  const { name } = crd.metadata;
  try {
    const found = await api.client.live.find(CustomResourceDefinition, { name });
    if (found === undefined) return warning('kinds', `${name} is not installed`, "run 'kubewright install'");
    if (!isReady(found)) {
      const reason =
        found.status?.conditions?.find(({ status }) => status === 'False')?.message ??
        'the definition is not established';
      return wrong(
        'kinds',
        `${name} is installed but not served: ${reason}`,
        'check the conditions of the definition; another definition may use its names',
      );
    }
    // Compares the definitions with a dry run, because only the server knows the defaults of omitted fields.
    const { outcome, changes } = await api.apply(crd, { dryRun: true, force: true });
    if (outcome === 'unchanged') return ok('kinds', `${name} is installed as declared`);
    const where = changes
      .map(({ field }) => field)
      .slice(0, 3)
      .join(', ');
    return wrong(
      'kinds',
      `${name} is installed with a different ${where}`,
      "run 'kubewright install'; 'kubewright diff --against cluster' reports what the change breaks",
    );
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return warning(
      'kinds',
      `cannot check ${name}: ${error.message}`,
      'request permission to get and patch customresourcedefinitions',
    );
  }
}
