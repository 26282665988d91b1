import { isDeepStrictEqual } from 'node:util';
import type { KindRef } from '@kubewright/api';
import { randomNumbers } from '../../random-numbers.js';
import type { FieldChange } from '../generate/field-changes.js';
import type { OperatorUnderTest } from '../operator-under-test.js';
import type { WorldState } from '../state/world-state.js';
import type { FaultKind } from '../trials/faults/fault.js';
import { type Conditions, type Observation, runTrial, type Trial, type TrialResult } from '../trials/run-trial.js';
import type { Step } from '../trials/step.js';
import { Mask } from '../state/mask.js';
import { stateDifferences } from '../state/state-differences.js';
import { type Comparison, comparedFinding } from './compared-oracles.js';
import { FaultTrials, faultComparisons, faultFindings, type NextTrial } from './fault-trials.js';
import type { Finding, Oracle } from './finding.js';
import { Findings } from './findings.js';
import { isRefusedByOperator, singleFindings } from './single-oracles.js';

/** The number of times that a finding must be reproduced before it is reported. */
const REPRODUCTIONS = 2;
/** The maximum number of random histories. */
const MOST_WALKS = 10_000;
/** The number of trials with faults for each random history. */
const FAULTS_PER_WALK = 3;
/** The start of a trial that must have the same result as a trial that starts at the usual time. */
const ANOTHER_TIME = '2026-03-04T05:06:07Z';

/** What a search has done. */
export interface SearchProgress {
  readonly trials: number;
  /** The number of declarations that the server refused. */
  readonly refused: number;
  /** The changes of fields whose results are known. */
  readonly changes: number;
  readonly findings: readonly Finding[];
}

export interface SearchOptions {
  readonly operator: OperatorUnderTest;
  readonly kind: KindRef;
  /** Specs from which all changes can start. The first spec that the operator can realize is used. */
  readonly specs: Iterable<unknown>;
  /** Returns the changes of a spec. */
  readonly changesOf: (spec: unknown) => readonly FieldChange[];
  /** The fields that the comparison ignores, such as 'Secret data.password'. @default none */
  readonly mask?: readonly string[];
  /** The kinds of faults to inject. @default all kinds */
  readonly faults?: readonly FaultKind[];
  /** The seed of the random histories. */
  readonly seed: number;
  /** Whether the search must end. */
  readonly isOver: () => boolean;
  /** Called after each trial. */
  readonly onProgress?: (progress: SearchProgress) => void;
}

/** The result of a declaration in a new world. */
interface Fresh {
  readonly spec: unknown;
  readonly trial: Trial;
  readonly state: WorldState;
  /** The events of the operator until the object is deleted. */
  readonly events: readonly string[];
  /** The world after the deletion of the object. Undefined if a rule was violated before. */
  readonly remains: WorldState | undefined;
  readonly isRefused: boolean;
}

/** A search for histories of one kind that violate the rules. */
export class Search {
  readonly #options: SearchOptions;
  readonly #findings = new Findings();
  readonly #mask: Mask;
  /** Whether none of the tried values of a field has an effect, by the path of the field. */
  readonly #withoutEffect = new Map<string, boolean>();
  readonly #faults: FaultTrials;
  /** The declarations whose results in a new world are known. */
  readonly #known: { readonly fresh: Fresh; readonly fields: readonly string[] }[] = [];
  readonly #random: () => number;
  #walks = 0;
  #hasBase = false;
  #trials = 0;
  #refused = 0;
  #changes = 0;

  constructor(options: SearchOptions) {
    this.#options = options;
    this.#mask = new Mask(options.mask);
    this.#random = randomNumbers(options.seed);
    this.#faults = new FaultTrials(options.operator, this.#random, options.faults);
  }

  /** Whether the operator could realize one of the given specs. */
  get hasBase(): boolean {
    return this.#hasBase;
  }

  get progress(): SearchProgress {
    return { trials: this.#trials, refused: this.#refused, changes: this.#changes, findings: this.#findings.all };
  }

  /** Runs the search until all histories are tried, or until the search is over. */
  async run(): Promise<SearchProgress> {
    const base = await this.#base();
    if (base === undefined) return this.progress;
    this.#hasBase = true;
    const { spec } = base;
    await this.#maskRandom(base);
    await this.#recreate(base);
    await this.#crash([declare(spec), { action: 'delete' }], []);
    this.#faults.addLater(this.#trial([declare(spec), { action: 'delete' }, declare(spec), { action: 'restart' }]), []);
    for (const change of this.#options.changesOf(spec)) {
      if (this.#isOver) break;
      await this.#change(base, change);
    }
    await this.#walkAndDisturb();
    for (const [path, isWithout] of this.#withoutEffect) {
      if (isWithout) this.#findings.add(effectFinding(base.trial, path));
    }
    return this.progress;
  }

  get #isOver(): boolean {
    return this.#options.isOver();
  }

  /** Returns the first declaration that the operator can realize. */
  async #base(): Promise<Fresh | undefined> {
    for (const spec of this.#options.specs) {
      const fresh = await this.#fresh(spec, []);
      if (fresh !== undefined && !fresh.isRefused) return fresh;
      if (this.#isOver) return undefined;
    }
    return undefined;
  }

  /** Tries a change of one field in all histories. */
  async #change(base: Fresh, { path, spec: next }: FieldChange): Promise<void> {
    const { spec } = base;
    const fields = [path];
    const fresh = await this.#fresh(next, fields);
    if (fresh === undefined) return;
    this.#changes++;
    this.#noteEffect(path, base, fresh);
    const back: Trial = this.#trial([declare(spec), declare(next), declare(spec)]);
    await this.#compare(back, fields, [
      ...(fresh.isRefused ? [] : [{ at: 1, oracle: 'history' as const, expected: fresh }]),
      { at: 2, oracle: fresh.isRefused ? 'rollback' : 'history', expected: base },
    ]);
    if (fresh.isRefused || this.#isOver) return;
    const away: Trial = this.#trial([declare(spec), { action: 'stop' }, declare(next), { action: 'start' }]);
    await this.#compare(away, fields, [{ at: 3, oracle: 'away', expected: fresh }]);
    const quick: Trial = this.#trial([declare(spec), declare(next, true), declare(spec)]);
    await this.#compare(quick, fields, [{ at: 2, oracle: 'quick', expected: base }]);
    await this.#crash([declare(spec), declare(next)], fields);
    this.#faults.addLater(quick, fields);
    this.#faults.addLater(
      this.#trial([declare(spec), { action: 'restart' }, declare(next), { action: 'restart' }]),
      fields,
    );
  }

  /** Runs a random history of known declarations, and expects the result of the last declaration. */
  async #walk(): Promise<void> {
    this.#walks++;
    const chosen = Array.from({ length: 2 + this.#below(3) }, () => this.#known[this.#below(this.#known.length)]);
    const walk = chosen.filter((each) => each !== undefined);
    const last = walk.at(-1);
    if (last === undefined) return;
    const steps = walk.flatMap(({ fresh: { spec } }, at): readonly Step[] => {
      const isLast = at === walk.length - 1;
      if (at > 0 && this.#below(4) === 0) return [{ action: 'stop' }, declare(spec), { action: 'start' }];
      return [declare(spec, !isLast && this.#below(3) === 0)];
    });
    const fields = [...new Set(walk.flatMap((each) => each.fields))];
    const compared = { at: steps.length - 1, oracle: 'history' as const, expected: last.fresh };
    await this.#compare(this.#trial(steps), fields, [compared]);
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  /** Runs a declaration in a new world. Resolves with undefined if the server refuses it, or if it violates a rule. */
  async #fresh(spec: unknown, fields: readonly string[]): Promise<Fresh | undefined> {
    const trial = this.#trial([declare(spec), { action: 'restart' }, { action: 'delete' }]);
    const result = await this.#run(trial, fields);
    const [first] = result.observations;
    if (first?.state === undefined || first.unconverged !== undefined) return undefined;
    const { state } = first;
    const { events, state: remains } = result.observations.at(-1) ?? first;
    const fresh = { spec, trial: upTo(trial, 0), state, events, remains, isRefused: isRefusedByOperator(first) };
    if (!fresh.isRefused) this.#known.push({ fresh, fields });
    return fresh;
  }

  async #recreate(fresh: Fresh): Promise<void> {
    const { spec } = fresh;
    const trial = this.#trial([declare(spec), { action: 'delete' }, declare(spec)]);
    await this.#compare(trial, [], [{ at: 2, oracle: 'recreation', expected: fresh }]);
  }

  /** Crashes the operator after each write of a history that no earlier history had. Other faults of the history follow later. */
  async #crash(steps: readonly Step[], fields: readonly string[]): Promise<void> {
    await this.#addHistory(this.#trial(steps), fields);
    while (!this.#isOver) {
      const next = this.#faults.nextCrash();
      if (next === undefined) return;
      await this.#disturb(next);
    }
  }

  async #addHistory(trial: Trial, fields: readonly string[]): Promise<void> {
    const result = await this.#run(trial, fields, { recordsChanges: true });
    this.#faults.add({ trial, result, fields });
  }

  /** Runs trials with faults and random histories in turn. */
  async #walkAndDisturb(): Promise<void> {
    for (let turn = 1; !this.#isOver; turn++) {
      const next = this.#faults.next();
      if (next !== undefined) await this.#disturb(next);
      const canWalk = this.#known.length > 1 && this.#walks < MOST_WALKS;
      if (next === undefined && !canWalk) return;
      if (canWalk && !this.#isOver && (next === undefined || turn % FAULTS_PER_WALK === 0)) await this.#walk();
    }
  }

  /** Runs a trial with faults, and expects the result of the same history without faults. */
  async #disturb(next: NextTrial): Promise<void> {
    if (next.history === undefined) return this.#addHistory(next.trial, next.fields);
    const { trial, history } = next;
    const result = await this.#compare(trial, history.fields, faultComparisons(trial, history));
    for (const finding of faultFindings(trial, result, history))
      await this.#confirm(finding, (again) => faultFindings(finding.trial, again, history));
  }

  /** Runs a trial, and compares its states with expected states. Resolves with the result of the trial. */
  async #compare(
    trial: Trial,
    fields: readonly string[],
    comparisons: readonly Pick<Comparison, 'at' | 'oracle' | 'expected'>[],
  ): Promise<TrialResult> {
    const result = await this.#run(trial, fields);
    for (const { at, oracle, expected } of comparisons) {
      const observation = result.observations[at];
      if (observation?.state === undefined || isReported(oracle, observation)) continue;
      const { state: actual } = observation;
      const compared = { oracle, trial: upTo(trial, at), at, actual, expected, fields };
      if (comparedFinding(compared, this.#mask) === undefined) continue;
      await this.#maskRandom(expected);
      const finding = comparedFinding(compared, this.#mask);
      if (finding === undefined) continue;
      await this.#confirm(finding, (again) => {
        const state = again.observations[at]?.state;
        return state === undefined ? [] : [comparedFinding({ ...compared, actual: state }, this.#mask)];
      });
      break;
    }
    return result;
  }

  /** Runs an expected history again at another time. Masks the fields in which the two results differ. */
  async #maskRandom({ trial, state }: Comparison['expected']): Promise<void> {
    const { observations } = await this.#runOnce(trial, { start: ANOTHER_TIME });
    const again = observations[trial.steps.length - 1]?.state;
    if (again !== undefined) this.#mask.add(stateDifferences(again, state));
  }

  /** Runs a trial, and adds the rules that it violates by itself. */
  async #run(trial: Trial, fields: readonly string[], conditions: Conditions = {}): Promise<TrialResult> {
    const result = await this.#runOnce(trial, conditions);
    if (result.refused !== undefined) this.#refused++;
    for (const finding of singleFindings(trial, result, fields)) {
      await this.#confirm({ ...finding, trial: upTo(trial, finding.at) }, (again) =>
        singleFindings(trial, again, fields),
      );
    }
    return result;
  }

  /** Adds a finding if its trial violates the same rule each time. */
  async #confirm(
    finding: Finding,
    findingsOf: (result: TrialResult) => readonly (Finding | undefined)[],
  ): Promise<void> {
    if (!this.#findings.has(finding)) {
      for (let each = 0; each < REPRODUCTIONS; each++) {
        const again = findingsOf(await this.#runOnce(finding.trial));
        if (!again.some((other) => other?.signature === finding.signature)) return;
      }
    }
    this.#findings.add(finding);
  }

  async #runOnce(trial: Trial, conditions: Conditions = {}): Promise<TrialResult> {
    this.#trials++;
    const result = await runTrial(this.#options.operator, trial, conditions);
    this.#options.onProgress?.(this.progress);
    return result;
  }

  /** Records whether any value of a field has an effect on other objects or on the status. */
  #noteEffect(path: string, base: Fresh, fresh: Fresh): void {
    const differences = [
      ...stateDifferences(fresh.state, base.state),
      ...stateDifferences(fresh.remains ?? new Map(), base.remains ?? new Map()),
    ];
    const isSame = this.#mask.apply(differences).length === 0 && isDeepStrictEqual(base.events, fresh.events);
    const isWithout = isSame && !fresh.isRefused;
    this.#withoutEffect.set(path, isWithout && this.#withoutEffect.get(path) !== false);
  }

  #trial(steps: readonly Step[]): Trial {
    return { kind: this.#options.kind, steps };
  }
}

function declare(spec: unknown, immediately = false): Step {
  return { action: 'declare', spec, ...(immediately && { immediately }) };
}

/** Whether the operator reports that it cannot change the object as declared. Only an unreported difference violates these rules. */
function isReported(oracle: Oracle, observation: Observation): boolean {
  return (oracle === 'history' || oracle === 'away') && isRefusedByOperator(observation);
}

/** Returns the trial without the steps after the given one. */
function upTo(trial: Trial, at: number): Trial {
  return { ...trial, steps: trial.steps.slice(0, at + 1) };
}

function effectFinding(trial: Trial, path: string): Finding {
  return {
    oracle: 'effect',
    sentence: `changes of ${path} have no effect`,
    trial,
    at: 0,
    expected: undefined,
    differences: [],
    details: [],
    fields: [path],
    signature: `effect ${path}`,
  };
}
