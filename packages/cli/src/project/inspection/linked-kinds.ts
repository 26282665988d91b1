import type { KindRef } from '@kubewright/api';
import { kindOf } from '@kubewright/api/metadata';
import type { DeclaringModule } from './declared-kinds.js';
import { moduleOf, type Source } from './module-of.js';

/** A module of a package that is developed beside the project. */
export interface LinkedSource extends Source {
  /** Loads what was compiled of it. */
  readonly load: () => Promise<DeclaringModule>;
}

/**
 * The modules of linked packages that declare kinds which the project reconciles, with all versions of these kinds and nothing else: what
 * such a package has beside them belongs to other operators. A package that is bundled declares those versions that are reconciled.
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

/** The group and the name of a kind; undefined for what is none. */
function nameOf(value: unknown): string | undefined {
  if (typeof value !== 'function') return undefined;
  try {
    const { group, kind } = kindOf(value as KindRef);
    return `${kind}.${group}`;
  } catch {
    // Classes of specs and functions are none.
    return undefined;
  }
}
