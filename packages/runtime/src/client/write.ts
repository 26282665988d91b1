import type { KubeObject } from '@kubewright/api';

/** One write that the API server accepted. */
export interface Write {
  readonly verb: 'create' | 'patch' | 'update' | 'apply' | 'delete';
  readonly subresource?: string;
  /** The object as the server answered; for a delete, the object that was deleted. */
  readonly object: KubeObject;
}
