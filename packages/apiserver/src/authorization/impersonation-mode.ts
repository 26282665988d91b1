import { serviceAccountOf, type User } from '../registry/requests/user.js';

/**
 * A mode of impersonation. Constrained modes require two permissions: `impersonate:MODE` on the user, and `impersonate-on:MODE:VERB` on the
 * resource of the request. The legacy mode only requires `impersonate` on the user.
 */
export interface ImpersonationMode {
  readonly name: 'associated-node' | 'arbitrary-node' | 'serviceaccount' | 'user-info' | 'legacy';
  /** Returns whether the mode applies to the impersonated user and the requesting user. */
  readonly applies: (desired: User, requestor: User) => boolean;
}

/** All modes, in the order of evaluation. */
export const impersonationModes: readonly ImpersonationMode[] = [
  {
    name: 'associated-node',
    applies: (desired, requestor) => onlyNamed(desired) && isOnNode(requestor, nodeOf(desired.name)),
  },
  { name: 'arbitrary-node', applies: (desired) => onlyNamed(desired) && nodeOf(desired.name) !== undefined },
  { name: 'serviceaccount', applies: (desired) => onlyNamed(desired) && serviceAccountOf(desired.name) !== undefined },
  {
    name: 'user-info',
    applies: ({ name }) => nodeOf(name) === undefined && serviceAccountOf(name) === undefined,
  },
  { name: 'legacy', applies: () => true },
];

/** Returns the name of the node that a user name identifies, or undefined if the user is not a node. */
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
