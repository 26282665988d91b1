import type { KindRef } from '@kubewright/api';
import { KubewrightError, messageOf } from '@kubewright/api/errors';
import { isExternalKind, kindOf } from '@kubewright/api/metadata';
import type { InspectedKind } from '../inspected-project.js';

/** The path of a source, and the exports of the compiled module. */
export interface DeclaringModule {
  readonly source: string;
  readonly exports: Readonly<Record<string, unknown>>;
}

/** The class of a kind, and the names of the kind. */
export interface DeclaredKind {
  readonly ref: KindRef;
  readonly kind: InspectedKind;
}

/**
 * Returns the kinds that modules export, sorted by group, kind, and file. Skips built-in kinds, dynamic kinds, and other exports. If
 * several modules export a kind, prefers a module that is not an index file. Throws the error of `kindOf`, with the file in the message,
 * for an invalid class, such as a class that extends `CustomResource(…)` but has no `@Kind`.
 */
export function declaredKinds(modules: readonly DeclaringModule[]): readonly DeclaredKind[] {
  const found = new Map<unknown, DeclaredKind>();
  const inOrder = modules.toSorted((a, b) => Number(isIndex(a)) - Number(isIndex(b)) || compare(a.source, b.source));
  for (const { source, exports } of inOrder) {
    for (const value of Object.values(exports)) {
      if (typeof value !== 'function' || found.has(value)) continue;
      const kind = kindIn(value as KindRef, source);
      if (kind !== undefined) found.set(value, { ref: value as KindRef, kind });
    }
  }
  return [...found.values()].toSorted((a, b) => compare(keyOf(a.kind), keyOf(b.kind)));
}

function kindIn(ref: KindRef, file: string): InspectedKind | undefined {
  try {
    const { group, version, kind, plural, namespaced, builtIn, dynamic } = kindOf(ref);
    if (builtIn || dynamic || plural === undefined || namespaced === undefined) return undefined;
    return { group, version, kind, plural, namespaced, external: isExternalKind(ref), file };
  } catch (error) {
    const code = error instanceof KubewrightError ? error.code : 'INVALID_KIND';
    if (code === 'NOT_A_KIND') return undefined;
    throw new KubewrightError(code, `${file}: ${messageOf(error)}`, { cause: error });
  }
}
function keyOf({ group, kind, file }: InspectedKind): string {
  return [group, kind, file].join('\0');
}
function isIndex({ source }: DeclaringModule): boolean {
  return /(^|\/)index\.[cm]?tsx?$/.test(source);
}
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
