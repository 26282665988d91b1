import type { InspectedProject } from '../project/inspected-project.js';
import type { InspectedModules } from '../project/inspection/inspection-messages.js';

/** The messages to the process of an operator. */
export type OperatorOrder =
  /** Loads the modules that every program needs before the program is compiled. */
  | { readonly type: 'prepare'; readonly main: string; readonly hasOwnCopies: boolean }
  /** Loads the program, which then reports its declarations. */
  | ({ readonly type: 'load'; readonly root: string } & InspectedModules)
  /** Starts the program, because its kinds are served. */
  | { readonly type: 'go' };

/** The messages from the process of an operator. */
export type OperatorNews =
  | { readonly type: 'prepared' }
  | { readonly type: 'declares'; readonly inspected: InspectedProject }
  | { readonly type: 'started' }
  /**
   * Whether the operator has no pending work, and the number of its reconciles. Sent when `idle` changes, and when an idle operator has
   * reconciled again.
   */
  | { readonly type: 'idle'; readonly idle: boolean; readonly reconciles: number }
  /** The error with which the process will end, with its location in the project. */
  | { readonly type: 'failed'; readonly message: string };
