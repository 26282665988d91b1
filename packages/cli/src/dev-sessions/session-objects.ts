import type { KubeObject } from '@kubewright/api';

/**
 * A label with the ID of a session of `kubewright dev`. The Lease of the session and all objects that the session creates or changes have
 * this label.
 */
export const SESSION_LABEL = 'kubewright.dev/dev-session';
/** An annotation with the Lease of the session that has created or changed the object, as 'namespace/name'. */
export const LEASE_ANNOTATION = 'kubewright.dev/dev-lease';
/** An annotation on a CustomResourceDefinition with the conversion that the session has replaced, as JSON. */
export const CONVERSION_ANNOTATION = 'kubewright.dev/dev-conversion';

/** A session of `kubewright dev` whose webhooks are registered in a cluster. */
export interface SessionKey {
  /** The random ID of the session: 8 hexadecimal digits. */
  readonly id: string;
  /** The Lease of the session as 'namespace/name'. */
  readonly lease: string;
}

/** Returns the metadata that assign an object to a session. */
export function sessionMetadata({
  id,
  lease,
}: SessionKey): Required<Pick<KubeObject['metadata'], 'labels' | 'annotations'>> {
  return { labels: { [SESSION_LABEL]: id }, annotations: { [LEASE_ANNOTATION]: lease } };
}

/** Returns the Lease of the session that has created or changed an object, as 'namespace/name'; undefined for other objects. */
export function leaseNameOf({ metadata }: Pick<KubeObject, 'metadata'>): string | undefined {
  return metadata.annotations?.[LEASE_ANNOTATION];
}
