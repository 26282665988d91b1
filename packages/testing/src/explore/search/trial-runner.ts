import type { KindRef } from '@kubewright/api';
import { Mask } from '../state/mask.js';
import { stateDifferences } from '../state/state-differences.js';
import type { WorldState } from '../state/world-state.js';
import type { Conditions, Observation, RunTrial, Trial, TrialResult } from '../trials/run-trial.js';
import type { Step } from '../trials/step.js';
import { type Comparison, comparedFinding } from './compared-oracles.js';
import { type Finding, levelOf, type Oracle, type OracleLevels } from './finding.js';
import { Findings } from './findings.js';
import type { Invariant } from './object-oracles.js';
import { isRefusedByOperator, singleFindings } from './single-oracles.js';

/** The number of times that a finding must be reproduced before it is reported. */
const REPRODUCTIONS = 2;
/** The start time of the second run of a history. Fields that differ from the run at the default start time are masked. */
export const ANOTHER_TIME = '2026-03-04T05:06:07Z';
/** Rules that allow a violation if the operator reports that it cannot create the declared state. */
const REPORTABLE = new Set<Oracle>(['history', 'away', 'repair', 'isolation', 'dependency']);

export interface TrialRunnerOptions {
  readonly run: RunTrial;
  readonly kind: KindRef;
  /** The fields that the comparison ignores, such as 'Secret data.password'. @default none */
  readonly mask?: readonly string[];
  /** Rules of the user by their names. @default none */
  readonly invariants?: Readonly<Record<string, Invariant>>;
  /** The levels of the rules. @default the default level of each rule */
  readonly oracles?: OracleLevels;
  /** Called after each trial. */
  readonly onTrial: () => void;
}

/** An expected state of a trial, and the shortest history with the same expectation. */
export interface Expectation extends Pick<Comparison, 'at' | 'oracle' | 'expected' | 'onlyExpected'> {
  readonly short?: readonly Step[];
}

/** Runs the trials of a search, and collects the rules that they violate. Adds a finding only if its trial always violates the rule. */
export class TrialRunner {
  readonly #options: TrialRunnerOptions;
  readonly #findings = new Findings();
  readonly #mask: Mask;
  /** The states from trials that ran in the world of an earlier trial. */
  readonly #forkedStates = new WeakSet<WorldState>();
  #trials = 0;
  #refused = 0;

  constructor(options: TrialRunnerOptions) {
    this.#options = options;
    this.#mask = new Mask(options.mask);
  }

  /** The number of trials. */
  get trials(): number {
    return this.#trials;
  }
  /** The number of declarations that the server refused. */
  get refused(): number {
    return this.#refused;
  }
  get findings(): readonly Finding[] {
    return this.#findings.all;
  }
  /** The fields that the comparison ignores. */
  get mask(): Mask {
    return this.#mask;
  }

  /** Returns a trial without faults. */
  trial(steps: readonly Step[]): Trial {
    return { kind: this.#options.kind, steps };
  }

  /** Adds a finding that does not need to be reproduced. */
  add(finding: Finding): void {
    if (!this.#isOff(finding.oracle)) this.#findings.add(finding);
  }

  /** Runs a trial, and adds the violations that show without a comparison with another trial. */
  async run(trial: Trial, fields: readonly string[], conditions: Conditions = {}): Promise<TrialResult> {
    const given = { fields, invariants: this.#options.invariants ?? {} };
    let result = await this.#runOnce(trial, conditions);
    // Only a trial in a new world can prove that a rule is violated.
    const isCandidate = result.isForked === true && this.#hasUnknown(singleFindings(trial, result, given));
    if (isCandidate) result = await this.#runOnce(trial, { ...conditions, world: 'new' });
    if (result.refused !== undefined) this.#refused++;
    const findings = singleFindings(trial, result, given).map((finding) => ({
      ...finding,
      trial: upTo(trial, finding.at),
    }));
    await this.confirmAll(findings, (again) => singleFindings(trial, again, given));
    return result;
  }

  /** Adds the findings whose trials violate the same rule each time. `findingsOf` returns the findings of a repeated trial. */
  async confirmAll(
    findings: readonly Finding[],
    findingsOf: (again: TrialResult, finding: Finding) => readonly Finding[],
  ): Promise<void> {
    for (const finding of findings) await this.#confirm(finding, (again) => findingsOf(again, finding));
  }

  /**
   * Runs a trial, and compares its states with expected states. Adds a finding for at most one of the expectations. Returns the result of
   * the trial.
   * @param world the world in which the trial first runs. @default 'forked'
   */
  async compare(
    { world = 'forked', ...trial }: Trial & Pick<Conditions, 'world'>,
    fields: readonly string[],
    expectations: readonly Expectation[],
  ): Promise<TrialResult> {
    let result = await this.run(trial, fields, { world });
    const differs = (each: Expectation): boolean =>
      this.#difference({ trial, fields, ...each }, result.observations) !== undefined;
    if (result.isForked === true && expectations.some(differs)) result = await this.run(trial, fields);
    const { observations } = result;
    for (const { short, ...given } of expectations) {
      if (!differs(given)) continue;
      const expectation = { ...given, expected: await this.maskRandom(given.expected) };
      const compared = { trial, fields, ...expectation };
      if (this.#difference(compared, observations) === undefined) continue;
      const shortest = short && { ...compared, trial: { ...trial, steps: short }, at: short.length - 1 };
      if (shortest === undefined || !(await this.#confirmDifference(shortest))) await this.#confirmDifference(compared);
      break;
    }
    return result;
  }

  /**
   * Runs an expected history again at another time. Masks the fields in which the two results differ. Returns the expected trial with its
   * state. If the given state is from the world of an earlier trial, returns the state in a new world instead.
   */
  async maskRandom(expected: Comparison['expected']): Promise<Comparison['expected']> {
    const { trial } = expected;
    const stateIn = async (conditions: Conditions): Promise<WorldState | undefined> =>
      (await this.#runOnce(trial, conditions)).observations[trial.steps.length - 1]?.state;
    const inNewWorld = this.#forkedStates.has(expected.state) ? await stateIn({}) : undefined;
    const state = inNewWorld ?? expected.state;
    const again = await stateIn({ start: ANOTHER_TIME });
    if (again !== undefined) this.#mask.add(stateDifferences(again, state));
    return { trial, state };
  }

  /** Runs a trial again, and adds a finding if the trial always has the same difference from an expected state. */
  async #confirmDifference(compared: Omit<Comparison, 'actual'>): Promise<boolean> {
    const { observations } = await this.#runOnce(compared.trial);
    const finding = this.#difference(compared, observations);
    if (finding === undefined) return false;
    return this.#confirm(finding, (again) => [this.#difference(compared, again.observations)]);
  }

  #difference(compared: Omit<Comparison, 'actual'>, observations: readonly Observation[]): Finding | undefined {
    const { oracle, at, trial } = compared;
    const observation = observations[at];
    if (observation?.state === undefined) return undefined;
    if (isReported(oracle, observation)) return undefined;
    return comparedFinding({ ...compared, trial: upTo(trial, at), actual: observation.state }, this.#mask);
  }

  /**
   * Adds a finding if its trial violates the same rule each time. Returns false if the finding cannot be reproduced. Returns true, without
   * running the trial, if the finding is already known or if its rule is off.
   */
  async #confirm(
    finding: Finding,
    findingsOf: (result: TrialResult) => readonly (Finding | undefined)[],
  ): Promise<boolean> {
    if (this.#isOff(finding.oracle)) return true;
    if (!this.#findings.has(finding)) {
      for (let each = 0; each < REPRODUCTIONS; each++) {
        const again = findingsOf(await this.#runOnce(finding.trial));
        if (!again.some((other) => other?.signature === finding.signature)) return false;
      }
    }
    this.#findings.add(finding);
    return true;
  }

  async #runOnce(trial: Trial, conditions: Conditions = {}): Promise<TrialResult> {
    this.#trials++;
    const result = await this.#options.run(trial, conditions);
    this.#options.onTrial();
    if (result.isForked === true) {
      for (const { state } of result.observations) if (state !== undefined) this.#forkedStates.add(state);
    }
    return result;
  }

  /** Whether one of the findings is not yet known, and its rule is not off. */
  #hasUnknown(findings: readonly Finding[]): boolean {
    return findings.some((finding) => !this.#isOff(finding.oracle) && !this.#findings.has(finding));
  }

  #isOff(oracle: Oracle): boolean {
    return levelOf(oracle, this.#options.oracles) === 'off';
  }
}

/** Whether the rule allows a violation, because the operator reports that it cannot create the declared state. */
export function isReported(oracle: Oracle, observation: Observation): boolean {
  return REPORTABLE.has(oracle) && isRefusedByOperator(observation);
}

/** Returns the trial without the steps after the step with the index `at`. */
export function upTo(trial: Trial, at: number): Trial {
  return { ...trial, steps: trial.steps.slice(0, at + 1) };
}
