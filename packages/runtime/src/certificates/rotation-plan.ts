import type { X509Certificate } from 'node:crypto';
import type { CertificateState } from './certificate-state.js';
import { BACKDATED_MS } from './issue-certificates.js';

/**
 * The next change of the Secret:
 * - `create`: a new authority and a new serving certificate, because neither the authority nor the serving certificate can be used.
 * - `renewAuthority`: a new authority, which is the first in the bundle. The serving certificate and the old authorities stay.
 * - `renewServing`: a new serving certificate of the first authority.
 * - `prune`: removes authorities and earlier certificates that no replica can serve any more.
 * - `wait`: no change. `untilMs` is the time of the API server, in milliseconds since 1970, at which the next change may be due.
 */
export type RotationStep =
  | { readonly type: 'create' | 'renewAuthority' | 'renewServing' | 'prune'; readonly reason: string }
  | { readonly type: 'wait'; readonly untilMs: number };

/** The inputs of the plan in addition to the certificates. */
export interface RotationContext {
  /** The time of the API server in milliseconds since 1970. */
  readonly nowMs: number;
  /**
   * Whether the clock of this replica differs from the clock of the API server by at most 5 min. If not, the replica leaves renewals to the
   * other replicas until shortly before the certificates expire.
   */
  readonly clocksAgree: boolean;
  /** Whether every configuration has contained the current bundle for long enough that all API servers use it. */
  readonly isDistributed: boolean;
  /** The host names of the serving certificate. */
  readonly hosts: readonly string[];
}

/** The fraction of its lifetime after which a certificate is renewed. */
const RENEWED_AFTER = 2 / 3;
/**
 * The fraction of its lifetime after which a replica renews a certificate if the clock of the replica does not agree with the API server's
 * clock.
 */
const RENEWED_AT_LAST_AFTER = 9 / 10;
/** The time in milliseconds for which an expired certificate is kept, because the clocks of API servers differ. */
const EXPIRY_MARGIN_MS = 300_000;

/** Returns the next change of the Secret. If several replicas make changes, the result does not depend on the order of the changes. */
export function nextStep(state: CertificateState, context: RotationContext): RotationStep {
  const { signer, serving } = state;
  const { nowMs, clocksAgree, isDistributed, hosts } = context;
  const canServe = serving !== undefined && isTrusted(serving.certificate, state, nowMs);
  if (signer === undefined || !isValidAt(signer.certificate, nowMs)) {
    const reason = signer === undefined ? 'the CA or its key is not valid' : 'the CA has expired or is not valid yet';
    return { type: canServe ? 'renewAuthority' : 'create', reason };
  }
  if (!canServe)
    return {
      type: 'renewServing',
      reason: 'the serving certificate is missing, has expired, or was issued by another CA',
    };
  const servingDueMs = dueMs(serving.certificate, clocksAgree);
  if (!isIssuedBy(serving.certificate, signer.certificate)) {
    // The key of the old CA is replaced and cannot sign again, so the new CA issues a certificate as soon as all configurations contain it.
    if (isDistributed && (clocksAgree || nowMs >= servingDueMs)) {
      return { type: 'renewServing', reason: 'the new CA is in every configuration' };
    }
    return { type: 'wait', untilMs: Math.min(expiryMs(serving.certificate), pruneMs(state, nowMs)) };
  }
  const authorityDueMs = dueMs(signer.certificate, clocksAgree);
  if (nowMs >= authorityDueMs) return { type: 'renewAuthority', reason: 'the CA is due for renewal' };
  if (nowMs >= servingDueMs) return { type: 'renewServing', reason: 'the serving certificate is due for renewal' };
  if (hosts.some((host) => serving.certificate.checkHost(host, { subject: 'never' }) === undefined)) {
    return { type: 'renewServing', reason: 'the serving certificate is for other host names' };
  }
  if (isPrunable(state, nowMs)) return { type: 'prune', reason: 'an earlier certificate has expired' };
  return { type: 'wait', untilMs: Math.min(authorityDueMs, servingDueMs, pruneMs(state, nowMs)) };
}

/**
 * Returns the state without earlier certificates and authorities that expired at least 5 min ago. Also removes authorities that issued none
 * of the remaining certificates. Always keeps the signer.
 */
export function pruned(state: CertificateState, nowMs: number): CertificateState {
  const previous = state.previous.filter((certificate) => mayBeServed(certificate, nowMs));
  const served = [...previous, ...(state.serving === undefined ? [] : [state.serving.certificate])];
  const authorities = state.authorities.filter(
    (authority, index) =>
      (index === 0 && state.signer !== undefined) ||
      (mayBeServed(authority, nowMs) && served.some((certificate) => isIssuedBy(certificate, authority))),
  );
  return { ...state, authorities, previous };
}

/** Whether a certificate is valid at a time in milliseconds since 1970. */
export function isValidAt(certificate: X509Certificate, nowMs: number): boolean {
  return Date.parse(certificate.validFrom) <= nowMs && nowMs < expiryMs(certificate);
}

/** Whether clients that know the bundle of a state accept a certificate at a time in milliseconds since 1970. */
export function isTrusted(certificate: X509Certificate, { authorities }: CertificateState, nowMs: number): boolean {
  return (
    isValidAt(certificate, nowMs) &&
    authorities.some((authority) => isValidAt(authority, nowMs) && isIssuedBy(certificate, authority))
  );
}

/** Whether an authority has signed a certificate. */
export function isIssuedBy(certificate: X509Certificate, authority: X509Certificate): boolean {
  return certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
}

function mayBeServed(certificate: X509Certificate, nowMs: number): boolean {
  return nowMs < expiryMs(certificate) + EXPIRY_MARGIN_MS;
}

function isPrunable(state: CertificateState, nowMs: number): boolean {
  const { authorities, previous } = pruned(state, nowMs);
  return authorities.length < state.authorities.length || previous.length < state.previous.length;
}

/** Returns the time in milliseconds since 1970 at which the next certificate can be removed. Returns infinity if there is none. */
function pruneMs({ authorities, previous }: CertificateState, nowMs: number): number {
  const ends = [...authorities.slice(1), ...previous].map((each) => expiryMs(each) + EXPIRY_MARGIN_MS);
  return ends.reduce((first, end) => (end > nowMs && end < first ? end : first), Number.POSITIVE_INFINITY);
}

/**
 * Returns the time in milliseconds since 1970 at which a replica renews a certificate. The replica renews the certificate after two thirds
 * of its lifetime. If the clock of the replica does not agree with the clock of the API server, the replica renews the certificate after
 * nine tenths.
 */
export function dueMs(certificate: X509Certificate, clocksAgree: boolean): number {
  const issuedMs = Date.parse(certificate.validFrom) + BACKDATED_MS;
  const part = clocksAgree ? RENEWED_AFTER : RENEWED_AT_LAST_AFTER;
  return issuedMs + (expiryMs(certificate) - issuedMs) * part;
}
function expiryMs(certificate: X509Certificate): number {
  return Date.parse(certificate.validTo);
}
