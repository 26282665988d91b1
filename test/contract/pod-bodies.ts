/** Returns a container with the given fields. */
export function container(own: object = {}): Record<string, unknown> {
  return { name: 'c', image: 'nginx:1', ...own };
}

/** Returns the spec of a Pod that no scheduler binds and that does not need a token. */
export function podSpec(own: object = {}): Record<string, unknown> {
  return { containers: [container()], schedulerName: 'none', automountServiceAccountToken: false, ...own };
}

/** Returns a Pod with the given name and fields of its spec. */
export function pod(name: string, spec: object = {}, metadata: object = {}): object {
  return { metadata: { name, ...metadata }, spec: podSpec(spec) };
}
