import type { InspectedProject } from '../project/inspected-project.js';
import type { InspectedModules } from '../project/inspection/inspection-messages.js';

/** What the process of an operator is told. */
export type OperatorOrder =
  /** Load what every program needs, so that it is there when the program comes. */
  | { readonly type: 'prepare'; readonly main: string; readonly hasOwnCopies: boolean }
  /** Load the program, and tell what it declares. */
  | ({ readonly type: 'load'; readonly root: string } & InspectedModules)
  /** Its kinds are served: start. */
  | { readonly type: 'go' };

/** What it tells. */
export type OperatorNews =
  | { readonly type: 'prepared' }
  | { readonly type: 'declares'; readonly inspected: InspectedProject }
  | { readonly type: 'started' }
  /** Whether there is nothing that it has still to do at this moment, and how often it has reconciled, whenever that changes. */
  | { readonly type: 'idle'; readonly idle: boolean; readonly reconciles: number }
  /** What it will end of, with its place in the project. */
  | { readonly type: 'failed'; readonly message: string };
