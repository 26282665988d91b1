import type { KindRef, KubeObject } from '@kubewright/api';
import { kindOf } from '@kubewright/api/metadata';

/** Returns a string that identifies a kind. */
export function kindName(kind: KindRef): string {
  return kindNameOf(kindOf(kind));
}

/** Returns a string that identifies the kind of an object. */
export function kindNameOf({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): string {
  return `${apiVersion}/${kind}`;
}

/** Returns a string that identifies what is read: the whole objects of a kind, or their metadata. */
export function readName(kind: KindRef): string {
  return kindOf(kind).metadataOnly ? `${kindName(kind)} metadata` : kindName(kind);
}
