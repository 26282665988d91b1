import type { KubeObject } from '@kubewright/api';

/** One write that the API server accepted and stored. Excludes dry runs. */
export interface Write {
  readonly verb: 'create' | 'patch' | 'update' | 'apply' | 'delete';
  readonly subresource?: string;
  /** The object that the server returned. For a delete, the deleted object. For the body of a subresource, the parent object. */
  readonly object: KubeObject;
}

/** The inputs of a write. */
export interface SentWrite {
  /** The sent body: an apply configuration, a patch or a whole object. */
  readonly body: unknown;
  /** The last known state of the object before the write. */
  readonly before?: KubeObject | undefined;
}
