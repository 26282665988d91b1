import { X509Certificate } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KubewrightError } from '@kubewright/api/errors';
import { newToken } from '../authentication.js';
import { type ServingCertificate, servingCertificate } from './certificates.js';
import { checkedServerKeys, newServerKeys, type ServerKeys } from './server-keys.js';

const fileName = 'identity.json';
const renewBeforeMs = 30 * 24 * 60 * 60 * 1000;

/** The token, certificate and keys of a server. A kubeconfig stays valid as long as the token and the certificate do not change. */
export interface ServerIdentity {
  /** The administrator's bearer token. */
  readonly token: string;
  readonly certificate: ServingCertificate;
  /** The keys that sign tokens and client certificates. */
  readonly keys: ServerKeys;
}

interface PersistedIdentity extends ServerIdentity {
  /** The host of the certificate. */
  readonly host: string;
}

/** The options of `newIdentity` and `persistedIdentity`. */
export interface IdentityOptions {
  readonly host: string;
  /** The serving certificate. @default a new certificate with its own authority */
  readonly tls?: ServingCertificate;
  /** @default new keys */
  readonly keys?: ServerKeys;
}

/** Creates the identity of a server without a data folder. */
export async function newIdentity({ host, tls, keys }: IdentityOptions): Promise<ServerIdentity> {
  return {
    token: newToken(),
    certificate: tls ?? servingCertificate(host),
    keys: keys === undefined ? newServerKeys() : checkedServerKeys(keys),
  };
}

/**
 * Returns the identity in a folder, and creates the identity on the first start. If the stored certificate is for another host or expires
 * in less than 30 days, creates a new certificate and reports the replacement to `onWarning`. The options `tls` and `keys` replace the
 * stored certificate and the stored keys. Throws DATA_CORRUPT if the file is damaged.
 */
export async function persistedIdentity(
  folder: string,
  { onWarning, ...options }: IdentityOptions & { readonly onWarning: (message: string) => void },
): Promise<ServerIdentity> {
  const path = join(folder, fileName);
  const kept = existsSync(path) ? readIdentity(path) : undefined;
  const { host, tls } = options;
  const usable = kept !== undefined && kept.host === host && !expiresSoon(kept.certificate);
  if (kept !== undefined && usable && tls === undefined) {
    return { ...kept, keys: checkedServerKeys(options.keys ?? kept.keys) };
  }
  const held = kept && { token: kept.token };
  const keys = kept && { keys: options.keys ?? kept.keys };
  const made = { ...(await newIdentity({ ...options, ...keys })), ...held, host };
  if (tls === undefined) writeIdentity(folder, made);
  else if (kept === undefined) writeIdentity(folder, { ...made, host: '' });
  if (kept !== undefined && tls === undefined) {
    const why = kept.host === host ? 'is about to expire' : `is not valid for ${host}`;
    onWarning(`replaced the certificate in ${path}, because it ${why}; clients need a new kubeconfig`);
  }
  return made;
}

function readIdentity(path: string): PersistedIdentity {
  try {
    const { token, host, certificate, keys } = JSON.parse(readFileSync(path, 'utf8')) as PersistedIdentity;
    const texts = [
      token,
      host,
      certificate.certificate,
      certificate.certificateAuthority,
      certificate.key,
      ...keyTexts(keys),
    ];
    if (texts.every((text) => typeof text === 'string')) return { token, host, certificate, keys };
  } catch (cause) {
    throw damaged(path, cause);
  }
  throw damaged(path);
}

function keyTexts({ serviceAccounts, clientCertificates }: ServerKeys): readonly string[] {
  return [serviceAccounts, clientCertificates];
}

function damaged(path: string, cause?: unknown): KubewrightError {
  const message = `${path} is damaged; restore a copy, or remove the file to generate a new token and certificate`;
  return new KubewrightError('DATA_CORRUPT', message, { cause });
}

/** Replaces the identity file atomically, so that a crash does not damage the file. */
function writeIdentity(folder: string, identity: PersistedIdentity): void {
  const path = join(folder, fileName);
  const descriptor = openSync(`${path}.new`, 'w', 0o600);
  try {
    writeFileSync(descriptor, `${JSON.stringify(identity, null, 2)}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(`${path}.new`, path);
}

function expiresSoon({ certificate }: ServingCertificate): boolean {
  return Date.parse(new X509Certificate(certificate).validTo) - Date.now() < renewBeforeMs;
}
