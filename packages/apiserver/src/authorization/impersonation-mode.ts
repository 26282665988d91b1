import { serviceAccountOf, type User } from '../registry/user.js';

/**
 * A way to act as somebody else. Constrained ways need two rights: `impersonate:MODE` on the user, and
 * `impersonate-on:MODE:VERB` on what is done as that user. The old way needs `impersonate` on the user alone.
 */
export interface ImpersonationMode {
  readonly name: 'associated-node' | 'arbitrary-node' | 'serviceaccount' | 'user-info' | 'legacy';
  /** Whether the mode is for this user at all. */
  readonly applies: (wanted: User, requestor: User) => boolean;
}

/** All modes, in the order in which they are tried. */
export const impersonationModes: readonly ImpersonationMode[] = [
  {
    name: 'associated-node',
    applies: (wanted, requestor) => onlyNamed(wanted) && isOnNode(requestor, nodeOf(wanted.name)),
  },
  { name: 'arbitrary-node', applies: (wanted) => onlyNamed(wanted) && nodeOf(wanted.name) !== undefined },
  { name: 'serviceaccount', applies: (wanted) => onlyNamed(wanted) && serviceAccountOf(wanted.name) !== undefined },
  {
    name: 'user-info',
    applies: ({ name }) => nodeOf(name) === undefined && serviceAccountOf(name) === undefined,
  },
  { name: 'legacy', applies: () => true },
];

/** The node of a node's user name; undefined for all others. */
export function nodeOf(userName: string): string | undefined {
  return /^system:node:([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?)$/.exec(userName)?.[1];
}

function onlyNamed({ uid, groups, extra }: User): boolean {
  return uid === undefined && groups.length === 0 && extra === undefined;
}

function isOnNode({ name, extra }: User, node: string | undefined): boolean {
  if (node === undefined || serviceAccountOf(name) === undefined) return false;
  const nodes = extra?.['authentication.kubernetes.io/node-name'] ?? [];
  return nodes.length === 1 && nodes[0] === node;
}
