import type { KindRef, KubeObject } from '@kubewright/api';
import { type Duration, durationMs } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { type AnyClass, kindOf, objectSchemaOf } from '@kubewright/api/metadata';
import { applyDefaults, type StructuralSchema } from '@kubewright/api/schema';
import { controllerOptionsOf } from '@kubewright/runtime/internal';
import { generatedObjects, validatorOf } from '../webhooks/objects-of-schema.js';
import { fieldChanges } from './generate/field-changes.js';
import { leastValue } from './generate/field-values.js';
import { withObjectNames } from './generate/object-names.js';
import { differentSpec, richSpec } from './generate/other-specs.js';
import type { OperatorUnderTest } from './operator-under-test.js';
import { reportFinding } from './report/report-findings.js';
import type { FaultKind } from './trials/faults/fault.js';
import { type Finding, levelOf, type OracleLevels } from './search/finding.js';
import type { Invariant } from './search/object-oracles.js';
import { type Dependencies, Search, type SearchProgress } from './search/search.js';
import { SUBJECT } from './trials/world.js';

/** The number of generated objects. The operator must realize at least one of these objects. */
const GENERATED_BASES = 10;

/** The options of `explore`. */
export interface ExploreOptions extends OperatorUnderTest {
  /**
   * Valid objects of the explored kinds. The first sample of a kind is the start of all changes. @default an object that is generated from
   * the schema
   */
  readonly samples?: readonly KubeObject[];
  /** The kinds to explore. @default the kinds with a controller, among `kinds` */
  readonly explored?: readonly KindRef[];
  /** The time after which the search ends. The kinds share this time equally. @default '10s' */
  readonly budget?: Duration;
  /** The number of trials of each kind after which the search ends. The last step of the search can add a few trials. @default no limit */
  readonly trials?: number;
  /** The number of problems after which the search of a kind ends. @default no limit */
  readonly problems?: number;
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
  /** Signatures of findings that are accepted, from the report. @default none */
  readonly accept?: readonly string[];
  /**
   * The levels of rules: `{ effect: 'off', ready: 'error' }`. A violation of a rule with the level 'warn' is a warning, which does not
   * reject the promise. @default 'warn' for `ready`, and 'error' for all other rules
   */
  readonly oracles?: OracleLevels;
  /**
   * Rules of the user by their names. Each function receives all objects of the server after each step, and throws an error if they violate
   * the rule. @default none
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
  readonly findings: readonly Finding[];
  /** The violations of rules with the level 'warn'. */
  readonly warnings: readonly Finding[];
}

/**
 * Searches for histories in which an operator violates a rule that every operator satisfies: it converges, a restart writes nothing, the
 * result depends only on the current declaration, a crash after any write has no effect, and so on (see `Oracle`). The search needs no
 * assertions. It generates declarations from the schemas of the kinds, and runs them on embedded API servers with a fake clock.
 *
 * Rejects with EXPLORE_FOUND if a rule is violated; the message describes each finding with the shortest known history. Rejects with
 * CANNOT_GENERATE if no valid object of a kind can be generated; then pass a sample. Rejects with INVALID_OPTION if `dependsOn` contains an
 * unknown field.
 *
 * @example
 * test('the operator keeps the rules of operators', async () => {
 *   await explore({ kinds: [Database], controllers: [DatabaseController], budget: '10s' });
 * });
 */
export async function explore(options: ExploreOptions): Promise<Exploration> {
  const exploration = await exploreKinds(options);
  const { findings } = exploration;
  if (findings.length === 0 || options.report === 'return') return exploration;
  const count = findings.length === 1 ? '1 problem' : `${findings.length} problems`;
  const reports = findings.map(
    (finding) => `${reportFinding(finding)}\n  to accept: ${JSON.stringify(finding.signature)}`,
  );
  throw new KubewrightError(
    'EXPLORE_FOUND',
    `explore found ${count} in ${exploration.trials} trials\n\n${reports.join('\n\n')}`,
  );
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

/** Explores all kinds, and returns the findings. Rejects with CANNOT_GENERATE. */
async function exploreKinds(options: ExploreOptions): Promise<Exploration> {
  const { accept = [], budget = '10s' } = options;
  const kinds = options.explored ?? controlledKinds(options);
  checkDependencies(kinds, options.dependsOn ?? {});
  const accepted = new Set(accept);
  const results: SearchProgress[] = [];
  for (const kind of kinds)
    results.push(await exploreKind(options, { kind, budgetMs: durationMs(budget) / kinds.length }));
  const found = results.flatMap(({ findings }) => findings).filter(({ signature }) => !accepted.has(signature));
  return {
    trials: sum(results.map(({ trials }) => trials)),
    changes: sum(results.map(({ changes }) => changes)),
    findings: found.filter(({ oracle }) => levelOf(oracle, options.oracles) === 'error'),
    warnings: found.filter(({ oracle }) => levelOf(oracle, options.oracles) === 'warn'),
  };
}

async function exploreKind(
  options: ExploreOptions,
  { kind, budgetMs }: { readonly kind: KindRef; readonly budgetMs: number },
): Promise<SearchProgress> {
  const {
    mask,
    faults,
    onProgress,
    oracles,
    invariants,
    dependsOn = {},
    seed = 1,
    trials = Number.POSITIVE_INFINITY,
    problems = Number.POSITIVE_INFINITY,
  } = options;
  const endMs = performance.now() + budgetMs;
  const objectSchema: StructuralSchema = objectSchemaOf(kind) ?? {};
  const schema = withObjectNames(objectSchema.properties?.['spec'] ?? {}, options.objects ?? []);
  const isValidSpec = isValid(kind, objectSchema);
  const search: Search = new Search({
    operator: options,
    kind,
    specs: specsOf(kind, options.samples ?? [], schema),
    changesOf: (spec) => fieldChanges(spec, schema).filter((change) => isValidSpec(change.spec)),
    richSpecOf: (spec) => richSpec(spec, schema, isValidSpec),
    differentSpecOf: (spec) => differentSpec(spec, schema, isValidSpec),
    seed,
    ...(mask && { mask }),
    ...(faults && { faults }),
    ...(oracles && { oracles }),
    ...(invariants && { invariants }),
    dependsOn: Object.fromEntries(Object.entries(dependsOn).filter(([path]) => hasField(kind, path))),
    isOver: () => {
      const { trials: tried, findings } = search.progress;
      const errors = findings.filter(({ oracle }) => levelOf(oracle, oracles) === 'error');
      return performance.now() > endMs || tried >= trials || errors.length >= problems;
    },
    ...(onProgress && { onProgress }),
  });
  const progress = await search.run();
  if (!search.hasBase && progress.findings.length === 0) throw noBase(kind);
  return progress;
}

/** Throws INVALID_OPTION if none of the kinds has a field that `dependsOn` contains. */
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

/** Whether the schema of a kind contains a field of the spec. */
function hasField(kind: KindRef, path: string): boolean {
  const [root, ...names] = path.split('.');
  const spec = objectSchemaOf(kind)?.properties?.['spec'];
  const field = names.reduce<StructuralSchema | undefined>((schema, name) => schema?.properties?.[name], spec);
  return root === 'spec' && field !== undefined;
}

function noBase(kind: KindRef): KubewrightError {
  const { apiVersion, kind: name } = kindOf(kind);
  return new KubewrightError(
    'CANNOT_GENERATE',
    `cannot explore ${apiVersion} ${name}: the operator could not realize any of the tried objects; pass a valid object of this kind in the option samples, and the objects that it needs in the option objects`,
  );
}

/** An object with a spec. */
type ObjectWithSpec = KubeObject & { readonly spec?: unknown };

/** Yields specs from which all changes can start: those of the samples of the kind, or otherwise generated specs. */
function* specsOf(kind: KindRef, samples: readonly KubeObject[], specSchema: StructuralSchema): Generator {
  const { apiVersion, kind: name } = kindOf(kind);
  const schema: StructuralSchema = objectSchemaOf(kind) ?? {};
  const given = samples.filter((each) => each.kind === name && each.apiVersion === apiVersion);
  for (const sample of given) yield applyDefaults<ObjectWithSpec>(sample, schema).spec;
  if (given.length > 0) return;
  const least = leastValue('spec', specSchema);
  if (isValid(kind, schema)(least)) yield applyDefaults<ObjectWithSpec>(objectOf(kind, least), schema).spec;
  for (const object of generatedObjects(kind, { count: GENERATED_BASES })) yield (object as ObjectWithSpec).spec;
}

/** Returns a function that reports whether an object with this spec is valid. */
function isValid(kind: KindRef, schema: StructuralSchema): (spec: unknown) => boolean {
  const isValidObject = validatorOf(schema);
  return (spec) => isValidObject(applyDefaults(objectOf(kind, spec), schema));
}

function objectOf(kind: KindRef, spec: unknown): KubeObject {
  const { apiVersion, kind: name } = kindOf(kind);
  return { apiVersion, kind: name, metadata: { ...SUBJECT }, spec } as unknown as KubeObject;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
