/** One thing that may be done: a verb on a resource, or on a URL that is none. */
export type Right = ResourceRight | UrlRight;

/** A verb on a resource. `*` stands for all groups, resources or verbs. */
export interface ResourceRight {
  /** Empty for the core group. */
  readonly group: string;
  /** `pods`, `pods/status`; `*` for every resource with its subresources, `*` and `/status` for one subresource of every resource. */
  readonly resource: string;
  readonly verb: string;
  /** The one object that is meant. @default every object, and the collection */
  readonly name?: string;
  /** Where. @default wherever the role is bound, and the cluster */
  readonly namespace?: string;
}

/** A verb, in small letters as HTTP has it, on a path such as `/metrics`; one that ends in `*` stands for all that begin so. */
export interface UrlRight {
  readonly url: string;
  readonly verb: string;
}

/** Whether it is about a path that is no resource. */
export function isUrlRight(right: Right): right is UrlRight {
  return 'url' in right;
}

/** A right in words: `patch pods/status of apps "web" in namespace "shop"`. */
export function rightText(right: Right): string {
  if (isUrlRight(right)) return `${right.verb} ${right.url}`;
  const { verb, group, resource, name, namespace } = right;
  const of = group === '' ? '' : ` of ${group}`;
  const named = name === undefined ? '' : ` ${JSON.stringify(name)}`;
  return `${verb} ${resource}${of}${named}${namespace === undefined ? '' : ` in namespace ${JSON.stringify(namespace)}`}`;
}

/** What tells one right from another; rights sort by it: namespace, group, resource, name, verb; URLs come last. */
export function rightKey(right: Right): string {
  if (isUrlRight(right)) return JSON.stringify(['~', right.url, right.verb]);
  const { namespace, group, resource, name, verb } = right;
  return JSON.stringify([namespace ?? '', group, resource, name === undefined ? '' : `=${name}`, verb]);
}
