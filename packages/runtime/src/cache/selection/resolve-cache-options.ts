import type { KindRef } from '@kubewright/api';
import { type Duration, durationMs } from '@kubewright/api/clock';
import { KubewrightError, messageOf, valueText } from '@kubewright/api/errors';
import { kindOf } from '@kubewright/api/metadata';
import {
  type CachedKind,
  type CachedNamespaces,
  type CacheOptions,
  type CacheSettings,
  OTHER_NAMESPACES,
} from './cache-options.js';
import { fieldSelectorText } from './field-match.js';
import { kindNameOf } from './kind-name.js';
import { labelMatcher, labelSelectorText } from '../store/label-match.js';
import type { Transform } from '../store/transform.js';

/** Matches valid names of namespaces. */
export const NAMESPACE = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const MIN_RESYNC_MS = 1000;
/** The default of `maxNamedWatches`. */
export const DEFAULT_NAMED_WATCHES = 20;

/** A selector that overrides less specific selectors. If `text` is undefined, the selector selects all objects. */
interface ResolvedSelector {
  readonly text: string | undefined;
}

/** The settings of the cache, a namespace or a kind. If a setting is undefined, a less specific setting applies. */
export interface ResolvedSettings {
  readonly labels: ResolvedSelector | undefined;
  readonly fields: ResolvedSelector | undefined;
  readonly transform: Transform | undefined;
}

/** The settings by namespace. Undefined if no namespaces are configured. All namespaces are then cached. */
export type ResolvedNamespaces = ReadonlyMap<string, ResolvedSettings> | undefined;

/** The validated cache options of a kind. */
export interface ResolvedKindOptions {
  readonly settings: ResolvedSettings;
  /** `own` is true if the options of the kind set the namespaces, including a setting that selects all namespaces. */
  readonly namespaces: { readonly own: boolean; readonly of: ResolvedNamespaces };
  readonly metadataOnly: boolean;
  readonly keepManagedFields: boolean | undefined;
  /** The resync interval in milliseconds. False for no resync, and undefined for the setting of the cache. */
  readonly resync: number | false | undefined;
}

/** The validated options of a cache. */
export interface ResolvedCacheOptions {
  readonly settings: ResolvedSettings;
  readonly namespaces: ResolvedNamespaces;
  readonly keepManagedFields: boolean;
  readonly shareValues: boolean;
  readonly resync: number | false;
  /** The maximum number of referenced objects of a kind that are watched by name. */
  readonly maxNamedWatches: number;
  /** The options of kinds, by apiVersion and kind. */
  readonly kinds: ReadonlyMap<string, ResolvedKindOptions>;
  /** The kinds that `cache.kinds` lists. */
  readonly listed: readonly KindRef[];
}

/**
 * Validates the options, and returns a copy with defaults. Throws INVALID_CACHE if an option is not valid; the message contains the option
 * and the fix. `namespaces` is the option `namespaces` of the program. If it is set, these namespaces are cached, and the namespaces in the
 * options only provide settings.
 */
export function resolveCacheOptions(options: CacheOptions = {}, namespaces?: readonly string[]): ResolvedCacheOptions {
  const listed = options.kinds ?? [];
  const kinds = new Map<string, ResolvedKindOptions>();
  for (const each of listed) {
    const { name, resolved } = resolveKind(each);
    if (kinds.has(name))
      throw invalid(`${name} is listed twice under 'cache.kinds': merge its settings into one cacheOf(…)`);
    kinds.set(name, resolved);
  }
  const given = resolveNamespaces(options.namespaces, 'cache.namespaces');
  return {
    settings: resolveSettings(options, 'cache'),
    namespaces: namespaces === undefined ? given : withSettings(resolveNamespaces(namespaces, 'namespaces'), given),
    keepManagedFields: options.keepManagedFields ?? false,
    shareValues: options.shareValues ?? true,
    resync: resolveResync(options.resync, 'cache.resync') ?? false,
    maxNamedWatches: resolveNamedWatches(options.maxNamedWatches),
    kinds,
    listed: listed.map(({ kind }) => kind),
  };
}

/**
 * Returns the namespaces with their settings from `given`. A namespace that `given` does not contain gets the settings of '*', if there are
 * any.
 */
function withSettings(namespaces: ResolvedNamespaces, given: ResolvedNamespaces): ResolvedNamespaces {
  if (namespaces === undefined || given === undefined) return namespaces;
  const settings = [...namespaces].map(
    ([name, own]) => [name, given.get(name) ?? given.get(OTHER_NAMESPACES) ?? own] as const,
  );
  return new Map(settings);
}

/** Returns the error for an invalid option. */
export function invalid(message: string, cause?: unknown): KubewrightError {
  return new KubewrightError('INVALID_CACHE', `invalid cache options: ${message}`, { cause });
}

function resolveKind({ kind, options }: CachedKind): { readonly name: string; readonly resolved: ResolvedKindOptions } {
  const info = kindOf(kind);
  const option = `cacheOf(${info.kind})`;
  if (options.namespaces !== undefined && info.namespaced === false) throw namespacesOfClusterKind(info.kind);
  return {
    name: kindNameOf(info),
    resolved: {
      settings: resolveSettings(options, option),
      namespaces: {
        own: options.namespaces !== undefined,
        of: resolveNamespaces(options.namespaces, `${option}.namespaces`),
      },
      metadataOnly: options.metadataOnly ?? info.metadataOnly ?? false,
      keepManagedFields: options.keepManagedFields,
      resync: resolveResync(options.resync, `${option}.resync`),
    },
  };
}

/** Returns the error for setting namespaces of a cluster-scoped kind. */
export function namespacesOfClusterKind(kind: string): KubewrightError {
  return invalid(`cacheOf(${kind}).namespaces: objects of this kind are cluster-scoped; remove the option`);
}

function resolveSettings(settings: CacheSettings, option: string): ResolvedSettings {
  return {
    labels: selector(settings.labels, { option: `${option}.labels`, textOf: checkedLabels }),
    fields: selector(settings.fields, { option: `${option}.fields`, textOf: fieldSelectorText }),
    transform: settings.transform,
  };
}

function selector<S>(
  given: S | undefined,
  { option, textOf }: { readonly option: string; readonly textOf: (given: S) => string | undefined },
): ResolvedSelector | undefined {
  if (given === undefined) return undefined;
  try {
    return { text: textOf(given) };
  } catch (error) {
    throw invalid(`${option}: ${messageOf(error)}`, error);
  }
}

function checkedLabels(labels: NonNullable<CacheSettings['labels']>): string | undefined {
  labelMatcher(labels);
  return labelSelectorText(labels);
}

function resolveNamespaces(namespaces: CachedNamespaces | undefined, option: string): ResolvedNamespaces {
  if (namespaces === undefined) return undefined;
  const entries: readonly (readonly [string, CacheSettings])[] = isList(namespaces)
    ? namespaces.map((name) => [name, {}] as const)
    : Object.entries(namespaces);
  if (entries.length === 0) return undefined;
  for (const [name] of entries) {
    if (name === OTHER_NAMESPACES || NAMESPACE.test(name)) continue;
    throw invalid(
      `${option}: ${valueText(name)} is not a valid namespace name; use a namespace name, '*' for all other namespaces, or an empty list for all namespaces`,
    );
  }
  return new Map(entries.map(([name, settings]) => [name, resolveSettings(settings, `${option}['${name}']`)]));
}

function isList(namespaces: CachedNamespaces): namespaces is readonly string[] {
  return Array.isArray(namespaces);
}

function resolveNamedWatches(count = DEFAULT_NAMED_WATCHES): number {
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw invalid(`cache.maxNamedWatches is ${valueText(count)}: use a positive integer`);
}

function resolveResync(resync: Duration | false | undefined, option: string): number | false | undefined {
  if (resync === undefined || resync === false) return resync;
  const remedy = `${option} is ${valueText(resync)}: use at least '1s', or false to disable resyncs`;
  const ms = msOf(resync, remedy);
  if (ms >= MIN_RESYNC_MS) return ms;
  throw invalid(remedy);
}
function msOf(duration: Duration, remedy: string): number {
  try {
    return durationMs(duration);
  } catch (error) {
    throw invalid(remedy, error);
  }
}
