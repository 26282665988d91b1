import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/** The claims of a JSON Web Token. */
export type Claims = Readonly<Record<string, unknown>>;

interface SigningKey {
  readonly id: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** Signs and verifies JSON Web Tokens with one P-256 key (ES256). */
export class TokenSigner {
  readonly #key: () => string;
  #read: SigningKey | undefined;

  /** @param key returns a private P-256 key as PEM; called once, when the signer first signs or verifies a token */
  constructor(key: () => string) {
    this.#key = key;
  }

  get keyId(): string {
    return this.#signing().id;
  }

  /** Returns a signed token with the claims. */
  sign(claims: Claims): string {
    const content = `${encoded({ alg: 'ES256', kid: this.keyId })}.${encoded(claims)}`;
    const key = this.#signing().privateKey;
    const signature = sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' });
    return `${content}.${signature.toString('base64url')}`;
  }

  /** Returns whether the signature matches the content. */
  signed({ content, signature }: { readonly content: string; readonly signature: string }): boolean {
    const bytes = Buffer.from(signature, 'base64url');
    const key = this.#signing().publicKey;
    return verify('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' }, bytes);
  }

  /** Returns the public key as a JSON Web Key, for external verification of tokens. */
  publicKey(): Claims {
    return { use: 'sig', ...this.#signing().publicKey.export({ format: 'jwk' }), kid: this.keyId, alg: 'ES256' };
  }

  #signing(): SigningKey {
    this.#read ??= signingKey(this.#key());
    return this.#read;
  }
}

/** A parsed token whose signature is not verified yet. */
export interface ReadToken {
  readonly header: Claims;
  readonly claims: Claims;
  readonly content: string;
  readonly signature: string;
}

/** Parses a token. Returns undefined if the text is not a token. */
export function readToken(token: string): ReadToken | undefined {
  const [head = '', body = '', signature = '', ...more] = token.split('.', 4);
  if (more.length > 0 || signature === '') return undefined;
  const header = decoded(head);
  const claims = decoded(body);
  if (header === undefined || claims === undefined) return undefined;
  return { header, claims, content: `${head}.${body}`, signature };
}

function signingKey(pem: string): SigningKey {
  const privateKey = createPrivateKey(pem);
  const publicKey = createPublicKey(privateKey);
  const der = publicKey.export({ type: 'spki', format: 'der' });
  return { id: createHash('sha256').update(der).digest('base64url'), privateKey, publicKey };
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
