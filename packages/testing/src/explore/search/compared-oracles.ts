import { fieldOf, type Mask } from '../state/mask.js';
import { stateDifferences } from '../state/state-differences.js';
import type { WorldState } from '../state/world-state.js';
import type { Trial } from '../trials/run-trial.js';
import type { Finding, Oracle } from './finding.js';

const SENTENCES: Partial<Readonly<Record<Oracle, string>>> = {
  history: 'the result depends on an earlier declaration',
  rollback: 'a declaration that the operator cannot realize cannot be taken back',
  away: 'the result differs if the declaration changes while the operator is away',
  quick: 'the result differs if the declaration changes twice in quick succession',
  recreation: 'the result differs if the object was deleted and created again',
  crash: 'the result differs after a crash',
  request: 'the result differs after a failed request',
  event: 'the result differs if a change arrives late, or not at all',
  watch: 'the result differs if the changes of a kind arrive late',
  stale: 'the result differs if a restarted operator first reads an earlier state',
  order: 'the result depends on the order of lists',
  lease: 'the result differs if another replica was the leader',
  clock: 'the result depends on the date',
  call: 'the result differs after a failed call of an external system',
  cluster: 'the result differs after a problem of the cluster is solved',
  repair: 'the operator does not restore a child that was edited or deleted',
  isolation: 'another object of the same kind changes the result',
  dependency: 'the result differs if an object that the declaration needs is created or changed later',
};

/** The names of objects begin with their kind. The names of external systems begin with a lowercase letter. */
const OBJECT_NAME = /^[A-Z]/;

/** A state of a trial that must equal the state of another trial. */
export interface Comparison {
  readonly oracle: Oracle;
  readonly trial: Trial;
  /** The number of the step of the trial whose state is compared, from 0. */
  readonly at: number;
  readonly actual: WorldState;
  /** Whether only the objects of the expected state are compared, and not the external systems. @default false */
  readonly onlyExpected?: boolean;
  readonly expected: { readonly trial: Trial; readonly state: WorldState };
  readonly fields: readonly string[];
}

/** Returns a finding if the two states differ in fields that are not masked. */
export function comparedFinding(
  { oracle, trial, at, actual, onlyExpected = false, expected, fields }: Comparison,
  mask: Mask,
): Finding | undefined {
  const isCompared = (name: string): boolean => !onlyExpected || (expected.state.has(name) && OBJECT_NAME.test(name));
  const compared = (state: WorldState): WorldState => new Map([...state].filter(([name]) => isCompared(name)));
  const differences = mask.apply(stateDifferences(compared(actual), compared(expected.state)));
  if (differences.length === 0) return undefined;
  return {
    oracle,
    sentence: SENTENCES[oracle] ?? oracle,
    trial,
    at,
    expected: expected.trial,
    differences,
    details: [],
    fields,
    signature: `${oracle} ${[...new Set(differences.map(fieldOf))].join(', ')}`,
  };
}
