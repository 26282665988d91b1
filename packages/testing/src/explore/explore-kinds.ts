import type { KindRef } from '@kubewright/api';
import { durationMs } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { type AnyClass, kindOf, objectSchemaOf } from '@kubewright/api/metadata';
import type { StructuralSchema } from '@kubewright/api/schema';
import { controllerOptionsOf } from '@kubewright/runtime/internal';
import { Declarations } from './declarations.js';
import type { Exploration, ExploreOptions } from './explore-options.js';
import type { FieldChange } from './generate/field-changes.js';
import { isIn } from './generate/with-field.js';
import { checkedHistory } from './histories/checked-history.js';
import { maskRandom } from './histories/replayed-finding.js';
import { shrunkFinding } from './histories/shrunk-finding.js';
import type { OperatorUnderTest } from './operator-under-test.js';
import { type Finding, levelOf } from './search/finding.js';
import { Findings } from './search/findings.js';
import { type Dependencies, Search, type SearchProgress } from './search/search.js';
import { type Share, WHOLE } from './search/share.js';
import { Mask } from './state/mask.js';
import { ForkedTrials } from './trials/forked-trials.js';
import type { RunTrial } from './trials/run-trial.js';

/** The share of the budget that a search with findings leaves for the reduction of their histories. */
const SHRINKING_SHARE = 0.2;
/** The share of the budget by which the reduction of the histories can exceed the budget. */
const EXCESS_SHARE = 0.1;

/** The options of `exploreKinds`. */
export interface ExploreKindsOptions extends ExploreOptions {
  /** The part of the search that this process runs, if several processes explore the same kinds. @default the whole search */
  readonly share?: Share;
  /** Findings of earlier explorations, whose histories run first. @default none */
  readonly known?: readonly Finding[];
  /** Runs a trial. @default `ForkedTrials` with the operator */
  readonly run?: RunTrial;
}

/**
 * Explores the kinds of the option `explored`, by default the kinds with a controller. Returns the findings that are not accepted. Rejects
 * with CANNOT_GENERATE if the operator cannot realize any object of a kind, and with INVALID_OPTION if `dependsOn` contains an unknown
 * field.
 */
export async function exploreKinds(options: ExploreKindsOptions): Promise<Exploration> {
  const { budget = '10s' } = options;
  const kinds = options.explored ?? controlledKinds(options);
  checkDependencies(kinds, options.dependsOn ?? {});
  const results: SearchProgress[] = [];
  for (const kind of kinds)
    results.push(await new KindExploration(kind, options, durationMs(budget) / kinds.length).run());
  const found = results.flatMap(({ findings }) => findings);
  return {
    trials: sum(results.map(({ trials }) => trials)),
    changes: sum(results.map(({ changes }) => changes)),
    fields: sum(results.map(({ fields }) => fields)),
    crashes: sum(results.map(({ crashes }) => crashes)),
    findings: found.filter(({ oracle }) => levelOf(oracle, options.oracles) === 'error'),
    warnings: found.filter(({ oracle }) => levelOf(oracle, options.oracles) === 'warn'),
  };
}

/** Throws INVALID_OPTION if `dependsOn` contains a field that none of the kinds has. */
function checkDependencies(kinds: readonly KindRef[], dependsOn: Dependencies): void {
  for (const [path, values] of Object.entries(dependsOn)) {
    for (const field of [path, ...Object.keys(values)]) {
      if (kinds.some((kind) => hasField(kind, field))) continue;
      throw new KubewrightError(
        'INVALID_OPTION',
        `invalid option dependsOn: no explored kind has the field '${field}'; write a path such as 'spec.tls.secretName'`,
      );
    }
  }
}

/** Whether the schema of a kind contains the field at a path in the spec, such as 'spec.tls'. False for a path outside of the spec. */
function hasField(kind: KindRef, path: string): boolean {
  const [root, ...names] = path.split('.');
  const spec = objectSchemaOf(kind)?.properties?.['spec'];
  const field = names.reduce<StructuralSchema | undefined>((schema, name) => schema?.properties?.[name], spec);
  return root === 'spec' && field !== undefined;
}

/** Returns the kinds with a controller. Returns all kinds if no controller declares its kind with `@Controller`. */
function controlledKinds({ kinds, controllers }: OperatorUnderTest): readonly KindRef[] {
  const names = new Set(controllers.flatMap((controller) => kindNamesOf(controller)));
  const controlled = kinds.filter((kind) => names.has(nameOf(kind)));
  return controlled.length > 0 ? controlled : kinds;
}

function kindNamesOf(controller: object): readonly string[] {
  const target = typeof controller === 'function' ? controller : controller.constructor;
  const options = controllerOptionsOf(target as AnyClass);
  return options === undefined ? [] : [nameOf(options.for)];
}

function nameOf(kind: KindRef): string {
  const { apiVersion, kind: name } = kindOf(kind);
  return `${apiVersion} ${name}`;
}

/** The exploration of one kind. */
class KindExploration {
  readonly #kind: KindRef;
  readonly #options: ExploreKindsOptions;
  readonly #declarations: Declarations;
  readonly #beginMs = performance.now();
  readonly #budgetMs: number;
  readonly #run: RunTrial;
  readonly #forked: ForkedTrials;
  #otherTrials = 0;

  constructor(kind: KindRef, options: ExploreKindsOptions, budgetMs: number) {
    this.#forked = new ForkedTrials(options);
    const { run = (trial, conditions) => this.#forked.run(trial, conditions) } = options;
    this.#kind = kind;
    this.#options = options;
    this.#declarations = new Declarations(kind, options.objects);
    this.#budgetMs = budgetMs;
    this.#run = run;
  }

  get #shrinkTrials(): number {
    return this.#options.shrinkTrials ?? 40;
  }

  /** Runs the known histories, searches for further histories, and reduces the histories that violate a rule. */
  async run(): Promise<SearchProgress> {
    await using _forked = this.#forked;
    const { accept = [] } = this.#options;
    const accepted = new Set(accept);
    const known = await this.#knownFindings();
    const search = this.#search(known);
    const progress = await search.run();
    if (!search.hasBase && progress.findings.length === 0) throw noBase(this.#kind, search.obstacle);
    const findings: Finding[] = [];
    for (const finding of merged([...known, ...progress.findings])) {
      if (!accepted.has(finding.signature)) findings.push(await this.#reduced(finding, search.mask));
    }
    return { ...progress, trials: progress.trials + this.#otherTrials, findings };
  }

  #search(known: readonly Finding[]): Search {
    const { mask, onProgress, samples = [], seed = 1, share = WHOLE } = this.#options;
    const { faults, oracles, invariants, dependsOn = {} } = this.#options;
    const { trials = Number.POSITIVE_INFINITY, problems = Number.POSITIVE_INFINITY } = this.#options;
    const search: Search = new Search({
      operator: this.#options,
      run: this.#run,
      kind: this.#kind,
      specs: this.#declarations.specs(samples),
      changesOf: (spec) => this.#changes(spec),
      richSpecOf: (spec) => this.#declarations.rich(spec),
      differentSpecOf: (spec) => this.#declarations.different(spec),
      seed: seed * share.count + share.index,
      share,
      ...(mask && { mask }),
      ...(faults && { faults }),
      ...(oracles && { oracles }),
      ...(invariants && { invariants }),
      dependsOn: Object.fromEntries(Object.entries(dependsOn).filter(([path]) => hasField(this.#kind, path))),
      isOver: () => {
        const { trials: tried, findings } = search.progress;
        const part = findings.length > 0 && this.#shrinkTrials > 0 ? 1 - SHRINKING_SHARE : 1;
        const errors = findings.filter(({ oracle }) => levelOf(oracle, oracles) === 'error');
        return this.#hasPassed(part) || tried >= trials || errors.length >= problems;
      },
      ...(onProgress && {
        onProgress: (progress) => {
          const found = merged([...known, ...progress.findings]);
          onProgress({ ...progress, findings: found.filter(({ oracle }) => levelOf(oracle, oracles) === 'error') });
        },
      }),
    });
    return search;
  }

  /** Returns the changes of the fields that this process explores. All changes of a field belong to the same process. */
  #changes(spec: unknown): readonly FieldChange[] {
    const { fields, share = WHOLE } = this.#options;
    const all = this.#declarations.changes(spec);
    const chosen = fields === undefined ? all : all.filter(({ path }) => fields.some((field) => isIn(path, field)));
    const paths = [...new Set(chosen.map(({ path }) => path))];
    const own = new Set(paths.filter((_, at) => at % share.count === share.index));
    return chosen.filter(({ path }) => own.has(path));
  }

  /**
   * Returns the known findings of this kind whose histories still violate the same rule in two runs. Omits the findings that are not
   * checked before 80% of the budget has passed.
   */
  async #knownFindings(): Promise<readonly Finding[]> {
    const found: Finding[] = [];
    for (const finding of this.#options.known ?? []) {
      if (nameOf(finding.trial.kind) !== nameOf(this.#kind) || this.#hasPassed(1 - SHRINKING_SHARE)) continue;
      const mask = new Mask(this.#options.mask);
      if (finding.expected !== undefined) await maskRandom(finding.expected, { run: this.#counted, mask });
      const again = await this.#check(finding, mask);
      if (again !== undefined && (await this.#check(again, mask)) !== undefined) found.push(again);
    }
    return found;
  }

  /**
   * Returns the finding with the shortest history found that violates the same rule, and with a trace of this history. Returns the same
   * finding if `shrinkTrials` is 0, or if the rule is `effect`.
   */
  async #reduced(finding: Finding, mask: Mask): Promise<Finding> {
    // A finding of the rule `effect` contains only the declaration from which the changes without effect start.
    if (this.#shrinkTrials === 0 || finding.oracle === 'effect') return finding;
    const limit = this.#otherTrials + this.#shrinkTrials;
    const isOver = (): boolean => this.#otherTrials >= limit || this.#hasPassed(1 + EXCESS_SHARE);
    const { invariants } = this.#options;
    const shrunk = await shrunkFinding(finding, { run: this.#counted, mask, invariants, isOver });
    const { trace } = await this.#counted(shrunk.trial, { trace: true });
    return { ...shrunk, trace };
  }

  /** Whether a share of the budget has passed. */
  #hasPassed(share: number): boolean {
    return performance.now() > this.#beginMs + share * this.#budgetMs;
  }
  #check(finding: Finding, mask: Mask): Promise<Finding | undefined> {
    return checkedHistory(finding, { run: this.#counted, mask, invariants: this.#options.invariants });
  }

  readonly #counted: RunTrial = (trial, conditions) => {
    this.#otherTrials++;
    return this.#run(trial, conditions);
  };
}

function noBase(kind: KindRef, obstacle: string | undefined): KubewrightError {
  const { apiVersion, kind: name } = kindOf(kind);
  const reason = obstacle === undefined ? '' : ` (${obstacle})`;
  return new KubewrightError(
    'CANNOT_GENERATE',
    `cannot explore ${apiVersion} ${name}: the operator could not realize any of the tried objects${reason}; pass a valid object of this kind in the option samples, and the objects that it needs in the option objects`,
  );
}

/** Merges all findings with the same signature into one finding with the fields of all of them. */
function merged(all: readonly Finding[]): readonly Finding[] {
  const findings = new Findings();
  for (const finding of all) findings.add(finding);
  return findings.all;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
