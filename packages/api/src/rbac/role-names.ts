/** How roles are named and labelled. */
export interface RoleNames {
  /** What names begin with, such as 'my-operator-'. @default '' */
  readonly prefix?: string;
  /** Put on every object. @default none */
  readonly labels?: Readonly<Record<string, string>>;
}

/** Metadata of a role or a binding; keys of labels are sorted. */
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
