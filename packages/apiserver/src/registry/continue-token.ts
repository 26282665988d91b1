import { badRequest } from './status-errors.js';

/** Where a list goes on: after an object, in the state of a version (none: in the newest). */
export interface ContinueToken {
  readonly resourceVersion: string | undefined;
  readonly after: string;
}

const format = 'meta.k8s.io/v1';

/** The token as text, opaque to clients. */
export function encodeContinue({ resourceVersion, after }: ContinueToken): string {
  const rv = resourceVersion === undefined ? -1 : Number(resourceVersion);
  return Buffer.from(JSON.stringify({ v: format, rv, start: after })).toString('base64url');
}

/** Reads a token. Throws 400 for text that is none. */
export function decodeContinue(text: string): ContinueToken {
  let token: unknown;
  try {
    token = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    throw badRequest('continue key is not valid: the token is not one that this server gave');
  }
  const { v, rv, start } = (token ?? {}) as { v?: unknown; rv?: unknown; start?: unknown };
  if (v !== format || typeof rv !== 'number' || typeof start !== 'string') {
    throw badRequest('continue key is not valid: server does not recognize this encoded version');
  }
  return { resourceVersion: rv < 0 ? undefined : String(rv), after: start };
}
