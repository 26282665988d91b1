/** A container, with what the case is about. */
export function container(own: object = {}): Record<string, unknown> {
  return { name: 'c', image: 'nginx:1', ...own };
}

/** The spec of a Pod that no scheduler takes and that needs no token. */
export function podSpec(own: object = {}): Record<string, unknown> {
  return { containers: [container()], schedulerName: 'none', automountServiceAccountToken: false, ...own };
}

/** A Pod of that name, with what the case is about in its spec. */
export function pod(name: string, spec: object = {}, metadata: object = {}): object {
  return { metadata: { name, ...metadata }, spec: podSpec(spec) };
}
