import { kindSourceOf } from '../metadata/kind-source.js';
import { metadataOf } from '../metadata/reflection.js';
import type { KindRef } from '../objects/kube-object.js';

/** Whether another operator brings the CustomResourceDefinition of a kind, as `@Kind` or `defineKind` says by `external`. */
export function isExternalKind(ref: KindRef): boolean {
  return (kindSourceOf(ref)?.options ?? metadataOf(ref).kind?.options)?.external === true;
}
