import type { TraceEntry } from '../../trace/trace-entry.js';
import type { Difference } from '../state/state-differences.js';
import type { FaultKind } from '../trials/faults/fault.js';
import type { Trial } from '../trials/run-trial.js';

/**
 * The rules that every operator satisfies.
 * - `converges`: after each change, the operator stops writing within a bounded time.
 * - `quiet`: a converged operator writes nothing.
 * - `restart`: an operator that starts again writes nothing.
 * - `deletion`: a deleted object disappears, and its children with it.
 * - `after-finalizer`: the operator writes nothing after it removed its finalizer.
 * - `history`: the result depends only on the current declaration, not on earlier declarations.
 * - `rollback`: a declaration that the operator cannot realize can be taken back.
 * - `away`: changes while the operator is away have the same result as changes while it runs.
 * - `quick`: changes in quick succession have the same result as slow changes.
 * - `recreation`: an object that is created again has the same result as a new object.
 * - `crash`: a crash after any write has no effect on the result.
 * - `request`, `call`: a failed request, or a failed call of an external system, has no effect on the result.
 * - `event`, `watch`: changes that the operator receives late, or not at all, have no effect on the result.
 * - `stale`: a restart against an API server that is behind has no effect on the result.
 * - `order`: the result does not depend on the order of lists.
 * - `lease`: a time with another leader has no effect on the result.
 * - `clock`: the result does not depend on the date.
 * - `cluster`: a problem of the cluster that is solved later has no effect on the result.
 * - `exception`: no valid declaration causes an exception.
 * - `permission`: no permission is missing.
 * - `effect`: each field of the spec has an effect.
 * - `status`: `observedGeneration` is current when the operator has converged.
 * - `ready`: the condition Ready or Available is true only if all workloads of the object are ready. A warning by default.
 * - `rollout`: no Pod runs with an environment from the previous content of a ConfigMap or Secret of the operator.
 * - `repair`: the operator restores children that a stranger edits or deletes.
 * - `foreign`: the operator does not change or delete objects that it does not own.
 * - `isolation`: another object of the same kind does not change the result.
 * - `dependency`: the result is the same if an object of the option `objects` is created or changed after the declaration.
 * - `invariant`: the rules in the option `invariants` hold.
 */
export type Oracle =
  | 'converges'
  | 'quiet'
  | 'restart'
  | 'deletion'
  | 'after-finalizer'
  | 'history'
  | 'rollback'
  | 'away'
  | 'quick'
  | 'recreation'
  | FaultKind
  | 'exception'
  | 'permission'
  | 'effect'
  | 'status'
  | 'ready'
  | 'rollout'
  | 'repair'
  | 'foreign'
  | 'isolation'
  | 'dependency'
  | 'invariant';

/**
 * What a violation of a rule causes: `error` reports a finding, `warn` reports a warning, and `off` ignores the violation.
 */
export type OracleLevel = 'error' | 'warn' | 'off';

/** Returns the level of a rule. */
export function levelOf(oracle: Oracle, levels: OracleLevels = {}): OracleLevel {
  return levels[oracle] ?? (oracle === 'ready' ? 'warn' : 'error');
}

/** The levels of rules. Each other rule has its default level. */
export type OracleLevels = Readonly<Partial<Record<Oracle, OracleLevel>>>;

/** A violated rule, and the shortest known history that violates it. */
export interface Finding {
  readonly oracle: Oracle;
  /** One sentence that describes the problem. */
  readonly sentence: string;
  /** The history. */
  readonly trial: Trial;
  /** The number of the step after which the rule is violated, from 0. */
  readonly at: number;
  /** The history whose result is expected. Undefined if the rule concerns a single history. */
  readonly expected: Trial | undefined;
  /** The differences from the expected result. */
  readonly differences: readonly Difference[];
  /** Further information, such as the error or the objects that change, one line each. */
  readonly details: readonly string[];
  /** The fields whose changes violate the rule. */
  readonly fields: readonly string[];
  /** Equal for findings with probably the same cause. */
  readonly signature: string;
  /** What happened during the history. Undefined if the history was not traced. */
  readonly trace?: readonly TraceEntry[];
}
