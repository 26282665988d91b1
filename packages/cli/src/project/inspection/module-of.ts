import type { KindRef } from '@kubewright/api';
import type { DeclaringModule } from './declared-kinds.js';

/** A source, and its path relative to the folder of the project. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** Returns the source that declares a kind as a module that exports it; an empty list if no source declares the kind. */
export function moduleOf(ref: KindRef, sources: readonly Source[]): readonly DeclaringModule[] {
  const declaration = new RegExp(`\\b(?:class|const) ${ref.name}\\b`);
  const source = sources.find(({ text }) => ref.name !== '' && declaration.test(text));
  return source === undefined ? [] : [{ source: source.path, exports: { [ref.name]: ref } }];
}
