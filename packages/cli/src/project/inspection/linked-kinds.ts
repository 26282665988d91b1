import type { KindRef } from '@kubewright/api';
import { kindOf } from '@kubewright/api/metadata';
import type { DeclaringModule } from './declared-kinds.js';
import { moduleOf, type Source } from './module-of.js';

/** A module of a linked package. */
export interface LinkedSource extends Source {
  /** Loads the compiled module. */
  readonly load: () => Promise<DeclaringModule>;
}

/**
 * Returns the modules of linked packages that declare kinds which the project reconciles. The modules contain all versions of these kinds
 * and nothing else, because other kinds of the package belong to other operators. For a bundled package, returns only the reconciled
 * versions.
 */
export async function linkedKinds(
  reconciled: readonly KindRef[],
  sources: readonly LinkedSource[],
): Promise<readonly DeclaringModule[]> {
  if (reconciled.length === 0) return [];
  const modules = await Promise.all(sources.filter(({ text }) => DECLARES_KINDS.test(text)).map(({ load }) => load()));
  const declared = new Set(modules.flatMap(({ exports }) => Object.values(exports)));
  const kinds = new Set(reconciled.filter((ref) => declared.has(ref)).map(nameOf));
  const whole = modules.map(({ source, exports }) => ({
    source,
    exports: Object.fromEntries(Object.entries(exports).filter(([, value]) => kinds.has(nameOf(value)))),
  }));
  return [...whole, ...reconciled.filter((ref) => !declared.has(ref)).flatMap((ref) => moduleOf(ref, sources))];
}

const DECLARES_KINDS = /@Kind\(|\bdefineKind\b/;

/** Returns the group and the name of a kind; undefined for values that are not kinds. */
function nameOf(value: unknown): string | undefined {
  if (typeof value !== 'function') return undefined;
  try {
    const { group, kind } = kindOf(value as KindRef);
    return `${kind}.${group}`;
  } catch {
    // Classes of specs, and functions, are not kinds.
    return undefined;
  }
}
