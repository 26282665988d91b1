import type { KindRef, KubeObject, ObjectKey } from '@kubewright/api';
import { groupOf, kindOf } from '@kubewright/api/metadata';

/**
 * Recognizes the reconciled object among the objects that a reconcile writes. Another object can have the same name, or a kind with the
 * same name in another API group.
 */
export class ReconciledObject {
  readonly #group: string;
  readonly #kind: string;

  constructor(kind: KindRef) {
    const { group, kind: name } = kindOf(kind);
    this.#group = group;
    this.#kind = name;
  }

  /** Whether the object is the reconciled object with this id, in any API version. */
  is(id: string, { apiVersion, kind, metadata }: KubeObject): boolean {
    return kind === this.#kind && groupOf(apiVersion) === this.#group && isFormatted(id, metadata);
  }
}

/** Returns the value of `formatKey(key) === id` without creating a string. */
function isFormatted(id: string, { namespace = '', name }: ObjectKey): boolean {
  if (namespace === '') return id === name;
  const { length } = namespace;
  return id.length === length + 1 + name.length && id[length] === '/' && id.startsWith(namespace) && id.endsWith(name);
}
