import type { KindRef, KubeObject } from '@kubewright/api';
import { durationMs } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { kindOf, objectSchemaOf } from '@kubewright/api/metadata';
import type { Index } from '../../cache/store/index-declaration.js';
import type { Logger } from '../../log/logger.js';
import { kebabCase } from '../../metadata/kebab-case.js';
import { type DelayRule, exponential } from '../../queue/delay-rule.js';
import type { ControllerOptions } from './controller-options.js';
import { KEY_KIND, OPTIONS_OF_OBJECTS } from './key-controller.js';
import { kindProblem, optionProblem } from './option-problem.js';
import type { RbacRule } from '../../rbac/rbac-decorator.js';
import { desiredStateChanged, type Predicate } from '../watches/predicates.js';
import type { Source } from '../sources/source.js';
import {
  type DeclaredWatch,
  declaredWatch,
  isOptionalKind,
  type OptionalKind,
  ownedDeclaration,
  type WatchDeclaration,
  watchProblem,
} from '../watches/watch-declaration.js';

/** A kind of the `reads` option. */
export interface DeclaredRead {
  readonly kind: KindRef;
  readonly optional: boolean;
}

/** The options of a controller with all defaults applied. */
export interface ResolvedControllerOptions {
  readonly kind: KindRef;
  readonly kindName: string;
  /** Whether the controller reconciles keys instead of the objects of a kind. `kind` is then a placeholder. */
  readonly byKey: boolean;
  readonly name: string;
  readonly sameName: boolean;
  readonly logger: (logger: Logger) => Logger;
  readonly when: Predicate<KubeObject>;
  readonly watches: readonly DeclaredWatch[];
  readonly sources: readonly Source[];
  readonly reads: readonly DeclaredRead[];
  readonly rbac: readonly RbacRule[];
  readonly indexes: readonly Index<KubeObject>[];
  readonly scope: 'controller' | 'reconcile';
  readonly concurrency: number;
  readonly everyMs: number | undefined;
  readonly timeoutMs: number | undefined;
  readonly minIntervalMs: number | undefined;
  readonly maxAttempts: number;
  readonly priority: ((object: KubeObject) => number) | undefined;
  readonly delayRule: DelayRule;
  readonly retryLimit: { readonly perSecond: number; readonly burst: number } | undefined;
  readonly debounceMs: number;
  readonly starvationLimitMs: number | undefined;
  readonly finalizer: string;
  readonly reconcileCondition: string | undefined;
  /** Whether the status of the kind has conditions that the controller may write. */
  readonly conditions: boolean;
  /** Whether the status of the kind has an observedGeneration that the controller may write. */
  readonly observesGeneration: boolean;
  readonly hotLoops: 'damp' | 'warn' | false;
  readonly failFast: boolean;
  readonly namespaces: readonly string[] | undefined;
  /** The time limit for the first lists in milliseconds. Undefined for no limit. */
  readonly syncTimeoutMs: number | undefined;
  readonly leaderOnly: boolean;
  readonly warmUp: boolean;
}

const NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** Validates the options and applies defaults. Throws INVALID_CONTROLLER; the message names the controller, the option and the fix. */
export function resolveControllerOptions<T extends KubeObject>(
  options: ControllerOptions<T>,
  className?: string,
): ResolvedControllerOptions {
  const name = controllerName(options, className);
  const problem = nameProblem(name, options) ?? optionProblem(options);
  if (problem !== undefined) throw invalid(name || (className ?? '(unnamed)'), problem);
  const byKey = options.for === undefined;
  const kind: KindRef = options.for ?? KEY_KIND;
  const info = kindOf(kind);
  const concurrency = options.concurrency ?? 1;
  const conditions = hasInStatus(options, info.builtIn, 'conditions');
  const owns = (options.owns ?? []).map(ownedDeclaration);
  const watches = [...owns, ...(options.watches ?? [])].map((watch) => checkedWatch(name, watch));
  return {
    kind,
    kindName: info.kind,
    byKey,
    name,
    sameName: options.sameName ?? false,
    logger: options.logger ?? ((logger) => logger),
    when: (options.when as Predicate<KubeObject> | undefined) ?? desiredStateChanged(),
    watches,
    sources: checkedSources(name, options.sources ?? []),
    reads: (options.reads ?? []).map(declaredRead),
    rbac: options.rbac ?? [],
    indexes: (options.indexes ?? []) as unknown as readonly Index<KubeObject>[],
    scope: options.scope ?? 'controller',
    concurrency,
    everyMs: options.every === undefined ? undefined : durationMs(options.every),
    timeoutMs: options.timeout === undefined ? undefined : durationMs(options.timeout),
    minIntervalMs: options.minInterval === undefined ? undefined : durationMs(options.minInterval),
    maxAttempts: options.maxAttempts ?? Number.POSITIVE_INFINITY,
    priority: options.priority as ((object: KubeObject) => number) | undefined,
    delayRule: delayRule(options.backoff),
    retryLimit: retryLimit(options.retryLimit),
    debounceMs: options.debounce === undefined ? 0 : durationMs(options.debounce),
    starvationLimitMs: starvationLimitMs(options.starvationLimit),
    finalizer: options.finalizer ?? `${info.group === '' ? 'kubewright.dev' : info.group}/${name}`,
    reconcileCondition: reconcileCondition(options, conditions),
    conditions,
    observesGeneration: hasInStatus(options, info.builtIn, 'observedGeneration'),
    hotLoops: options.hotLoops ?? (byKey ? false : 'damp'),
    failFast: options.failFast ?? false,
    namespaces: options.namespaces,
    syncTimeoutMs: options.syncTimeout === false ? undefined : durationMs(options.syncTimeout ?? '2m'),
    leaderOnly: options.leaderOnly ?? true,
    warmUp: options.warmUp ?? true,
  };
}

/**
 * Returns the name of a controller: the `name` option, otherwise a name derived from the class, otherwise a name derived from the kind.
 * Returns '' if no name can be derived.
 */
export function controllerName<T extends KubeObject>(options: ControllerOptions<T>, className?: string): string {
  const ofKind = kindProblem(options.for) === undefined ? kebabCase(kindOf(options.for).kind) : '';
  return options.name ?? defaultName(className) ?? ofKind;
}

/** Checks and returns a watch of a controller. Throws INVALID_CONTROLLER if the watch is invalid. */
export function checkedWatch(controller: string, declaration: KindRef | WatchDeclaration<never>): DeclaredWatch {
  const watch = declaredWatch(declaration);
  const problem = watchProblem(watch);
  if (problem !== undefined) throw invalid(controller, problem);
  return watch;
}

/** Returns the kinds of children, from the `owns` option and from each `owned(…)` in the `watches` option. */
export function ownedKinds(options: ResolvedControllerOptions): readonly KindRef[] {
  return options.watches.filter(({ type }) => type === 'owned').map(({ kind }) => kind);
}

/** Returns the kinds of watches and reads that are declared as optional. */
export function optionalKinds({ watches, reads }: ResolvedControllerOptions): readonly KindRef[] {
  return [...watches, ...reads].flatMap(({ kind, optional }) => (optional ? kind : []));
}

/** Throws INVALID_CONTROLLER for invalid options. */
export function assertOptions(controller: string, options: object): void {
  const problem = optionProblem(options);
  if (problem !== undefined) throw invalid(controller, problem);
}

/** Throws INVALID_CONTROLLER if the value is not a source, or if another source of the controller has the same name. */
export function assertSource(controller: string, source: Source, others: Iterable<Source> = []): void {
  if (typeof source?.start !== 'function' || typeof source.name !== 'string' || source.name === '') {
    throw invalid(controller, `an entry of 'sources' is not a source: use sourceOf(name, …) or kindSource(kind, …)`);
  }
  for (const { name } of others) {
    if (name !== source.name) continue;
    throw invalid(controller, `duplicate source '${name}': give one of them another name`);
  }
}

function declaredRead(read: KindRef | OptionalKind): DeclaredRead {
  return isOptionalKind(read) ? { kind: read.kind, optional: read.optional ?? false } : { kind: read, optional: false };
}
function checkedSources(controller: string, sources: readonly Source[]): readonly Source[] {
  for (const [at, source] of sources.entries()) assertSource(controller, source, sources.slice(0, at));
  return sources;
}
/** Returns the problem of the name or the kind, as a sentence with the fix. Returns undefined if both are valid. */
function nameProblem<T extends KubeObject>(name: string, options: ControllerOptions<T>): string | undefined {
  if (!('for' in options)) {
    const problem = keyProblem(name, options);
    if (problem !== undefined) return problem;
  } else {
    const problem = kindProblem(options.for);
    const hint = options.for === undefined ? ' (is there a circular import between its module and this module?)' : '';
    if (problem !== undefined) return `'for' is not a valid kind: ${problem}${hint}`;
  }
  return NAME.test(name)
    ? undefined
    : 'its name is also a label value: use at most 63 lowercase letters, digits and hyphens, with no hyphen at the start or end';
}
function delayRule(backoff: ControllerOptions<KubeObject>['backoff']): DelayRule {
  if (typeof backoff === 'function') return backoff;
  return exponential({ initial: backoff?.initial ?? '5ms', max: backoff?.max ?? '1000s' });
}
function retryLimit(limit: ControllerOptions<KubeObject>['retryLimit']): ResolvedControllerOptions['retryLimit'] {
  return limit === undefined ? undefined : { burst: 10 * limit.perSecond, ...limit };
}
function starvationLimitMs(starvationLimit: ControllerOptions<KubeObject>['starvationLimit']): number | undefined {
  return starvationLimit === false ? undefined : durationMs(starvationLimit ?? '1m');
}
function reconcileCondition<T extends KubeObject>(
  options: ControllerOptions<T>,
  conditions: boolean,
): string | undefined {
  if (options.reconcileCondition === false) return undefined;
  return options.reconcileCondition ?? (conditions ? 'Reconciled' : undefined);
}
/**
 * Returns the problem of the options of a controller without a kind, as a sentence with the fix. Returns undefined if the options are
 * valid.
 */
function keyProblem(name: string, options: object): string | undefined {
  if (name === '') return `neither 'for' nor 'name' is set: set 'for' to the kind to reconcile, or set 'name'`;
  const given = Object.entries(options).flatMap(([option, value]) => (value === undefined ? [] : [option]));
  const option = OPTIONS_OF_OBJECTS.find((each) => given.includes(each));
  if (option !== undefined) return `'${option}' requires 'for': set 'for' to the kind to reconcile`;
  const { watches = [], sources = [] } = options as {
    readonly watches?: readonly unknown[];
    readonly sources?: readonly unknown[];
  };
  if (watches.length + sources.length === 0) {
    return `nothing triggers a reconcile: set 'for', 'watches' or 'sources'`;
  }
  const watch = watches.find((each) => (each as DeclaredWatch | undefined)?.type !== 'watch');
  return watch === undefined
    ? undefined
    : `use watch(…) for every watch: owned(…) and references(…) require the option 'for'`;
}
/**
 * Whether the status of the kind has this field and the controller may write it. Returns false for built-in kinds, because other components
 * own their status.
 */
function hasInStatus<T extends KubeObject>(options: ControllerOptions<T>, builtIn: boolean, field: string): boolean {
  return (
    !builtIn &&
    options.for !== undefined &&
    objectSchemaOf(options.for)?.properties?.status?.properties?.[field] !== undefined
  );
}
function defaultName(className: string | undefined): string | undefined {
  const stem = className?.replace(/Controller$/, '');
  return stem === undefined || stem === '' ? undefined : kebabCase(stem);
}
function invalid(name: string, message: string): KubewrightError {
  return new KubewrightError('INVALID_CONTROLLER', `controller '${name}': ${message}`);
}
