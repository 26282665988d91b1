import type { KindRef, KubeObject } from '@kubewright/api';
import type { Duration } from '@kubewright/api/clock';
import type { OperatorUnderTest } from './operator-under-test.js';
import type { Finding, OracleLevels } from './search/finding.js';
import type { Invariant } from './search/object-oracles.js';
import type { Dependencies, SearchProgress } from './search/search.js';
import type { FaultKind } from './trials/faults/fault.js';

/** The options of `explore`. */
export interface ExploreOptions extends OperatorUnderTest {
  /**
   * Valid objects of the explored kinds. The changes of a kind start from its first sample that the operator can realize. @default objects
   * that are generated from the schema
   */
  readonly samples?: readonly KubeObject[];
  /**
   * The kinds to explore. @default the kinds in `kinds` that a controller declares with `@Controller`, or all kinds in `kinds` if no
   * controller declares one of them
   */
  readonly explored?: readonly KindRef[];
  /** The fields to change, such as 'spec.tls', with all fields in them. @default all fields of the spec */
  readonly fields?: readonly string[];
  /** The time after which the search ends. The kinds share this time equally. @default '10s' */
  readonly budget?: Duration;
  /**
   * The number of trials after which the search of a kind ends. The last step of the search can exceed this number by a few trials. Trials
   * that repeat known findings or reduce histories do not count. @default no limit
   */
  readonly trials?: number;
  /**
   * The number of findings with the level 'error' after which the search of a kind ends. Accepted findings also count. @default no limit
   */
  readonly problems?: number;
  /**
   * The maximum number of trials that reduce the history of each finding. With 0, histories are not reduced and have no trace. @default 40
   */
  readonly shrinkTrials?: number;
  /**
   * 'reject': the promise is rejected if a rule is violated. 'return': the promise resolves with the findings. @default 'reject'
   */
  readonly report?: 'reject' | 'return';
  /** The kinds of faults to inject. @default all kinds */
  readonly faults?: readonly FaultKind[];
  /** The seed of the random histories. The same seed gives the same histories in the same order. @default 1 */
  readonly seed?: number;
  /**
   * Fields that the comparison of two histories ignores, as a kind and a path: 'Secret data.password'. Fields that differ between two equal
   * histories, such as times and random values, are found and ignored without this option. @default none
   */
  readonly mask?: readonly string[];
  /** Signatures of findings that `explore` does not report. The report of each finding contains its signature. @default none */
  readonly accept?: readonly string[];
  /**
   * The levels of rules: `{ effect: 'off', ready: 'error' }`. A violation of a rule with the level 'warn' is a warning, which does not
   * reject the promise. @default 'warn' for `ready`, and 'error' for all other rules
   */
  readonly oracles?: OracleLevels;
  /**
   * Rules of the user by their names. Each function is called after each step in which the operator runs and has converged. The function
   * receives all objects of the server, and throws an error if they violate the rule. @default none
   */
  readonly invariants?: Readonly<Record<string, Invariant>>;
  /**
   * Fields that have an effect only if other fields have the given values: `{ 'spec.cacheSize': { 'spec.cache': true } }`. @default none
   */
  readonly dependsOn?: Dependencies;
  /** Called after each trial. @default not called */
  readonly onProgress?: (progress: SearchProgress) => void;
}

/** The result of `explore`. */
export interface Exploration {
  readonly trials: number;
  /** The number of changes of fields that were tried. */
  readonly changes: number;
  /** The number of fields whose changes were tried. */
  readonly fields: number;
  /** The number of trials with an injected crash of the operator. */
  readonly crashes: number;
  readonly findings: readonly Finding[];
  /** The violations of rules with the level 'warn'. */
  readonly warnings: readonly Finding[];
}
