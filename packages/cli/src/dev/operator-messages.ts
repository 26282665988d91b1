import type { InspectedProject } from '../project/inspected-project.js';
import type { InspectedModules } from '../project/inspection/inspection-messages.js';
import type { LocalWebhooks } from './local-webhooks.js';

/** The messages from `kubewright dev` to the process of an operator. */
export type OperatorCommand =
  /** Loads the modules that every program needs. This is possible before the program is compiled. */
  | { readonly type: 'prepare'; readonly main: string; readonly hasOwnCopies: boolean }
  /**
   * Loads the program. The process responds with `declares` when the program starts a manager. The manager serves its webhooks with the
   * given address and certificate. Without an address and a certificate, the manager serves its webhooks as the program specifies.
   */
  | ({ readonly type: 'load'; readonly root: string; readonly webhooks?: LocalWebhooks } & InspectedModules)
  /** Continues the start of the manager. Sent when the API server serves the kinds of the program. */
  | { readonly type: 'go' };

/** The messages from the process of an operator to `kubewright dev`. */
export type OperatorMessage =
  | { readonly type: 'prepared' }
  | { readonly type: 'declares'; readonly inspected: InspectedProject }
  | { readonly type: 'started' }
  /**
   * Whether the operator has no pending work, and the number of completed reconciles. Sent when `idle` changes, and when an idle operator
   * has completed another reconcile.
   */
  | { readonly type: 'idle'; readonly idle: boolean; readonly reconciles: number }
  /** The error that ends the process, with the location in the project if known. */
  | { readonly type: 'failed'; readonly message: string };
