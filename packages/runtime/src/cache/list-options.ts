import type { IndexMatch } from './index-declaration.js';

export interface ListOptions<T> {
  /** @default all namespaces that the operator may see */
  readonly namespace?: string | undefined;
  /** Equal labels, or a selector such as 'tier in (web, db)'. */
  readonly labels?: Readonly<Record<string, string>> | string;
  /** Live reads only. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Objects that an index holds under a value: `{ index: podsByNode('n1') }`. Cached reads only. */
  readonly index?: IndexMatch<T>;
}
