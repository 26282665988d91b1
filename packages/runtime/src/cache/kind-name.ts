import type { KindRef, KubeObject } from '@kubewright/api';
import { kindOf } from '@kubewright/api/metadata';

/** A text by which kinds are told apart. */
export function kindName(kind: KindRef): string {
  return kindNameOf(kindOf(kind));
}

/** The same text for the kind that an object says it has. */
export function kindNameOf({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): string {
  return `${apiVersion}/${kind}`;
}

/** A text by which what is read is told apart: a kind, or no more than the metadata of its objects. */
export function readName(kind: KindRef): string {
  return kindOf(kind).metadataOnly ? `${kindName(kind)} metadata` : kindName(kind);
}
