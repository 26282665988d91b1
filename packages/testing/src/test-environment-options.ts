import type { KindRef } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import type { FaultPlan } from '@kubewright/apiserver';
import type { Logger } from '@kubewright/runtime';

/** What `TestEnvironment.start` takes. */
export interface TestEnvironmentOptions {
  /** Installed as CRDs, straight from the classes. */
  readonly kinds?: readonly KindRef[];
  /** Makes Deployments, StatefulSets, Jobs and Pods become ready, as a kubelet would. @default false */
  readonly workloads?: boolean;
  /** Also the clock of the managers that are made here. @default the real one */
  readonly clock?: Clock;
  /** Only 'embedded' is part of this version; the others are refused. @default 'embedded' */
  readonly server?: 'embedded' | 'control-plane' | 'existing';
  /** What goes wrong with requests and watches, such as `faultSchedule(seed)`. @default nothing */
  readonly faults?: FaultPlan;
  /** Where the managers that are made here log to. @default nowhere */
  readonly logger?: Logger;
}

/** Throws NOT_SUPPORTED for a server that this version cannot test against. */
export function checkServer(server: TestEnvironmentOptions['server']): void {
  if (server === undefined || server === 'embedded') return;
  throw new KubewrightError(
    'NOT_SUPPORTED',
    `start a test environment on the server '${server}': this version has the embedded server only; leave 'server' out`,
  );
}
