import type { KindRef, KubeObject } from '@kubewright/api';
import { groupOf, kindOf } from '@kubewright/api/metadata';
import { formatKey } from '../../cache/object-key.js';

/** Tells the object that a reconcile is about from the others that it writes, of which one may have its name and the name of its kind. */
export class ReconciledObject {
  readonly #group: string;
  readonly #kind: string;

  constructor(kind: KindRef) {
    const { group, kind: name } = kindOf(kind);
    this.#group = group;
    this.#kind = name;
  }

  /** Whether it is the object of this id, of whatever version. */
  is(id: string, { apiVersion, kind, metadata }: KubeObject): boolean {
    return kind === this.#kind && groupOf(apiVersion) === this.#group && formatKey(metadata) === id;
  }
}
