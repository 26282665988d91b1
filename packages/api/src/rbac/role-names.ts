/** The name prefix and the labels of roles. */
export interface RoleNames {
  /** The prefix of names, such as 'my-operator-'. @default '' */
  readonly prefix?: string;
  /** The labels of every role and binding. @default none */
  readonly labels?: Readonly<Record<string, string>>;
}

/** Returns the metadata of a role or a binding. Label keys are sorted. */
export function roleMetadata(
  name: string,
  { prefix = '', labels = {} }: RoleNames,
  more: { readonly namespace?: string; readonly labels?: Readonly<Record<string, string>> } = {},
): {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
} {
  const all = Object.entries({ ...labels, ...more.labels }).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    name: prefix + name,
    ...(more.namespace !== undefined && { namespace: more.namespace }),
    ...(all.length > 0 && { labels: Object.fromEntries(all) }),
  };
}
