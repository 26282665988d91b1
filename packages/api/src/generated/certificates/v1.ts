// Made by scripts/generate-built-ins.mjs from the schemas of Kubernetes v1.36.3. Do not edit.
import { type BuiltInKind, builtInKind, type BuiltInPart, builtInPart } from '../../built-in/built-in-kind.js';
import type { KubeObject } from '../../objects/kube-object.js';
import { definitions } from './v1-definitions.js';

export interface CertificateSigningRequest extends KubeObject {
  readonly apiVersion: 'certificates.k8s.io/v1';
  readonly kind: 'CertificateSigningRequest';
  readonly spec: CertificateSigningRequestSpec;
  readonly status?: CertificateSigningRequestStatus | undefined;
}
export const CertificateSigningRequest: BuiltInKind<CertificateSigningRequest> = /* @__PURE__ */ builtInKind(definitions, 'CertificateSigningRequest');

export interface CertificateSigningRequestCondition {
  readonly lastTransitionTime?: string | undefined;
  readonly lastUpdateTime?: string | undefined;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly status: string;
  readonly type: string;
}
export const CertificateSigningRequestCondition: BuiltInPart<CertificateSigningRequestCondition> = /* @__PURE__ */ builtInPart(definitions, 'CertificateSigningRequestCondition');

export interface CertificateSigningRequestSpec {
  readonly expirationSeconds?: number | undefined;
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly request: string;
  readonly signerName: string;
  readonly uid?: string | undefined;
  readonly usages?: readonly string[] | undefined;
  readonly username?: string | undefined;
}
export const CertificateSigningRequestSpec: BuiltInPart<CertificateSigningRequestSpec> = /* @__PURE__ */ builtInPart(definitions, 'CertificateSigningRequestSpec');

export interface CertificateSigningRequestStatus {
  readonly certificate?: string | undefined;
  readonly conditions?: readonly CertificateSigningRequestCondition[] | undefined;
}
export const CertificateSigningRequestStatus: BuiltInPart<CertificateSigningRequestStatus> = /* @__PURE__ */ builtInPart(definitions, 'CertificateSigningRequestStatus');
