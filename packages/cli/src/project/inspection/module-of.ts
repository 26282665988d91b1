import type { KindRef } from '@kubewright/api';
import type { DeclaringModule } from './declared-kinds.js';

/** A source, and its path relative to the folder of the project. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** The one of the sources that declares a kind, as if it exported it; none where that is in none of them. */
export function moduleOf(ref: KindRef, sources: readonly Source[]): readonly DeclaringModule[] {
  const declaration = new RegExp(`\\b(?:class|const) ${ref.name}\\b`);
  const source = sources.find(({ text }) => ref.name !== '' && declaration.test(text));
  return source === undefined ? [] : [{ source: source.path, exports: { [ref.name]: ref } }];
}
