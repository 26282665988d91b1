import type { KindRef, KubeObject } from '../objects/kube-object.js';
import type { MetadataOnly } from '../objects/metadata-only.js';
import { kindOf } from './kind-of.js';
import { plainKind } from './plain-kind.js';

/**
 * The same kind, of whose objects only the metadata is read: names, labels, annotations, owners, finalizers. The rest never leaves the
 * API server. Kinds are the same whether or not they are made by the same call.
 *
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

/** Where the kind is kept whose metadata is read. */
const wholeKind: unique symbol = Symbol.for('kubewright.wholeKind') as never;

/** The kind itself, for one made with `metadataOnly`; any other kind as it is. */
export function wholeKindOf(kind: KindRef): KindRef {
  return (kind as { readonly [wholeKind]?: KindRef })[wholeKind] ?? kind;
}
