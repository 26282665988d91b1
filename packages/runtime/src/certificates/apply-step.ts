import { X509Certificate } from 'node:crypto';
import { type CertificateState, servingFrom } from './certificate-state.js';
import { createAuthority, issueServing, type Signer } from './issue-certificates.js';
import { pruned, type RotationStep } from './rotation-plan.js';

/** The names and lifetimes of new certificates. */
export interface IssueOptions {
  /** The time of the API server in milliseconds since 1970. */
  readonly nowMs: number;
  readonly hosts: readonly string[];
  /** The lifetime of serving certificates in milliseconds. */
  readonly lifetimeMs: number;
  /** The lifetime of certificate authorities in milliseconds. */
  readonly authorityLifetimeMs: number;
}

/** A step that changes the Secret. */
export type Change = Exclude<RotationStep, { readonly type: 'wait' }>;

/** The state without certificates, from which the first state is created. */
export const NO_CERTIFICATES: CertificateState = {
  signer: undefined,
  authorities: [],
  serving: undefined,
  previous: [],
};

/** Returns the state after a change. Creates new keys and certificates, and does not change the passed state. */
export async function stateAfter(
  { type }: Change,
  state: CertificateState,
  options: IssueOptions,
): Promise<CertificateState> {
  const { nowMs } = options;
  switch (type) {
    case 'prune':
      return pruned(state, nowMs);
    case 'renewAuthority':
      return pruned(await withNewAuthority(state, options), nowMs);
    case 'renewServing':
      return pruned(await withNewServing(state, options), nowMs);
    case 'create':
      return pruned(await withNewServing(await withNewAuthority(state, options), options), nowMs);
  }
}

async function withNewAuthority(
  state: CertificateState,
  { nowMs, authorityLifetimeMs }: IssueOptions,
): Promise<CertificateState> {
  const { cert, key } = await createAuthority({ nowMs, lifetimeMs: authorityLifetimeMs });
  const signer: Signer = { certificate: new X509Certificate(cert), key };
  return { ...state, signer, authorities: [signer.certificate, ...state.authorities] };
}

async function withNewServing(
  state: CertificateState,
  { nowMs, lifetimeMs, hosts }: IssueOptions,
): Promise<CertificateState> {
  const { signer, serving, previous } = state;
  if (signer === undefined) return state;
  const keyPair = await issueServing(signer, { nowMs, lifetimeMs, hosts });
  return {
    ...state,
    serving: servingFrom(keyPair),
    previous: serving === undefined ? previous : [serving.certificate, ...previous],
  };
}
