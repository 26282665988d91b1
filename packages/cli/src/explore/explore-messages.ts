import type { KubeObject } from '@kubewright/api';
import type { SavedFinding } from '@kubewright/testing/internal';
import type { InspectionRequest } from '../project/inspection/inspection-messages.js';

/** The message to a process that explores an operator. */
export interface ExploreOrder {
  readonly request: InspectionRequest;
  /** The objects in the sample files. */
  readonly samples: readonly KubeObject[];
  /** Any name of the kind to explore that kubectl accepts. Undefined for all kinds with a controller. */
  readonly kind: string | undefined;
  /** The field to change. Undefined for all fields. */
  readonly field: string | undefined;
  readonly seed: number;
  readonly budgetMs: number;
  /** The part of the fields that this process changes. */
  readonly share: { readonly index: number; readonly count: number };
  /** The signatures of accepted findings. */
  readonly accept: readonly string[];
  /** The findings whose histories run first. */
  readonly known: readonly SavedFinding[];
  /** The trials that an earlier process could not end, as in the message `trial`. This process does not run them again. */
  readonly skipped: readonly string[];
  /** The finding whose history runs once. Undefined for an exploration. */
  readonly replay: SavedFinding | undefined;
}

/** A finding and its report. */
export interface Problem {
  readonly finding: SavedFinding;
  readonly report: string;
}

/** What a process has tried. */
export interface Coverage {
  readonly trials: number;
  readonly fields: number;
  /** The number of tried values of the fields. */
  readonly values: number;
  /** The number of trials with a simulated crash of the operator. */
  readonly crashes: number;
}

/** The class of a component or of a kind, and the path of its source relative to the project. */
export interface ClassPlace {
  readonly name: string;
  readonly source: string;
}

/** The classes and objects that generated tests of the operator use. */
export interface TestMaterial {
  readonly kinds: readonly (ClassPlace & { readonly kind: string; readonly namespaced: boolean })[];
  readonly components: readonly ClassPlace[];
  readonly objects: readonly KubeObject[];
  /** The reason why a generated test cannot run the operator, such as a component without a class. Undefined if a test can run it. */
  readonly obstacle: string | undefined;
}

/** The messages of a process that explores an operator. */
export type ExploreMessage =
  /** The program has called `manager.start()`, and the exploration starts. */
  | { readonly type: 'loaded'; readonly material: TestMaterial }
  /** The event loop of the process is not blocked. */
  | { readonly type: 'alive' }
  /** A trial starts. `problem` describes the trial if it does not end. */
  | { readonly type: 'trial'; readonly key: string; readonly problem: Problem }
  /** An error during a trial was not handled, and the process ends. */
  | { readonly type: 'unhandled'; readonly key: string; readonly problem: Problem }
  /** A trial has ended. `problems` are all findings so far. */
  | { readonly type: 'progress'; readonly coverage: Coverage; readonly problems: readonly Problem[] }
  /** The operator opened a connection, which was refused. */
  | { readonly type: 'connection'; readonly message: string }
  /** A kind could not be explored. */
  | { readonly type: 'unexplored'; readonly message: string }
  /** The history of `replay` in the order has run. `isViolated` reports whether the history still violates the rule. */
  | { readonly type: 'replayed'; readonly report: string; readonly trace: string; readonly isViolated: boolean }
  /** The exploration has ended. */
  | { readonly type: 'done'; readonly coverage: Coverage; readonly problems: readonly Problem[] }
  /** The exploration failed. */
  | { readonly type: 'failed'; readonly code: string; readonly message: string; readonly stack?: string };
