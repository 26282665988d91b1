import type { KubeObject } from '@kubewright/api';

/** A write that the API server accepted and stored. Dry runs are not writes. */
export interface Write {
  readonly verb: 'create' | 'patch' | 'update' | 'apply' | 'delete';
  readonly subresource?: string;
  /**
   * The object that the server returned. If the response has another kind than the object, as for some subresources, the object that was
   * passed to the client. For a delete, the deleted object.
   */
  readonly object: KubeObject;
}

/** The request body of a write, and the state before the write. */
export interface SentWrite {
  /** The sent body: an apply configuration, a patch or a whole object. */
  readonly body: unknown;
  /** The state of the object before the write, if the client knows it. */
  readonly before?: KubeObject | undefined;
}
