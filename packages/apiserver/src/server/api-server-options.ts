import { X509Certificate } from 'node:crypto';
import { createRequire } from 'node:module';
import { type Clock, SystemClock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import type { Nodes, ResolvedNode } from '../controllers/simulation/node-declaration.js';
import type { PodRule } from '../controllers/simulation/pod-behaviour.js';
import { selectedWorkloads, type WorkloadName, workloadNames, type Workloads } from '../controllers/workload-names.js';
import type { FaultPlan } from '../handlers/faults/fault-plan.js';
import { type KubernetesVersion, resolveKubernetesVersion } from '@kubewright/api/kubernetes-version';
import type { User } from '../registry/requests/user.js';
import { certificateBlocks } from '../registry/webhooks/trusted-authorities.js';
import { mostStoredBytes } from '../storage/object-memory.js';
import { defaultEventLogSize } from '../storage/store.js';
import type { ServingCertificate } from './certificates/certificates.js';
import type { ServerKeys } from './certificates/server-keys.js';

const load = createRequire(import.meta.url);

type NodeRules = typeof import('../controllers/simulation/node-declaration.js');
type BehaviourRules = typeof import('../controllers/simulation/check-behaviour.js');

/** Options of an embedded API server. */
export interface ApiServerOptions {
  /** The address to listen on. @default '127.0.0.1' */
  readonly host?: string;
  /** The port; 0 selects a free port. @default 0 */
  readonly port?: number;
  /**
   * The version of Kubernetes that the server emulates: '1.35', '1.36' or '1.37', or a patch version such as '1.36.2'. The version
   * determines the groups, kinds and fields, the initial objects and `/version`. All patches of a minor version differ only in `/version`.
   * @default '1.36.3'
   */
  readonly kubernetesVersion?: string;
  /** The clock for timestamps, timeouts, bookmarks and controllers. @default the system clock */
  readonly clock?: Clock;
  /**
   * The controllers that run workloads, as in a cluster with a kubelet: `true` for all, `false` for none, or a list of the plurals of
   * kinds, such as `['pods', 'jobs']`. 'pods' schedules pods and runs them on an embedded node. 'persistentvolumeclaims' creates volumes
   * for claims with a storage class, and provides a default storage class. @default false
   */
  readonly workloads?: Workloads;
  /**
   * The nodes of `workloads`: their number, or a list such as `[{ name: 'a', labels: { disk: 'ssd' } }, { name: 'b' }]`. @default one node
   * with the name 'embedded'
   */
  readonly nodes?: Nodes;
  /**
   * What the Pods of `workloads` do, such as `[{ selector: 'app=web', behaviour: { readyAfter: '5s' } }]`. If several entries select a Pod
   * and set the same field, the last of these entries takes precedence. @default the commands of the containers determine what the Pods do
   */
  readonly podBehaviours?: readonly PodRule[];
  /** The plan of injected faults. @default no faults */
  readonly faults?: FaultPlan;
  /**
   * The number of events that the server keeps for resuming watches. The server keeps fewer events if their objects take more than 64 MiB,
   * or more than a tenth of the heap of the process. @default 4096
   */
  readonly eventLogSize?: number;
  /**
   * The maximum estimated memory of all objects in bytes, like `--quota-backend-bytes` of etcd. The server refuses new objects beyond this
   * limit with status 500. @default two fifths of the heap of the process
   */
  readonly storageQuotaBytes?: number;
  /** The serving certificate. @default a new certificate with its own authority, or the certificate in the data folder */
  readonly tls?: ServingCertificate;
  /** The keys that sign ServiceAccount tokens and client certificates. @default new keys, or the keys in the data folder */
  readonly keys?: ServerKeys;
  /**
   * The certificates of other authorities whose client certificates the server accepts, as PEM, like the file of `--client-ca-file` of
   * kube-apiserver. The common name of a client certificate is the user name, and the organizations are the groups. The server always
   * accepts the certificates that it issued. @default ''
   */
  readonly clientCertificateAuthorities?: string;
  /** Additional bearer tokens and their users. The administrator's token always exists. @default no tokens */
  readonly tokens?: Readonly<Record<string, User>>;
  /**
   * The path of the folder that stores the objects, the token, the keys and the certificate. The server reports a write to clients only
   * after the write is on disk. @default no folder: the server keeps its state in memory only
   */
  readonly data?: string;
  /** Receives warnings about the state of the server, such as a full disk. @default emits a process warning */
  readonly onWarning?: (message: string) => void;
}

/**
 * The options after the defaults are applied. `tls`, `keys` and `data` stay optional, because the server creates missing certificates and
 * keys on demand.
 */
export type ResolvedApiServerOptions = Required<
  Omit<ApiServerOptions, 'nodes' | 'kubernetesVersion' | 'tls' | 'data' | 'keys' | 'clientCertificateAuthorities'>
> &
  Pick<ApiServerOptions, 'tls' | 'data' | 'keys'> & {
    readonly clientCertificateAuthorities: readonly X509Certificate[];
    readonly kubernetes: KubernetesVersion;
    /** The resolved nodes of the option `nodes`. Empty if the server does not run Pods. */
    readonly nodes: readonly ResolvedNode[];
  };

/** Applies the defaults. Throws INVALID_OPTION for invalid values, and INVALID_VERSION for an unsupported Kubernetes version. */
export function resolveApiServerOptions(options: ApiServerOptions): ResolvedApiServerOptions {
  const { port = 0, eventLogSize = defaultEventLogSize, storageQuotaBytes = mostStoredBytes } = options;
  checkInteger('port', port, { least: 0, most: 65_535 });
  checkInteger('eventLogSize', eventLogSize, { least: 1, most: Number.MAX_SAFE_INTEGER });
  checkInteger('storageQuotaBytes', storageQuotaBytes, { least: 1, most: Number.MAX_SAFE_INTEGER });
  checkWorkloads(options.workloads);
  if (options.podBehaviours !== undefined) loadBehaviours().checkRules(options.podBehaviours, 'podBehaviours');
  return Object.freeze({
    host: options.host ?? '127.0.0.1',
    port,
    kubernetes: resolveKubernetesVersion(options.kubernetesVersion),
    clock: options.clock ?? new SystemClock(),
    workloads: options.workloads ?? false,
    nodes: resolvedNodes(options),
    podBehaviours: options.podBehaviours ?? [],
    faults: options.faults ?? {},
    eventLogSize,
    storageQuotaBytes,
    clientCertificateAuthorities: checkedAuthorities(options.clientCertificateAuthorities ?? ''),
    tokens: options.tokens ?? {},
    onWarning: options.onWarning ?? ((message) => process.emitWarning(message, 'KubewrightWarning')),
    ...(options.tls === undefined ? {} : { tls: options.tls }),
    ...(options.keys === undefined ? {} : { keys: options.keys }),
    ...(options.data === undefined ? {} : { data: options.data }),
  });
}

/** Returns the nodes of a server that runs Pods. Loads their rules on demand, because most servers do not run Pods. */
function resolvedNodes({ nodes, workloads = false }: ApiServerOptions): readonly ResolvedNode[] {
  const runsPods = selectedWorkloads(workloads).has('pods');
  if (nodes === undefined && !runsPods) return [];
  const { resolveNodes } = load('../controllers/simulation/node-declaration.js') as NodeRules;
  const resolved = resolveNodes(nodes ?? 1);
  return runsPods ? resolved : [];
}

function loadBehaviours(): BehaviourRules {
  return load('../controllers/simulation/check-behaviour.js') as BehaviourRules;
}

function checkInteger(
  name: string,
  value: number,
  { least, most }: { readonly least: number; readonly most: number },
): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  const message = `cannot start the API server with ${name}: ${value}; use an integer from ${least} to ${most}`;
  throw new KubewrightError('INVALID_OPTION', message);
}

function checkedAuthorities(pem: string): readonly X509Certificate[] {
  const failed = 'cannot start the API server with clientCertificateAuthorities:';
  const blocks = certificateBlocks(pem);
  if (blocks.length === 0 && pem.trim() !== '') {
    throw new KubewrightError('INVALID_OPTION', `${failed} no certificate found; use certificates in PEM format`);
  }
  return blocks.map((block, at) => {
    try {
      const authority = new X509Certificate(block);
      if (authority.ca) return authority;
    } catch (cause) {
      const message = `${failed} certificate ${at + 1} is not valid; use certificates in PEM format`;
      throw new KubewrightError('INVALID_OPTION', message, { cause });
    }
    const message = `${failed} certificate ${at + 1} is not a CA certificate; use the certificate of its issuer`;
    throw new KubewrightError('INVALID_OPTION', message);
  });
}

function checkWorkloads(workloads: unknown): void {
  if (workloads === undefined || typeof workloads === 'boolean') return;
  const known: ReadonlySet<unknown> = new Set<WorkloadName>(workloadNames);
  const unknown = Array.isArray(workloads) ? workloads.filter((name) => !known.has(name)) : [workloads];
  if (unknown.length === 0) return;
  const given = unknown.map((name) => JSON.stringify(name)).join(', ');
  const message = `cannot start the API server with workloads: ${given}; use true, false, or a list of ${workloadNames.join(', ')}`;
  throw new KubewrightError('INVALID_OPTION', message);
}
