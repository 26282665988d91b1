import type { KeyObject } from 'node:crypto';
import { issueCertificate, keyText, newKeyPair } from '@kubewright/apiserver/internal';

/** A certificate and its key, as PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** Whom a certificate is for. */
export interface Subject {
  /** The name of a server, or of a user. */
  readonly commonName: string;
  /** The groups of a user. */
  readonly organization?: string;
  /** The names and addresses of a server; a certificate without them is a client's. */
  readonly hosts?: readonly string[];
}

const validMs = 365 * 24 * 60 * 60 * 1000;

/** A certificate authority of its own, on P-256. */
export class Authority {
  /** Its certificate, as PEM: what others check against. */
  readonly certificate: string;
  readonly #commonName: string;
  readonly #key: KeyObject;

  constructor(commonName: string) {
    const { publicKey, privateKey } = newKeyPair();
    this.#commonName = commonName;
    this.#key = privateKey;
    const subject = { commonName };
    this.certificate = issueCertificate(
      { ...validity(), subject, publicKey, use: 'authority' },
      { name: subject, privateKey },
    );
  }

  /** Its key, as PEM, for somebody who signs in its name. */
  get privateKey(): string {
    return keyText(this.#key);
  }

  /** A new key with a certificate for a server or a user; valid for a year. */
  issue({ commonName, organization, hosts }: Subject): KeyPair {
    const { publicKey, privateKey } = newKeyPair();
    const cert = issueCertificate(
      {
        ...validity(),
        subject: { commonName, organizations: organization === undefined ? [] : [organization] },
        publicKey,
        ...(hosts === undefined ? { use: 'client' } : { use: 'server', hosts }),
      },
      { name: { commonName: this.#commonName }, privateKey: this.#key },
    );
    return { cert, key: keyText(privateKey) };
  }
}

/** A new key pair to sign and check tokens with, as PEM. */
export function newSigningKeys(): { readonly publicKey: string; readonly privateKey: string } {
  const { publicKey, privateKey } = newKeyPair();
  return { publicKey: keyText(publicKey), privateKey: keyText(privateKey) };
}

function validity(): { readonly notBefore: Date; readonly notAfter: Date } {
  const now = Date.now();
  return { notBefore: new Date(now - 60 * 60 * 1000), notAfter: new Date(now + validMs) };
}
