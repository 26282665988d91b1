import { isDeepStrictEqual } from 'node:util';
import type { KindRef } from '@kubewright/api';
import { randomNumbers } from '../../random-numbers.js';
import type { FieldChange } from '../generate/field-changes.js';
import { fieldAt, isIn, withFieldAt } from '../generate/with-field.js';
import type { OperatorUnderTest } from '../operator-under-test.js';
import type { Mask } from '../state/mask.js';
import { stateDifferences } from '../state/state-differences.js';
import type { WorldState } from '../state/world-state.js';
import type { FaultKind } from '../trials/faults/fault.js';
import type { RunTrial, Trial, TrialWorld } from '../trials/run-trial.js';
import { declare, type Step } from '../trials/step.js';
import { addOtherObject, changeSurroundings, disturbChildren } from './disturbed-histories.js';
import { FaultTrials, faultComparisons, faultFindings, type History, type NextTrial } from './fault-trials.js';
import type { Finding, OracleLevels } from './finding.js';
import type { Invariant } from './object-oracles.js';
import { type Share, WHOLE } from './share.js';
import { errorsOf, isRefusedByOperator } from './single-oracles.js';
import { TrialRunner, upTo } from './trial-runner.js';

/** The maximum number of random histories. */
const MOST_WALKS = 10_000;
/** The number of trials with faults for each random history. */
const FAULTS_PER_WALK = 3;
/** The time in seconds after which a declaration is reverted. The operator cannot converge in this time. */
const BRIEFLY_S = 1;

/** What a search has done. */
export interface SearchProgress {
  readonly trials: number;
  /** The number of declarations that the server refused. */
  readonly refused: number;
  /** The number of changes of fields whose results are known. */
  readonly changes: number;
  /** The number of fields with known results. */
  readonly fields: number;
  /** The number of trials with an injected crash of the operator. */
  readonly crashes: number;
  readonly findings: readonly Finding[];
}

export interface SearchOptions {
  readonly operator: OperatorUnderTest;
  readonly run: RunTrial;
  readonly kind: KindRef;
  /** Specs from which all changes can start. The first spec that the operator can realize is used. */
  readonly specs: Iterable<unknown>;
  /** Returns the changes of a spec. */
  readonly changesOf: (spec: unknown) => readonly FieldChange[];
  /** Returns a spec in which as many optional fields as possible are set. */
  readonly richSpecOf: (spec: unknown) => unknown;
  /** Returns a spec for another object of the same kind. */
  readonly differentSpecOf: (spec: unknown) => unknown;
  /** The fields that have an effect only if other fields have the given values, by the path of the field. @default none */
  readonly dependsOn?: Dependencies;
  /** Rules of the user by their names. @default none */
  readonly invariants?: Readonly<Record<string, Invariant>>;
  /** The levels of the rules. @default the default level of each rule */
  readonly oracles?: OracleLevels;
  /** The fields that the comparison ignores, such as 'Secret data.password'. @default none */
  readonly mask?: readonly string[];
  /** The kinds of faults to inject. @default all kinds */
  readonly faults?: readonly FaultKind[];
  /** The seed of the random histories. */
  readonly seed: number;
  /** The part of the histories and faults without changed fields that this search runs, if several searches share them. @default all */
  readonly share?: Share;
  /** Whether the search must end. */
  readonly isOver: () => boolean;
  /** Called after each trial. */
  readonly onProgress?: (progress: SearchProgress) => void;
}

/** For the path of a field, the values that other fields must have, by their paths. */
export type Dependencies = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The result of a declaration with an operator that has just started. */
interface Fresh {
  readonly spec: unknown;
  readonly trial: Trial;
  readonly state: WorldState;
  /** The events of the operator until the object is deleted. */
  readonly events: readonly string[];
  /**
   * The world after the last step that the trial took: the deletion of the object, or an earlier step after which the operator did not
   * converge.
   */
  readonly remains: WorldState | undefined;
  readonly isRefused: boolean;
}

/** A search for histories of one kind that violate the rules. */
export class Search {
  readonly #options: SearchOptions;
  readonly #runner: TrialRunner;
  /**
   * The results before and after the last tried change of each field, by the path of the field. Undefined if a change of the field had an
   * effect.
   */
  readonly #withoutEffect = new Map<string, { readonly base: Fresh; readonly fresh: Fresh } | undefined>();
  readonly #faults: FaultTrials;
  /** The declarations whose results are known. */
  readonly #known: { readonly fresh: Fresh; readonly fields: readonly string[] }[] = [];
  readonly #random: () => number;
  #walks = 0;
  #hasBase = false;
  #obstacle: string | undefined;
  #changes = 0;
  #crashes = 0;

  constructor(options: SearchOptions) {
    this.#options = options;
    this.#runner = new TrialRunner({ ...options, onTrial: () => options.onProgress?.(this.progress) });
    this.#random = randomNumbers(options.seed);
    this.#faults = new FaultTrials(options, this.#random);
  }

  /** Whether the operator could realize one of the given specs. */
  get hasBase(): boolean {
    return this.#hasBase;
  }

  /** The last reason why the operator could not realize a spec. Undefined if the operator could realize all tried specs. */
  get obstacle(): string | undefined {
    return this.#obstacle;
  }
  /** The fields that the comparison ignores. */
  get mask(): Mask {
    return this.#runner.mask;
  }

  get progress(): SearchProgress {
    const { trials, refused, findings } = this.#runner;
    const fields = this.#withoutEffect.size;
    return { trials, refused, changes: this.#changes, fields, crashes: this.#crashes, findings };
  }

  /** Runs the search until all histories are tried, or until `isOver` returns true. */
  async run(): Promise<SearchProgress> {
    const base = await this.#base();
    if (base === undefined) return this.progress;
    this.#hasBase = true;
    await this.#runner.maskRandom(base);
    const { share = WHOLE } = this.#options;
    if (share.index === 0) await this.#recreate(base);
    const rich = await this.#rich(base);
    for (const { spec } of new Set([base, rich])) await this.#crash([declare(spec), { action: 'delete' }], []);
    const { spec } = base;
    this.#faults.addLater(
      this.#runner.trial([declare(spec), { action: 'delete' }, declare(spec), { action: 'restart' }]),
      [],
    );
    if (share.index === 0) await this.#changeCluster(rich);
    const untried = await this.#tryChanges([...new Set([base, rich]), ...(await this.#dependent(base))]);
    for (const path of this.#pathsWithoutEffect()) {
      const isTried = ![...untried].some((each) => isIn(each, path));
      if (isTried && (await this.#confirmWithoutEffect(path))) this.#runner.add(effectFinding(base.trial, path));
    }
    await this.#walkAndDisturb();
    return this.progress;
  }

  /** Tries the changes of all bases, one change of each base in turn. Returns the paths of the fields whose changes were not all tried. */
  async #tryChanges(bases: readonly Fresh[]): Promise<ReadonlySet<string>> {
    const queues = bases.map((base) => ({ base, changes: this.#options.changesOf(base.spec) }));
    const longest = queues.reduce((most, { changes: { length } }) => (length > most ? length : most), 0);
    const turns = Array.from({ length: longest }, (_, at) =>
      queues.flatMap(({ base, changes }) => {
        const change = changes[at];
        return change === undefined ? [] : [{ base, change }];
      }),
    ).flat();
    for (const [at, { base, change }] of turns.entries()) {
      if (this.#isOver) return new Set(turns.slice(at).map(({ change: { path } }) => path));
      await this.#change(base, change);
    }
    return new Set();
  }

  /** Returns a declaration with as many fields as possible. Returns the base if the operator cannot realize such a declaration. */
  async #rich(base: Fresh): Promise<Fresh> {
    const spec = this.#options.richSpecOf(base.spec);
    const rich = isDeepStrictEqual(spec, base.spec) ? undefined : await this.#fresh(spec, []);
    return rich === undefined || rich.isRefused ? base : rich;
  }

  /**
   * Returns one declaration for each field in `dependsOn`: the base with the values that the field requires. Omits declarations that the
   * operator cannot realize.
   */
  async #dependent(base: Fresh): Promise<readonly Fresh[]> {
    const found: Fresh[] = [];
    for (const [path, values] of Object.entries(this.#options.dependsOn ?? {})) {
      const spec = Object.entries(values).reduce(
        (each, [field, value]) => withFieldAt(each, fieldsIn(field), value),
        base.spec,
      );
      const fresh = await this.#fresh(spec, [path]);
      if (fresh !== undefined && !fresh.isRefused) found.push(fresh);
    }
    return found;
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
    const fresh = await this.#fresh(next, fields, 'whole');
    if (fresh === undefined) return;
    this.#changes++;
    this.#noteEffect(path, base, fresh);
    const [one, other] = [declare(spec), declare(next)];
    const there = { at: 1, oracle: 'history' as const, expected: fresh };
    if (fresh.isRefused) {
      const rollback = { at: 2, oracle: 'rollback' as const, expected: base };
      await this.#runner.compare({ ...this.#runner.trial([one, other, one]), world: 'whole' }, fields, [rollback]);
      return;
    }
    const quick = [one, declare(next, { immediately: true }), one];
    const brief = [one, declare(next, { forSeconds: BRIEFLY_S }), one];
    const away: readonly Step[] = [one, { action: 'stop' }, other, { action: 'start' }];
    const steps = [one, other, ...quick, ...brief.slice(1), ...away.slice(1)];
    // The memory of the operator contains the first declaration, so that this trial finds changes that the operator ignores.
    await this.#runner.compare({ ...this.#runner.trial(steps), world: 'whole' }, fields, [
      there,
      { at: 2, oracle: 'history', expected: base },
      { at: 4, oracle: 'quick', expected: base, short: quick },
      { at: 6, oracle: 'quick', expected: base, short: brief },
      { at: 9, oracle: 'away', expected: fresh, short: away },
    ]);
    if (!this.#isOver) await this.#crash([one, other], fields);
    this.#faults.addLater(this.#runner.trial(quick), fields);
    this.#faults.addLater(this.#runner.trial([one, { action: 'restart' }, other, { action: 'restart' }]), fields);
  }

  /**
   * Runs histories with changes by a stranger, with another object of the same kind, and with initial objects that are created or changed
   * later.
   */
  async #changeCluster(base: Fresh): Promise<void> {
    const undisturbed = { spec: base.spec, different: this.#options.differentSpecOf(base.spec), expected: base };
    const { objects = [] } = this.#options.operator;
    if (!this.#isOver) await disturbChildren(this.#runner, undisturbed);
    if (!this.#isOver) await addOtherObject(this.#runner, undisturbed);
    if (!this.#isOver) await changeSurroundings(this.#runner, undisturbed, objects);
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
      return [declare(spec, { immediately: !isLast && this.#below(3) === 0 })];
    });
    const fields = [...new Set(walk.flatMap((each) => each.fields))];
    const compared = { at: steps.length - 1, oracle: 'history' as const, expected: last.fresh };
    await this.#runner.compare(this.#runner.trial(steps), fields, [compared]);
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  /**
   * Runs a declaration with an operator that has just started. Resolves with undefined if the server refuses the declaration, or if the
   * operator does not converge. Does not run a declaration whose result is known.
   */
  async #fresh(spec: unknown, fields: readonly string[], world: TrialWorld = 'new'): Promise<Fresh | undefined> {
    const known = this.#known.find(({ fresh }) => isDeepStrictEqual(fresh.spec, spec));
    if (known !== undefined) return known.fresh;
    const fresh = await this.#declared(spec, fields, world);
    if (fresh?.isRefused === false) this.#known.push({ fresh, fields });
    return fresh;
  }

  async #declared(spec: unknown, fields: readonly string[], world: TrialWorld): Promise<Fresh | undefined> {
    const trial = this.#runner.trial([declare(spec), { action: 'restart' }, { action: 'delete' }]);
    const result = await this.#runner.run(trial, fields, { world });
    const [first] = result.observations;
    this.#obstacle = result.refused ?? (first && errorsOf(first).at(-1)) ?? this.#obstacle;
    if (first?.state === undefined || first.unconverged !== undefined) return undefined;
    const { state } = first;
    const { events, state: remains } = result.observations.at(-1) ?? first;
    return { spec, trial: upTo(trial, 0), state, events, remains, isRefused: isRefusedByOperator(first) };
  }

  async #recreate(fresh: Fresh): Promise<void> {
    const { spec } = fresh;
    const one = declare(spec);
    const again: readonly Step[] = [one, { action: 'delete' }, one];
    const atOnce: readonly Step[] = [one, { action: 'delete', immediately: true }, one];
    const trial = this.#runner.trial([...again, ...atOnce.slice(1)]);
    const expected = { oracle: 'recreation' as const, expected: fresh };
    await this.#runner.compare(
      trial,
      [],
      [
        { ...expected, at: 2 },
        { ...expected, at: 4, short: atOnce },
      ],
    );
  }

  /**
   * Runs a history, and repeats it with a crash at each write and call that no earlier history had. Schedules its other faults for later.
   */
  async #crash(steps: readonly Step[], fields: readonly string[]): Promise<void> {
    await this.#addHistory(this.#runner.trial(steps), fields);
    while (!this.#isOver) {
      const next = this.#faults.nextCrash();
      if (next === undefined) return;
      await this.#disturb(next);
    }
  }

  async #addHistory(trial: Trial, fields: readonly string[]): Promise<void> {
    const result = await this.#runner.run(trial, fields, { recordsChanges: true, world: 'whole' });
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

  /**
   * Runs a trial with faults, and expects the result of the same history without faults. For a history that must run first, runs the
   * history without faults and schedules its faults.
   */
  async #disturb(next: NextTrial): Promise<void> {
    if (next.history === undefined) return this.#addHistory(next.trial, next.fields);
    const { trial, history } = next;
    if (trial.faults?.some(({ kind }) => kind === 'crash')) this.#crashes++;
    const result = await this.#runner.compare(trial, history.fields, faultComparisons(trial, history));
    const findings = faultFindings(trial, result, history);
    if (findings.length === 0) return;
    const known = await this.#inNewWorld(history);
    await this.#runner.confirmAll(findings, (again, { trial: shorter }) => faultFindings(shorter, again, known));
  }

  /** Returns a history with its result in a new world. */
  async #inNewWorld(history: History): Promise<History> {
    if (history.result.isForked !== true) return history;
    return { ...history, result: await this.#runner.run(history.trial, history.fields) };
  }

  /**
   * Records whether any change of a field has an effect on other objects, on the status or on events. Ignores the change if the base does
   * not have the values that `dependsOn` requires for the field.
   */
  #noteEffect(path: string, base: Fresh, fresh: Fresh): void {
    const needed = Object.entries(this.#options.dependsOn?.[path] ?? {});
    if (needed.some(([field, value]) => !isDeepStrictEqual(fieldAt(base.spec, fieldsIn(field)), value))) return;
    const hasEffect = this.#withoutEffect.has(path) && this.#withoutEffect.get(path) === undefined;
    this.#withoutEffect.set(path, !hasEffect && this.#isWithoutEffect(base, fresh) ? { base, fresh } : undefined);
  }

  /** Runs the last value of a field in a new world. Returns whether the value has no effect. */
  async #confirmWithoutEffect(path: string): Promise<boolean> {
    const tried = this.#withoutEffect.get(path);
    if (tried === undefined) return false;
    const again = await this.#declared(tried.fresh.spec, [path], 'new');
    return again !== undefined && this.#isWithoutEffect(tried.base, again);
  }

  #isWithoutEffect(base: Fresh, fresh: Fresh): boolean {
    const differences = [
      ...stateDifferences(fresh.state, base.state),
      ...stateDifferences(fresh.remains ?? new Map(), base.remains ?? new Map()),
    ];
    const isSame = this.#runner.mask.apply(differences).length === 0 && isDeepStrictEqual(base.events, fresh.events);
    return isSame && !fresh.isRefused;
  }

  /**
   * Returns the fields without effect. A field has an effect if a field inside it has an effect. If a field has no effect, omits the fields
   * inside it.
   */
  #pathsWithoutEffect(): readonly string[] {
    const fields = [...this.#withoutEffect];
    const hasEffectInside = (path: string): boolean =>
      fields.some(([each, tried]) => tried === undefined && isInside(each, path));
    const paths = fields.flatMap(([path, tried]) => (tried === undefined || hasEffectInside(path) ? [] : [path]));
    return paths.filter((path) => !paths.some((other) => isInside(path, other)));
  }
}

/** Whether a path, such as 'spec.tls.enabled', is inside another field, such as 'spec.tls'. */
function isInside(path: string, field: string): boolean {
  return path !== field && isIn(path, field);
}

/** Returns the names of the fields in a path, without 'spec'. */
function fieldsIn(path: string): readonly string[] {
  return path.split('.').slice(1);
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
