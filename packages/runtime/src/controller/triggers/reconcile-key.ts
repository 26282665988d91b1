import type { ObjectKey } from '@kubewright/api';
import { type Duration, durationMs } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { formatKey } from '../../cache/object-key.js';

/**
 * An object to reconcile, as mappers and sources name it: `{ namespace, name }`, such as the metadata of an object. For kinds without
 * namespaces the namespace is ignored.
 */
export interface ReconcileKey extends ObjectKey {
  /** Goes before those of a lower number, and holds whatever brought it. @default that of the watch or source */
  readonly priority?: number;
  /** Not before so long. @default '0s' */
  readonly after?: Duration;
}

/** A key that was read. */
export interface KeyToReconcile {
  readonly id: string;
  readonly priority: number | undefined;
  readonly afterMs: number;
}
/** Whether the objects of a kind are in namespaces; 'either' for keys that are of no kind. */
export type Namespaced = boolean | 'either';
/** The kind that is reconciled. */
export interface ReconciledKind {
  readonly kindName: string;
  readonly namespaced: Namespaced;
}

/** What a mapper or a source gave as a key. Throws INVALID_KEY, with what is wrong and what to give. */
export function readKey(given: unknown, { kindName, namespaced }: ReconciledKind): KeyToReconcile {
  const { name, namespace, priority, after } = (given ?? {}) as { readonly [K in keyof ReconcileKey]?: unknown };
  if (typeof name !== 'string' || name === '') {
    throw invalid(given, `has no name: give { namespace, name } of the ${kindName}, such as object.metadata`);
  }
  if (`${name}${String(namespace ?? '')}`.includes('/')) {
    throw invalid(given, `has a slash in its name or namespace: give { namespace, name }`);
  }
  if (namespace !== undefined && typeof namespace !== 'string') {
    throw invalid(given, `has a namespace that is no text`);
  }
  if (namespaced === true && (namespace ?? '') === '') {
    throw invalid(given, `has no namespace, and every ${kindName} is in one: give { namespace, name }`);
  }
  if (priority !== undefined && !Number.isFinite(priority)) throw invalid(given, `has a priority that is no number`);
  return {
    id: formatKey({ name, namespace: namespaced === false ? undefined : namespace }),
    priority: priority as number | undefined,
    afterMs: after === undefined ? 0 : durationMs(after as Duration),
  };
}

/** What a mapper answered, as a list. Throws INVALID_KEY when it is none. */
export function readKeys(answer: unknown): readonly unknown[] {
  if (typeof answer === 'object' && answer !== null && Symbol.iterator in answer)
    return [...(answer as Iterable<unknown>)];
  throw new KubewrightError(
    'INVALID_KEY',
    `a mapper returned ${describe(answer)}: return a list of { namespace, name }, or [] for none`,
  );
}

function invalid(given: unknown, why: string): KubewrightError {
  return new KubewrightError('INVALID_KEY', `the key ${describe(given)} ${why}`);
}
function describe(value: unknown): string {
  if (typeof value !== 'object' || value === null) return value === undefined ? 'undefined' : `'${String(value)}'`;
  const { name, namespace, metadata } = value as Readonly<Record<string, unknown>>;
  if (metadata !== undefined) return 'that is a whole object';
  if (name !== undefined || namespace !== undefined) return JSON.stringify({ name, namespace });
  // Only what its parts are called: what they hold may be secret.
  const parts = Object.keys(value).map((part) => `${part}: …`);
  return `{ ${parts.join(', ').slice(0, 100)} }`;
}
