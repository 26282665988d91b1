import type { ObjectKey } from '@kubewright/api';
import { type Duration, durationMs } from '@kubewright/api/clock';
import { KubewrightError, valueText } from '@kubewright/api/errors';
import { formatKey } from '../../cache/store/object-key.js';

/**
 * The key of an object to reconcile, as mappers and sources return it: `{ namespace, name }`. The metadata of an object is also a valid
 * key. For cluster-scoped kinds, the namespace is ignored.
 */
export interface ReconcileKey extends ObjectKey {
  /**
   * The priority of the reconcile. Objects with a higher priority are reconciled first. Takes precedence over the priority of the watch or
   * source.
   * @default the priority of the watch or source
   */
  readonly priority?: number;
  /** The minimum delay before the reconcile. @default '0s' */
  readonly after?: Duration;
}

/** A key from a mapper or a source after validation. */
export interface KeyToReconcile {
  readonly id: string;
  readonly priority: number | undefined;
  readonly afterMs: number;
}
/** Whether a kind is namespaced. 'either' if the controller has no kind, so that keys may have a namespace or not. */
export type Namespaced = boolean | 'either';
/** The kind that the controller reconciles. */
export interface ReconciledKind {
  readonly kindName: string;
  readonly namespaced: Namespaced;
}

/** Validates a key from a mapper or a source. Throws INVALID_KEY, with the reason in the message, and INVALID_DURATION. */
export function readKey(given: unknown, { kindName, namespaced }: ReconciledKind): KeyToReconcile {
  const { name, namespace, priority, after } = (given ?? {}) as { readonly [K in keyof ReconcileKey]?: unknown };
  if (typeof name !== 'string' || name === '') {
    throw invalid(given, `has no name: pass { namespace, name } of the ${kindName}, such as object.metadata`);
  }
  if (`${name}${String(namespace ?? '')}`.includes('/')) {
    throw invalid(given, `has a slash in its name or namespace: pass { namespace, name }`);
  }
  if (namespace !== undefined && typeof namespace !== 'string') {
    throw invalid(given, `has a namespace that is not a string`);
  }
  if (namespaced === true && (namespace ?? '') === '') {
    throw invalid(given, `has no namespace, but ${kindName} is namespaced: pass { namespace, name }`);
  }
  if (priority !== undefined && !Number.isFinite(priority)) throw invalid(given, `has a priority that is not a number`);
  return {
    id: formatKey({ name, namespace: namespaced === false ? undefined : namespace }),
    priority: priority as number | undefined,
    afterMs: after === undefined ? 0 : durationMs(after as Duration),
  };
}

/** Returns the result of a mapper as a list. Throws INVALID_KEY if the result is not iterable. */
export function readKeys(answer: unknown): readonly unknown[] {
  if (typeof answer === 'object' && answer !== null && Symbol.iterator in answer)
    return [...(answer as Iterable<unknown>)];
  throw new KubewrightError(
    'INVALID_KEY',
    `a mapper returned ${describe(answer)}: return a list of { namespace, name }, or [] for no keys`,
  );
}

function invalid(given: unknown, why: string): KubewrightError {
  return new KubewrightError('INVALID_KEY', `the key ${describe(given)} ${why}`);
}
function describe(value: unknown): string {
  if (typeof value !== 'object' || value === null) return valueText(value);
  const { name, namespace, metadata } = value as Readonly<Record<string, unknown>>;
  if (metadata !== undefined) return '(a whole object)';
  if (name !== undefined || namespace !== undefined) return JSON.stringify({ name, namespace });
  return valueText(value);
}
