import { type Clock, SystemClock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { type WorkloadName, workloadNames, type Workloads } from '../controllers/workload-names.js';
import type { FaultPlan } from '../handlers/fault-plan.js';
import type { User } from '../registry/user.js';
import { mostStoredBytes } from '../storage/object-memory.js';
import { defaultEventLogSize } from '../storage/store.js';
import type { ServingCertificate } from './certificates.js';
import type { ServerKeys } from './server-keys.js';

/** How an embedded server is to be. */
export interface ApiServerOptions {
  /** The address to listen on. @default '127.0.0.1' */
  readonly host?: string;
  /** The port; 0 takes any that is free. @default 0 */
  readonly port?: number;
  /** Time of timestamps, timeouts, bookmarks and controllers. @default the system's */
  readonly clock?: Clock;
  /**
   * Which controllers make workloads run, as in a cluster with a kubelet: all with `true`, none with `false`, or those
   * named by the plural of their kind, such as `['pods', 'jobs']`. 'pods' schedules and runs them on a node of its own;
   * 'persistentvolumeclaims' makes volumes for claims of a storage class, of which there is a default one. @default false
   */
  readonly workloads?: Workloads;
  /** What goes wrong, and when. @default nothing */
  readonly faults?: FaultPlan;
  /**
   * How many events watches can resume from. The server keeps fewer events if their objects take more than 64 MiB, or more
   * than a tenth of the heap of the process. @default 4096
   */
  readonly eventLogSize?: number;
  /**
   * The most memory of all objects in bytes, estimated, like `--quota-backend-bytes` of etcd. The server refuses new objects beyond it with
   * status 500. @default two fifths of the heap of the process
   */
  readonly storageQuotaBytes?: number;
  /** The certificate to serve with. @default one with an authority of its own */
  readonly tls?: ServingCertificate;
  /** What tokens of ServiceAccounts and client certificates are signed with. @default new keys, or those of the folder */
  readonly keys?: ServerKeys;
  /** Further bearer tokens and their users, beside the administrator's. @default none */
  readonly tokens?: Readonly<Record<string, User>>;
  /**
   * A folder that keeps objects, token and certificate. No answer and no watch event tells of a write before it is on the
   * disk. @default everything is forgotten when the server stops
   */
  readonly data?: string;
  /** Told in a sentence what an operator should know, such as a full disk. @default a warning of the process */
  readonly onWarning?: (message: string) => void;
}

/** The options with everything filled in but certificate and keys, which are made when needed, and the folder. */
export type ResolvedApiServerOptions = Required<Omit<ApiServerOptions, 'tls' | 'data' | 'keys'>> &
  Pick<ApiServerOptions, 'tls' | 'data' | 'keys'>;

/** Fills in defaults. Throws INVALID_OPTION for values that cannot be. */
export function resolveApiServerOptions(options: ApiServerOptions): ResolvedApiServerOptions {
  const { port = 0, eventLogSize = defaultEventLogSize, storageQuotaBytes = mostStoredBytes } = options;
  checkInteger('port', port, { least: 0, most: 65_535 });
  checkInteger('eventLogSize', eventLogSize, { least: 1, most: Number.MAX_SAFE_INTEGER });
  checkInteger('storageQuotaBytes', storageQuotaBytes, { least: 1, most: Number.MAX_SAFE_INTEGER });
  checkWorkloads(options.workloads);
  return Object.freeze({
    host: options.host ?? '127.0.0.1',
    port,
    clock: options.clock ?? new SystemClock(),
    workloads: options.workloads ?? false,
    faults: options.faults ?? {},
    eventLogSize,
    storageQuotaBytes,
    tokens: options.tokens ?? {},
    onWarning: options.onWarning ?? ((message) => process.emitWarning(message, 'KubewrightWarning')),
    ...(options.tls === undefined ? {} : { tls: options.tls }),
    ...(options.keys === undefined ? {} : { keys: options.keys }),
    ...(options.data === undefined ? {} : { data: options.data }),
  });
}

function checkInteger(
  name: string,
  value: number,
  { least, most }: { readonly least: number; readonly most: number },
): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  const message = `the API server cannot start with ${name}: ${value}; give an integer from ${least} to ${most}`;
  throw new KubewrightError('INVALID_OPTION', message);
}

function checkWorkloads(workloads: unknown): void {
  if (workloads === undefined || typeof workloads === 'boolean') return;
  const known: ReadonlySet<unknown> = new Set<WorkloadName>(workloadNames);
  const unknown = Array.isArray(workloads) ? workloads.filter((name) => !known.has(name)) : [workloads];
  if (unknown.length === 0) return;
  const given = unknown.map((name) => JSON.stringify(name)).join(', ');
  const message = `the API server cannot start with workloads: ${given}; give true, false, or some of ${workloadNames.join(', ')}`;
  throw new KubewrightError('INVALID_OPTION', message);
}
