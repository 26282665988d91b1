import type { KindRef, KubeObject } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import type { FaultPlan, Nodes, PodRule, Workloads } from '@kubewright/apiserver';
import type { GivenLogger } from '@kubewright/runtime';
import { checkInitialObjects } from './initial-objects.js';

/** The options of `TestEnvironment.start`. */
export interface TestEnvironmentOptions {
  /** The classes whose CRDs are generated and installed. @default none */
  readonly kinds?: readonly KindRef[];
  /** Additional manifests of CustomResourceDefinitions to install: files, or folders of files. @default none */
  readonly crds?: readonly string[];
  /**
   * Manifests of webhook configurations: files, or folders such as the generated `config/webhook`. The environment registers these
   * configurations for its managers, instead of the configurations that result from the declarations. Each manager gets its own copy, in
   * which a URL of the manager replaces each Service. @default none
   */
  readonly webhooks?: readonly string[];
  /**
   * The initial objects, created in this order, with status. An object with a deletionTimestamp needs a finalizer and is being deleted at
   * the start. Objects can be copies from another cluster: the server sets new versions, uids and times, and owner references between the
   * objects get the new uids. In an existing cluster, the objects are deleted at the end. @default none
   *
   * @example await TestEnvironment.start({ kinds: [VirtualMachine], objects: [vm, new Secret({ metadata, data })] });
   */
  readonly objects?: readonly KubeObject[];
  /**
   * Runs Pods and reconciles Deployments, StatefulSets, DaemonSets, Jobs, CronJobs, Services and PersistentVolumeClaims, as in a cluster
   * with a kubelet. `true` enables all of these workloads. A list such as `['pods', 'jobs']` enables some of them on the embedded server,
   * and all of them on a control plane. Not supported on an existing cluster. @default false
   */
  readonly workloads?: Workloads;
  /**
   * The nodes of `workloads`: their number, or a list such as `[{ name: 'a', labels: { disk: 'ssd' } }, { name: 'b' }]`. Only the embedded
   * server supports this option. @default one node with the name 'embedded'
   */
  readonly nodes?: Nodes;
  /**
   * What the Pods of `workloads` do, such as `[{ selector: 'app=web', behaviour: { readyAfter: '5s' } }]`. `env.pods.behave` changes the
   * behavior later. Only the embedded server supports this option. @default the commands of the containers determine what the Pods do
   */
  readonly podBehaviours?: readonly PodRule[];
  /** The clock of the environment and of its managers. @default the system clock */
  readonly clock?: Clock;
  /**
   * 'embedded' is an API server in this process. 'control-plane' is a real control plane on this machine, with the programs in the folder
   * in KUBEWRIGHT_CONTROL_PLANE or KUBEBUILDER_ASSETS, or in Kubewright's cache folder. 'existing' is the cluster of the current
   * kubeconfig: kinds are installed with server-side apply, and new kinds are removed at the end. @default 'embedded'
   */
  readonly server?: 'embedded' | 'control-plane' | 'existing';
  /**
   * The version of Kubernetes, such as '1.36.3', or a series such as '1.36'. The embedded server emulates 1.35, 1.36 and 1.37, and reports
   * a patch version in `/version`. For a control plane, a series selects the newest available version. Not supported on an existing
   * cluster. @default '1.36.3' for the embedded server, and the newest available version for a control plane
   */
  readonly version?: string;
  /** The faults of requests and watches, such as `faultSchedule(seed)`. Not supported on an existing cluster. @default none */
  readonly faults?: FaultPlan;
  /**
   * How the clients of the environment send requests to the embedded server. 'network': over TLS connections to a port of 127.0.0.1.
   * 'in-process': as function calls with the same bytes, which takes less CPU time and always has the same order. The server also listens
   * on a port for other programs, such as kubectl. Only 'network' is supported for other servers. @default 'network'
   */
  readonly transport?: 'network' | 'in-process';
  /**
   * The permissions of the managers of this environment. 'derived': the permissions of the roles that are generated from the declarations,
   * with a separate ServiceAccount. 'admin': all permissions. @default 'derived' for `run`, 'admin' for `manager` and for an existing
   * cluster
   */
  readonly rbac?: 'derived' | 'admin';
  /**
   * Whether to record requests, changes and reconciles in `env.trace`. A control plane records no changes, and an existing cluster only
   * reconciles. @default false
   */
  readonly trace?: boolean;
  /** Receives the log lines of the managers of this environment: a `Logger`, or a pino instance. @default none */
  readonly logger?: GivenLogger;
}

/** The kinds to install in, or remove from, a test environment. */
export type InstalledKinds = Pick<TestEnvironmentOptions, 'kinds' | 'crds'>;

/** Throws NOT_SUPPORTED if the selected server does not support an option, and INVALID_OPTION if an initial object is not valid. */
export function checkOptions(options: TestEnvironmentOptions): void {
  const { server, workloads, faults, version, objects, webhooks, transport } = options;
  checkInitialObjects(objects ?? []);
  if (transport === 'in-process' && server !== undefined && server !== 'embedded') {
    throw notSupported(
      `cannot start a test environment with transport 'in-process' on server '${server}': only the embedded server runs in this process; omit transport`,
    );
  }
  for (const option of ['nodes', 'podBehaviours'] as const) {
    if (options[option] === undefined || server === undefined || server === 'embedded') continue;
    throw notSupported(
      `cannot start a test environment with ${option} on server '${server}': only the embedded server simulates nodes and Pods; omit ${option}`,
    );
  }
  if (server !== 'existing') return;
  if (version !== undefined) {
    throw notSupported(
      `cannot start a test environment of version ${version} on an existing cluster: the cluster has its own version; omit version`,
    );
  }
  if (workloads !== undefined && workloads !== false) {
    throw notSupported(
      'cannot start a test environment with workloads on an existing cluster: the cluster runs its own workloads; omit workloads',
    );
  }
  if (webhooks !== undefined) {
    throw notSupported(
      'cannot start a test environment with webhooks on an existing cluster: the cluster cannot call a server on this machine; omit webhooks',
    );
  }
  if (faults !== undefined) {
    throw notSupported(
      'cannot start a test environment with faults on an existing cluster: faults require the embedded server or a control plane; omit faults',
    );
  }
}

function notSupported(message: string): KubewrightError {
  return new KubewrightError('NOT_SUPPORTED', message);
}
