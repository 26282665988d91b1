import type { KubeObject } from './kube-object.js';

/** As a load balancer says where it is. */
interface Ingress {
  readonly ip?: string;
  readonly hostname?: string;
}

/** Whether a load balancer was provisioned for a Service or an Ingress: there is one, and each has an address or a host name. */
export function hasAddress(object: KubeObject): boolean {
  const { status } = object as {
    readonly status?: { readonly loadBalancer?: { readonly ingress?: readonly Ingress[] } };
  };
  const ingress = status?.loadBalancer?.ingress ?? [];
  return ingress.length > 0 && ingress.every(({ ip, hostname }) => Boolean(ip) || Boolean(hostname));
}
