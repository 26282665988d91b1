import { join, relative, resolve } from 'node:path';
import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { KubewrightError } from '@kubewright/api/errors';
import { ApiServer } from '@kubewright/apiserver';
import { readOptionFiles } from '@kubewright/apiserver/internal';
import { isKubeconfigText } from '@kubewright/runtime/internal';
import type { CommandContext } from '../command/command-context.js';
import { type ClusterChoice, KubeApi } from '../deploy/kube-api.js';
import { declaredDefinitions } from '../deploy/declared-definitions.js';
import { removeExpiredSessions } from '../dev-sessions/remove-expired-sessions.js';
import { withSessionConversions } from '../dev-sessions/replaced-conversion.js';
import { agreeToCluster, describeCluster } from '../deploy/target.js';
import type { InspectedProject } from '../project/inspected-project.js';
import { inspectedBy } from '../project/declared-by.js';
import type { Project } from '../project/project.js';
import { electionVariables } from '../run/election-variables.js';
import { operatorCluster, operatorEnvironment } from '../run/operator-environment.js';
import { ClusterWebhooks } from './cluster-webhooks.js';
import { devFolder } from './dev-folder.js';
import type { DevOptions } from './dev-options.js';
import { DevPolicies } from './dev-policies.js';
import { DevWebhooks } from './dev-webhooks.js';
import { SessionRecords } from './session-records.js';
import { parseWebhookAddress } from './webhook-address.js';
import type { WebhookRegistration } from './webhook-registration.js';

/** The name of the context in the kubeconfig of the embedded API server. */
const CONTEXT = 'kubewright';

/** The cluster that `kubewright dev` uses: an embedded API server or an existing cluster. */
export interface DevCluster extends AsyncDisposable {
  readonly api: KubeApi;
  /** Whether the cluster is the embedded API server, which only this project uses. */
  readonly isOwn: boolean;
  /** The environment variables of the operator, including the connection to the cluster. */
  readonly env: NodeJS.ProcessEnv;
  /** The registration of the operator's webhooks. Undefined if the API server may not be able to connect to this machine. */
  readonly webhooks?: WebhookRegistration;
  /** The policies of the operator. Undefined in an existing cluster, in which policies would affect other users. */
  readonly policies?: DevPolicies;
  /** Removes the webhooks of earlier sessions that were terminated. Their webhooks would fail, because no process serves them. */
  removeEndedSessions(): Promise<void>;
  /** Returns the definitions to install. */
  definitions(declared: InspectedProject): Promise<readonly CustomResourceDefinition[]>;
  /** A short description of the cluster for output. */
  readonly description: string;
  /** The start of a kubectl command line for the cluster, such as `kubectl --context kind-dev`. */
  readonly kubectl: string;
}

/**
 * Starts an embedded API server, or with `--cluster` connects to an existing cluster. Rejects if the start or the connection fails.
 * @throws KubewrightError NOT_CONFIRMED or DECLINED if the user does not confirm the use of the cluster; INVALID_USAGE if the port, the
 *   address for webhooks, the nodes or the behavior of Pods are invalid
 */
export async function openDevCluster(
  context: CommandContext,
  project: Project,
  options: DevOptions,
): Promise<DevCluster> {
  return options.cluster === true ? existing(context, project, options) : embedded(context, project, options);
}

async function existing(context: CommandContext, project: Project, options: DevOptions): Promise<DevCluster> {
  const variables = options.leaderElect === true ? await declaredElection(context, project) : {};
  const choice = operatorCluster(context, options);
  const address = options.webhookAddress === undefined ? undefined : parseWebhookAddress(options.webhookAddress);
  const api = await KubeApi.open(choice, { env: context.env, warn: warner(context) });
  let webhooks: WebhookRegistration | undefined;
  try {
    await agreeToCluster(context, api.connection, 'install the kinds and the samples of the project');
    if (address !== undefined) webhooks = await ClusterWebhooks.open({ context, project, api, address });
  } catch (error) {
    await api[Symbol.asyncDispose]();
    throw error;
  }
  return {
    api,
    isOwn: false,
    ...(webhooks !== undefined && { webhooks }),
    removeEndedSessions: () => removeEndedSessions(context, project, api),
    definitions: (declared) => withSessionConversions(api, declaredDefinitions({ project, declared })),
    env: operatorEnvironment(context, choice, variables),
    description: describeCluster(api.connection),
    kubectl: kubectlFor(choice),
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

/**
 * Returns the start of a kubectl command line for a cluster. Omits `--kubeconfig` if the value is the text of a kubeconfig instead of a
 * path, because kubectl does not accept the text and the text contains secrets.
 */
export function kubectlFor(choice: ClusterChoice): string {
  const flags = Object.entries(choice).filter(([, value]) => !isKubeconfigText(value));
  return ['kubectl', ...flags.map(([flag, value]) => `--${flag} ${value}`)].join(' ');
}

async function embedded(context: CommandContext, project: Project, options: DevOptions): Promise<DevCluster> {
  const { data, port, kubernetesVersion } = options;
  const simulated = await readOptionFiles(options, { cwd: context.cwd, help: 'kubewright dev --help' });
  const folder = await devFolder(project);
  const onWarning = warner(context);
  const server = await ApiServer.start({
    port: portOf(port),
    kubernetesVersion,
    workloads: true,
    ...simulated,
    onWarning,
    ...(data !== undefined && { data: resolve(context.cwd, data) }),
  });
  const kubeconfig = join(folder, 'kubeconfig');
  await server.writeKubeconfig(kubeconfig);
  const { url, certificateAuthority: ca, token } = server;
  const api = new KubeApi({ server: url, ca, token, context: CONTEXT }, onWarning);
  const webhooks = await DevWebhooks.open({ api, settings: project.settings });
  return {
    api,
    isOwn: true,
    webhooks,
    policies: new DevPolicies(api, project.settings),
    removeEndedSessions: () => webhooks.unregister(),
    definitions: async ({ crds, externalCrds, operator }) => [
      ...webhooks.withConversions(crds, operator.webhooks),
      ...externalCrds,
    ],
    // These variables take precedence over a connection in the operator's code, so that the operator cannot use another cluster.
    env: { ...operatorEnvironment(context, { kubeconfig, context: CONTEXT }), KUBECONFIG: kubeconfig },
    description: `a local API server at ${url}${data === undefined ? '' : `, which stores its objects in ${data}`}`,
    kubectl: `KUBECONFIG=${relative(context.cwd, kubeconfig)} kubectl`,
    [Symbol.asyncDispose]: async () => {
      await api[Symbol.asyncDispose]();
      await server.stop();
    },
  };
}

/** Removes the webhooks of sessions whose Lease has expired, and of ended sessions of this project on this machine. Prints each change. */
async function removeEndedSessions(context: CommandContext, project: Project, api: KubeApi): Promise<void> {
  const { server } = api.connection;
  const records = await SessionRecords.open(project);
  const ended = await records.ended(server);
  await removeExpiredSessions(context, api, { hasEnded: (lease) => ended.has(lease) });
  await records.removeEnded(server);
}

async function declaredElection(context: CommandContext, project: Project): Promise<Readonly<Record<string, string>>> {
  const { operator } = await inspectedBy(project, context);
  return electionVariables(operator.leaderElection, project.settings);
}
function warner({ output }: CommandContext): (text: string) => void {
  return (text) => output.note(`${output.errorStyles.yellow('warning:')} ${text}`);
}
function portOf(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new KubewrightError('INVALID_USAGE', `invalid --port ${text}: use a number from 0 to 65535`);
}
