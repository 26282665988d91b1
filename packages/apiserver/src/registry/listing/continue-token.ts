import { posix } from 'node:path';
import { badRequest } from '../requests/status-errors.js';

/**
 * The position and the resourceVersion at which a list continues. If the resourceVersion is undefined, the list continues with the newest
 * state.
 */
export interface ContinueToken {
  readonly resourceVersion: string | undefined;
  /**
   * The key after which the list continues: 'namespace/name', or '/name' for cluster-scoped objects. In a decoded token of this server, the
   * key ends with a zero byte.
   */
  readonly after: string;
}

const format = 'meta.k8s.io/v1';

/** Encodes a token as text that is opaque to clients. The key in the text is relative to the listed namespace. */
export function encodeContinue({ resourceVersion, after }: ContinueToken, namespace: string | undefined): string {
  const rv = resourceVersion === undefined ? -1 : Number(resourceVersion);
  const key = namespace === undefined ? after.replace(/^\//, '') : after.slice(namespace.length + 1);
  return Buffer.from(JSON.stringify({ v: format, rv, start: `${key}\0` })).toString('base64url');
}

/** Decodes a token for a list of the namespace. Throws 400 if the text is not a valid token. */
export function decodeContinue(text: string, namespace: string | undefined): ContinueToken {
  const { v, rv, start } = parsed(text);
  if (v !== format) throw refused(`server does not recognize this encoded version ${typeof v === 'string' ? v : ''}`);
  if (typeof rv !== 'number' || rv === 0) throw refused(`incorrect encoded start resourceVersion (version ${format})`);
  if (typeof start !== 'string' || start === '') throw refused(`encoded start key empty (version ${format})`);
  const key = start.startsWith('/') ? start : `/${start}`;
  if (posix.normalize(key) !== key || key.startsWith('/../')) throw refused(start);
  const path = key.slice(1);
  const after = namespace === undefined ? (path.includes('/') ? path : `/${path}`) : `${namespace}/${path}`;
  return { resourceVersion: rv < 0 ? undefined : String(rv), after };
}

function parsed(text: string): { v?: unknown; rv?: unknown; start?: unknown } {
  const bytes = Buffer.from(text, 'base64url');
  try {
    return (JSON.parse(bytes.toString()) ?? {}) as { v?: unknown; rv?: unknown; start?: unknown };
  } catch {
    const wrong = /[^A-Za-z0-9_-]/.exec(text);
    // A single character at the end does not encode a byte.
    const at = wrong?.index ?? (text.length % 4 === 1 ? text.length - 1 : undefined);
    if (at !== undefined) throw refused(`illegal base64 data at input byte ${at}`);
    throw refused(`invalid character ${goByte(bytes[0] ?? 0)} looking for beginning of value`);
  }
}

/** Returns a byte in the quoted form of Go. */
function goByte(byte: number): string {
  if (byte >= 0x20 && byte < 0x7f) return byte === 0x27 ? "'\\''" : `'${String.fromCharCode(byte)}'`;
  return `'\\u${byte.toString(16).padStart(4, '0')}'`;
}

function refused(why: string): Error {
  return badRequest(`invalid continue token: continue key is not valid: ${why}`);
}
