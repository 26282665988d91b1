import type { FaultPlan, PlannedRequest, PlannedWatchEvent, RequestFault, WatchFault } from '@kubewright/apiserver';
import type { FaultInjector } from './faults/fault-injector.js';

/** A fault plan of a server that runs several trials. Delegates to the injector of the current trial. */
export class ReplaceableFaults implements FaultPlan {
  /** The injector of the current trial. */
  current: FaultInjector;

  constructor(first: FaultInjector) {
    this.current = first;
  }

  onRequest(request: PlannedRequest): RequestFault | undefined {
    return this.current.onRequest(request);
  }
  onWatchEvent(event: PlannedWatchEvent): WatchFault | undefined {
    return this.current.onWatchEvent(event);
  }
}
