import { Deployment } from '@kubewright/api/apps/v1';
import { Lease } from '@kubewright/api/coordination/v1';
import { messageOf } from '@kubewright/api/errors';
import type { Client } from '@kubewright/runtime';
import type { CommandContext } from '../command/command-context.js';
import { TimeLimit } from '../command/time-limit.js';
import type { KubeApi } from '../deploy/kube-api.js';
import { objectNames } from '../manifests/object-names.js';
import type { InspectedProject } from '../project/inspected-project.js';
import type { Project } from '../project/project.js';
import { leaseOf } from './election-variables.js';

/** The time limit in milliseconds for all requests of this check. */
const TIME_LIMIT_MS = 5000;
/** The time in milliseconds for which an expired Lease still counts as held, because the clocks of the machines may differ. */
const CLOCK_SKEW_MS = 60_000;

/** The operator that runs on this machine, and the connection to the cluster in which the operator may also be deployed. */
export interface DeployedOperatorOptions {
  readonly project: Project;
  readonly declared: InspectedProject;
  readonly api: KubeApi;
  /** The command that the warning suggests for leader election, such as 'kubewright run --leader-elect'. */
  readonly electing: string;
}

/**
 * Prints a warning if the operator also runs in the cluster. Both operators would reconcile the same objects, because the local operator
 * does not take part in the leader election. The warning contains the holder of the Lease, or otherwise the number of replicas, and a
 * suggestion for pausing the deployed operator. If a request fails, prints the reason instead.
 */
export async function warnOfDeployedOperator(context: CommandContext, options: DeployedOperatorOptions): Promise<void> {
  const { output, signal } = context;
  const { yellow, dim } = output.errorStyles;
  using limit = new TimeLimit(signal, TIME_LIMIT_MS);
  const client = options.api.client.with({ signal: limit.signal });
  try {
    const [leader, deployment] = [await leaderOf(client, options), await deploymentOf(client, options)];
    const running = leader ?? deployment?.text;
    if (running === undefined) return;
    output.note(
      `${yellow('warning:')} the operator also runs in the cluster: ${running}. Both reconcile the same objects.`,
    );
    for (const remedy of remedies(options, { leader, deployment })) output.note(dim(`  ${remedy}`));
  } catch (error) {
    signal.throwIfAborted();
    output.note(dim(`cannot determine whether the operator also runs in the cluster: ${messageOf(error)}`));
  }
}

/**
 * Returns a sentence with the holder of the operator's Lease. Returns undefined if there is no Lease, if the Lease has no holder, or if the
 * Lease expired more than `CLOCK_SKEW_MS` ago.
 */
async function leaderOf(client: Client, { project, declared }: DeployedOperatorOptions): Promise<string | undefined> {
  const lease = leaseOf(declared.operator.leaderElection, project.settings);
  if (lease === undefined) return undefined;
  const { spec = {} } = (await client.live.find(Lease, lease)) ?? {};
  const { holderIdentity = '', renewTime, leaseDurationSeconds = 0 } = spec;
  const heldUntil = renewTime === undefined ? 0 : Date.parse(renewTime) + leaseDurationSeconds * 1000 + CLOCK_SKEW_MS;
  if (holderIdentity === '' || heldUntil < Date.now()) return undefined;
  return `'${holderIdentity}' holds the Lease ${lease.namespace}/${lease.name}`;
}

/** The Deployment of the operator with at least one replica. `text` describes the Deployment in messages. */
interface RunningDeployment {
  readonly name: string;
  readonly namespace: string;
  readonly text: string;
}

async function deploymentOf(
  client: Client,
  { project: { settings } }: DeployedOperatorOptions,
): Promise<RunningDeployment | undefined> {
  const key = { name: objectNames(settings).manager, namespace: settings.namespace };
  const found = await client.live.find(Deployment, key);
  const count = found?.status?.replicas ?? 0;
  if (count === 0) return undefined;
  const replicas = `${count} ${count === 1 ? 'replica' : 'replicas'}`;
  return { ...key, text: `Deployment ${key.namespace}/${key.name} has ${replicas}` };
}

function remedies(
  { declared, electing }: DeployedOperatorOptions,
  { leader, deployment }: { readonly leader: string | undefined; readonly deployment: RunningDeployment | undefined },
): readonly string[] {
  const pause =
    deployment === undefined
      ? 'to pause it, stop the process that holds the Lease'
      : `to pause it: kubectl scale deployment ${deployment.name} -n ${deployment.namespace} --replicas=0`;
  const elect =
    declared.operator.leaderElection === undefined || leader === undefined
      ? []
      : [`to take part in the election instead: ${electing}`];
  return [pause, ...elect];
}
