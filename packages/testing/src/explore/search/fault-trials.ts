import { kindOf } from '@kubewright/api/metadata';
import type { OperatorUnderTest } from '../operator-under-test.js';
import { describeFault, type Fault, FAULT_KINDS, type FaultKind } from '../trials/faults/fault.js';
import { faultsOf } from '../trials/faults/fault-points.js';
import type { Trial, TrialResult } from '../trials/run-trial.js';
import type { Comparison } from './compared-oracles.js';
import type { Finding } from './finding.js';
import { type Share, WHOLE } from './share.js';
import { upTo } from './trial-runner.js';
import { kindsOf } from './violation.js';

/** A trial without faults, and the result of the trial. */
export interface History {
  readonly trial: Trial;
  readonly result: TrialResult;
  readonly fields: readonly string[];
}

/** The next trial of a search for faults: a history with faults, or a history without faults that must run first. */
export type NextTrial =
  | { readonly trial: Trial; readonly history: History }
  | { readonly trial: Trial; readonly history: undefined; readonly fields: readonly string[] };

/** The kinds of faults whose effect depends on the whole history. The search tries such a fault again in each history. */
const OF_HISTORY: ReadonlySet<FaultKind> = new Set(['watch', 'stale', 'order', 'cluster']);
/** The kinds of faults for which the search runs the histories of `addLater`, after it has tried the faults of the other histories. */
const IN_FURTHER: ReadonlySet<FaultKind> = new Set(['event', 'stale', 'order']);
/** The maximum number of pairs of faults. */
const MOST_PAIRS = 10_000;

export interface FaultTrialsOptions {
  readonly operator: OperatorUnderTest;
  /** The kinds of the faults. @default all kinds */
  readonly faults?: readonly FaultKind[];
  /** The part of the faults that this search tries in histories without changed fields. @default all */
  readonly share?: Share;
}

/** Schedules the faults of histories: first each fault alone, with the kinds of faults in turn, and then random pairs of faults. */
export class FaultTrials {
  readonly #kinds: readonly FaultKind[];
  readonly #operator: OperatorUnderTest;
  readonly #random: () => number;
  readonly #waiting = new Map<FaultKind, NextTrial[]>();
  readonly #histories: History[] = [];
  /** Histories that have not run yet: with a restart, or with a state that the operator may not observe. */
  readonly #later: { readonly trial: Trial; readonly fields: readonly string[] }[] = [];
  readonly #tried = new Set<string>();
  readonly #share: Share;
  #turn = 0;
  #pairs = 0;
  #sharedFaults = 0;

  constructor({ operator, faults = FAULT_KINDS, share = WHOLE }: FaultTrialsOptions, random: () => number) {
    this.#operator = operator;
    this.#random = random;
    this.#kinds = FAULT_KINDS.filter((kind) => faults.includes(kind));
    this.#share = share;
  }

  /**
   * Schedules the faults that can occur in a history. Schedules none if the points of the history are not known. Skips faults that an
   * earlier history had, except for the kinds in `OF_HISTORY`.
   */
  add(history: History): void {
    this.#histories.push(history);
    for (const kind of this.#kinds) {
      const waiting = this.#waiting.get(kind) ?? [];
      this.#waiting.set(kind, waiting);
      for (const fault of this.#faultsOf(kind, history)) {
        const key = `${describeFault(fault)}${OF_HISTORY.has(kind) ? ` ${this.#histories.length}` : ''}`;
        if (this.#tried.has(key)) continue;
        this.#tried.add(key);
        if (this.#isOwn(history)) waiting.push(disturbed(history, [fault]));
      }
    }
  }
  /** Adds a history that runs when no fault of one of the kinds in `IN_FURTHER` is scheduled any more. */
  addLater(trial: Trial, fields: readonly string[]): void {
    this.#later.push({ trial, fields });
  }

  /** Returns the next trial with a crash. */
  nextCrash(): NextTrial | undefined {
    return this.#waiting.get('crash')?.shift();
  }
  /**
   * Returns the next trial, with the kinds of faults in turn. After all faults, returns random pairs of faults. Returns undefined if no
   * trial is left.
   */
  next(): NextTrial | undefined {
    for (const _each of this.#kinds) {
      const kind = this.#kinds[this.#turn++ % this.#kinds.length] as FaultKind;
      const next = this.#waiting.get(kind)?.shift() ?? (IN_FURTHER.has(kind) ? this.#nextHistory() : undefined);
      if (next !== undefined) return next;
    }
    return this.#nextPair();
  }

  /** Whether this search runs the next fault of a history. Several searches share only the faults of histories without changed fields. */
  #isOwn({ fields }: History): boolean {
    return fields.length > 0 || this.#sharedFaults++ % this.#share.count === this.#share.index;
  }

  #nextHistory(): NextTrial | undefined {
    const next = this.#later.shift();
    return next && { ...next, history: undefined };
  }

  /** Returns a history with two random faults of different kinds. */
  #nextPair(): NextTrial | undefined {
    const history = this.#one(this.#histories);
    if (history === undefined || this.#pairs++ >= MOST_PAIRS) return undefined;
    const groups = this.#kinds.map((kind) => this.#faultsOf(kind, history)).filter(({ length }) => length > 0);
    const first = this.#one(groups);
    const second = this.#one(groups.filter((group) => group !== first));
    if (first === undefined || second === undefined) return undefined;
    return disturbed(
      history,
      [first, second].flatMap((group) => this.#one(group) ?? []),
    );
  }

  #faultsOf(kind: FaultKind, { trial, result }: History): readonly Fault[] {
    const { observations, points } = result;
    if (points === undefined) return [];
    return faultsOf(kind, {
      points,
      writes: observations.flatMap(({ writes }) => writes),
      hasRestart: trial.steps.some(({ action }) => action === 'restart' || action === 'start'),
      customKinds: this.#operator.kinds.map((each) => kindOf(each).kind),
      hasObjects: (this.#operator.objects ?? []).length > 0,
    });
  }

  #one<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.#random() * list.length)];
  }
}

function disturbed(history: History, faults: readonly Fault[]): NextTrial {
  return { trial: { ...history.trial, faults }, history };
}

/** Returns the states that a trial with faults must have: those of the history without faults. */
export function faultComparisons(
  { faults: [fault] = [] }: Trial,
  { trial, result }: History,
): readonly Pick<Comparison, 'at' | 'oracle' | 'expected'>[] {
  if (fault === undefined) return [];
  const all = result.observations.flatMap(({ state }, at) =>
    state === undefined ? [] : [{ at, oracle: fault.kind, expected: { trial: upTo(trial, at), state } }],
  );
  // The problems of a cluster end after the last step.
  return fault.kind === 'cluster' ? all.slice(-1) : all;
}

/**
 * Returns the findings that only a trial with faults can have: objects that are deleted only with the fault, for the first step with such a
 * deletion, and writes while another replica is the leader.
 */
export function faultFindings(trial: Trial, result: TrialResult, history: History): readonly Finding[] {
  const [fault] = trial.faults ?? [];
  if (fault === undefined) return [];
  const needless = result.observations.map(({ deleted }, at) => {
    const expected = new Set(history.result.observations[at]?.deleted);
    return deleted.filter((name) => !expected.has(name));
  });
  const at = needless.findIndex((names) => names.length > 0);
  const unled = result.points?.unled ?? [];
  const finding = { oracle: fault.kind, expected: undefined, differences: [], fields: history.fields };
  return [
    ...(at < 0
      ? []
      : [
          {
            ...finding,
            sentence: 'the operator deletes objects that it keeps without the fault',
            trial: upTo(trial, at),
            at,
            details: (needless[at] ?? []).map((name) => `deleted: ${name}`),
            signature: `${fault.kind} deletes ${kindsOf(needless[at] ?? [])}`,
          },
        ]),
    ...(unled.length === 0
      ? []
      : [
          {
            ...finding,
            sentence: 'the operator writes while another replica is the leader',
            trial,
            at: trial.steps.length - 1,
            details: unled.map((name) => `written: ${name}`),
            signature: 'lease writes without the Lease',
          },
        ]),
  ];
}
