import { kindSourceOf } from '../metadata/kind-source.js';
import { metadataOf } from '../metadata/reflection.js';
import type { KindRef } from '../objects/kube-object.js';

/** Whether another operator installs the CustomResourceDefinition of a kind: the `external` option of `@Kind` or `defineKind`. */
export function isExternalKind(ref: KindRef): boolean {
  return (kindSourceOf(ref)?.options ?? metadataOf(ref).kind?.options)?.external === true;
}
