import type { KindRef, KubeObject } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import type { FaultPlan, Workloads } from '@kubewright/apiserver';
import type { GivenLogger } from '@kubewright/runtime';
import { checkInitialObjects } from './initial-objects.js';

/** What `TestEnvironment.start` takes. */
export interface TestEnvironmentOptions {
  /** Installed as CRDs, straight from the classes. @default none */
  readonly kinds?: readonly KindRef[];
  /** Manifests of CustomResourceDefinitions to install too: files, or folders of them. @default none */
  readonly crds?: readonly string[];
  /**
   * What is there at the beginning: made in this order, with status; one that has a deletionTimestamp, and so needs a finalizer, is
   * being deleted. Objects may be as they were read from another cluster: versions, uids and times are new, and owners among them
   * are found by their old uid. Of an existing cluster they are deleted at the end. @default nothing
   *
   * @example await TestEnvironment.start({ kinds: [VirtualMachine], objects: [vm, new Secret({ metadata, data })] });
   */
  readonly objects?: readonly KubeObject[];
  /**
   * Makes Pods run and Deployments, StatefulSets, DaemonSets, Jobs, CronJobs, Services and PersistentVolumeClaims become what they
   * are to be, as in a cluster with a kubelet: `true` for all, or a list such as `['pods', 'jobs']`; a control plane has all of them
   * when any is asked for. Not on an existing cluster. @default false
   */
  readonly workloads?: Workloads;
  /** Also the clock of the managers that are made here. @default the real one */
  readonly clock?: Clock;
  /**
   * 'control-plane' is a real one on this machine, of the programs in the folder that KUBEWRIGHT_CONTROL_PLANE or KUBEBUILDER_ASSETS
   * names. 'existing' is the cluster of the current kubeconfig: the kinds are installed by server-side apply, and those that were not
   * there are removed at the end. @default 'embedded'
   */
  readonly server?: 'embedded' | 'control-plane' | 'existing';
  /** Which version of a control plane, or the newest of which series: '1.36.3', '1.36'. @default the newest there is */
  readonly version?: string;
  /** What goes wrong with requests and watches, such as `faultSchedule(seed)`. Not on an existing cluster. @default nothing */
  readonly faults?: FaultPlan;
  /**
   * What the managers that are made here may do. 'derived': what follows from their declarations, as the roles that are generated give
   * it, under a ServiceAccount of their own. 'admin': everything. @default 'derived' for `run`, 'admin' for `manager`, and for an
   * existing cluster
   */
  readonly rbac?: 'derived' | 'admin';
  /** Receives the log lines of the managers that are made here: a `Logger`, or a pino instance. @default nowhere */
  readonly logger?: GivenLogger;
}

/** What is installed in, and taken from, a test environment. */
export type InstalledKinds = Pick<TestEnvironmentOptions, 'kinds' | 'crds'>;

/** Throws NOT_SUPPORTED for what cannot be asked of the server that was chosen, and INVALID_OPTION. */
export function checkOptions({ server, workloads, faults, version, objects }: TestEnvironmentOptions): void {
  checkInitialObjects(objects ?? []);
  if (version !== undefined && server !== 'control-plane') {
    throw notSupported(
      `start a test environment of version ${version}: only a control plane can be chosen by its version; set server to 'control-plane'`,
    );
  }
  if (server !== 'existing') return;
  if (workloads !== undefined && workloads !== false) {
    throw notSupported(
      'start a test environment with workloads on an existing cluster: whether its workloads become ready is up to the cluster; leave workloads out',
    );
  }
  if (faults !== undefined) {
    throw notSupported(
      'start a test environment with faults on an existing cluster: only a server of its own can be made to fail; leave faults out',
    );
  }
}

function notSupported(message: string): KubewrightError {
  return new KubewrightError('NOT_SUPPORTED', message);
}
