import type { User } from '../requests/user.js';

const extraPrefix = 'x-remote-extra-';
const ownNames: ReadonlySet<string> = new Set(['x-remote-user', 'x-remote-uid', 'x-remote-group']);

/** Returns whether a header contains the user of a request. Only the server itself may set these headers. */
export function isRemoteUserHeader(name: string): boolean {
  return ownNames.has(name) || name.startsWith(extraPrefix);
}

/** Returns the headers with which the server passes the user of a request to an aggregated API server. */
export function remoteUserHeaders({ name, uid = '', groups, extra = {} }: User): Record<string, string | string[]> {
  return {
    'x-remote-user': bytes(name),
    ...(uid === '' ? {} : { 'x-remote-uid': bytes(uid) }),
    ...(groups.length === 0 ? {} : { 'x-remote-group': groups.map(bytes) }),
    ...Object.fromEntries(Object.entries(extra).map(([key, all]) => [`${extraPrefix}${escaped(key)}`, all.map(bytes)])),
  };
}

/** Encodes the characters that the name of a header cannot contain. */
function escaped(key: string): string {
  return encodeURIComponent(key).replaceAll(/[()]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}

/** Returns a value whose characters are the bytes of the text in UTF-8, because Node.js sends one byte for each character. */
function bytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}
