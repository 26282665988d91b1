import type { KubeObject } from './kube-object.js';

/** An ingress point of a load balancer. */
interface Ingress {
  readonly ip?: string;
  readonly hostname?: string;
}

/**
 * Whether a load balancer is provisioned for a Service or an Ingress: at least one ingress point, each with an IP address or a host name.
 */
export function hasAddress(object: KubeObject): boolean {
  const { status } = object as {
    readonly status?: { readonly loadBalancer?: { readonly ingress?: readonly Ingress[] } };
  };
  const ingress = status?.loadBalancer?.ingress ?? [];
  return ingress.length > 0 && ingress.every(({ ip, hostname }) => Boolean(ip) || Boolean(hostname));
}
