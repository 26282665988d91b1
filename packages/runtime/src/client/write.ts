import type { KubeObject } from '@kubewright/api';

/** One write that the API server accepted and kept: a dry run is none. */
export interface Write {
  readonly verb: 'create' | 'patch' | 'update' | 'apply' | 'delete';
  readonly subresource?: string;
  /** The object as the server answered; for a delete, the object that was deleted; for the body of a subresource, the object it is of. */
  readonly object: KubeObject;
}

/** What a write was made of. */
export interface SentWrite {
  /** What was asked for: an apply, a merge patch or a whole object. */
  readonly body: unknown;
  /** The object as it was thought to be before, where that is known. */
  readonly before?: KubeObject | undefined;
}
