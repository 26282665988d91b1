import type { KubeObject } from '@kubewright/api';

/** A write that the API server accepted and stored. Dry runs are not writes. */
export interface Write {
  readonly verb: 'create' | 'patch' | 'update' | 'apply' | 'delete';
  readonly subresource?: string;
  /** The object that the server returned. For a delete, the deleted object. For a subresource with its own kind, the parent object. */
  readonly object: KubeObject;
}

/** The request body of a write, and the state before the write. */
export interface SentWrite {
  /** The sent body: an apply configuration, a patch or a whole object. */
  readonly body: unknown;
  /** The state of the object before the write, if the client knows it. */
  readonly before?: KubeObject | undefined;
}
