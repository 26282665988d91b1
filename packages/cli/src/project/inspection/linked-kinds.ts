import type { KindRef } from '@kubewright/api';
import { kindOf } from '@kubewright/api/metadata';
import type { DeclaringModule } from './declared-kinds.js';
import { moduleOf, type Source } from './module-of.js';

/** A module of a linked package. */
export interface LinkedSource extends Source {
  /** Imports the compiled module. */
  readonly load: () => Promise<DeclaringModule>;
}

/**
 * Returns the modules of linked packages that declare reconciled kinds. The `exports` of these modules contain all versions of the
 * reconciled kinds, and omit the kinds of other operators. The modules of a bundled package do not export the reconciled classes. For a
 * bundled package, the result contains only the reconciled versions.
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

/** Returns the kind and the group of a class, such as 'Website.example.com'; undefined for values that are not kinds. */
function nameOf(value: unknown): string | undefined {
  if (typeof value !== 'function') return undefined;
  try {
    const { group, kind } = kindOf(value as KindRef);
    return `${kind}.${group}`;
  } catch {
    // `kindOf` throws for other functions, such as the class of a spec.
    return undefined;
  }
}
