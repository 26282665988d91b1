import type { KindRef, KubeObject } from '../objects/kube-object.js';
import type { MetadataOnly } from '../objects/metadata-only.js';
import { kindOf } from './kind-of.js';
import { plainKind } from './plain-kind.js';

/**
 * Returns the kind with reads limited to metadata: names, labels, annotations, owner references, finalizers. The API server does not send
 * the other fields. Two calls for the same kind return two values that denote the same kind.
 * @example
 * const secrets = await client.list(metadataOnly(Secret)); // secrets[0].data does not compile
 * @throws KubewrightError as `kindOf` does
 */
export function metadataOnly<T extends KubeObject>(kind: KindRef<T>): KindRef<MetadataOnly<T>> {
  const info = kindOf(kind);
  const bare = plainKind({ info: Object.freeze({ ...info, metadataOnly: true }) }) as unknown as KindRef<
    MetadataOnly<T>
  >;
  return Object.assign(bare, { [wholeKind]: kind });
}

/** The key of the original kind in a metadata-only kind. */
const wholeKind: unique symbol = Symbol.for('kubewright.wholeKind') as never;

/** Returns the original kind of a kind that `metadataOnly` created. Returns any other kind unchanged. */
export function wholeKindOf(kind: KindRef): KindRef {
  return (kind as { readonly [wholeKind]?: KindRef })[wholeKind] ?? kind;
}
