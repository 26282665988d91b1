import type { KindRef } from '@kubewright/api';
import type { DeclaringModule } from './declared-kinds.js';

/** The text of a source, and the path relative to the project. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/**
 * Finds the source that declares the class of a kind. Returns a list with one module that exports only this class, or an empty list if no
 * source declares the class.
 */
export function moduleOf(ref: KindRef, sources: readonly Source[]): readonly DeclaringModule[] {
  const declaration = new RegExp(`\\b(?:class|const) ${ref.name}\\b`);
  const source = sources.find(({ text }) => ref.name !== '' && declaration.test(text));
  return source === undefined ? [] : [{ source: source.path, exports: { [ref.name]: ref } }];
}
