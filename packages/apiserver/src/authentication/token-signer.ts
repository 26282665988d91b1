import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/** The claims of a JSON Web Token. */
export type Claims = Readonly<Record<string, unknown>>;

/** Signs and checks JSON Web Tokens with one P-256 key (ES256). */
export class TokenSigner {
  readonly keyId: string;
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;

  /** @param key a private P-256 key as PEM. Throws when it is none. */
  constructor(key: string) {
    this.#privateKey = createPrivateKey(key);
    this.#publicKey = createPublicKey(this.#privateKey);
    const der = this.#publicKey.export({ type: 'spki', format: 'der' });
    this.keyId = createHash('sha256').update(der).digest('base64url');
  }

  /** The token with these claims. */
  sign(claims: Claims): string {
    const content = `${encoded({ alg: 'ES256', kid: this.keyId })}.${encoded(claims)}`;
    const signature = sign('sha256', Buffer.from(content), { key: this.#privateKey, dsaEncoding: 'ieee-p1363' });
    return `${content}.${signature.toString('base64url')}`;
  }

  /** Whether the signature is that of the content. The token has three parts. */
  signed({ content, signature }: { readonly content: string; readonly signature: string }): boolean {
    const bytes = Buffer.from(signature, 'base64url');
    return verify('sha256', Buffer.from(content), { key: this.#publicKey, dsaEncoding: 'ieee-p1363' }, bytes);
  }

  /** The public key as a JSON Web Key, for those who check tokens themselves. */
  publicKey(): Claims {
    return { use: 'sig', ...this.#publicKey.export({ format: 'jwk' }), kid: this.keyId, alg: 'ES256' };
  }
}

/** A token taken apart, nothing of it checked. */
export interface ReadToken {
  readonly header: Claims;
  readonly claims: Claims;
  readonly content: string;
  readonly signature: string;
}

/** Takes a token apart; undefined for anything that is none. */
export function readToken(token: string): ReadToken | undefined {
  const [head = '', body = '', signature = '', ...more] = token.split('.');
  if (more.length > 0 || signature === '') return undefined;
  const header = decoded(head);
  const claims = decoded(body);
  if (header === undefined || claims === undefined) return undefined;
  return { header, claims, content: `${head}.${body}`, signature };
}

function encoded(value: Claims): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decoded(part: string): Claims | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Claims) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
