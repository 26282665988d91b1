import type { KubeObject } from '@kubewright/api';

/** One write that the API server accepted and kept: a dry run is none. */
export interface Write {
  readonly verb: 'create' | 'patch' | 'update' | 'apply' | 'delete';
  readonly subresource?: string;
  /** The object as the server answered; for a delete, the object that was deleted; for the body of a subresource, the object it is of. */
  readonly object: KubeObject;
}
