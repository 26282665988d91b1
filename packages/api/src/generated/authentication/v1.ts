// Made by scripts/generate-built-ins.mjs from the schemas of Kubernetes v1.36.3. Do not edit.
import { type BuiltInKind, builtInKind, type BuiltInPart, builtInPart } from '../../built-in/built-in-kind.js';
import type { KubeObject } from '../../objects/kube-object.js';
import type * as meta_v1 from '../meta/v1.js';
import { definitions } from './v1-definitions.js';

export interface BoundObjectReference {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly name?: string | undefined;
  readonly uid?: string | undefined;
}
export const BoundObjectReference: BuiltInPart<BoundObjectReference> = /* @__PURE__ */ builtInPart(definitions, 'BoundObjectReference');

export interface SelfSubjectReview extends KubeObject {
  readonly apiVersion: 'authentication.k8s.io/v1';
  readonly kind: 'SelfSubjectReview';
  readonly status?: SelfSubjectReviewStatus | undefined;
}
export const SelfSubjectReview: BuiltInKind<SelfSubjectReview> = /* @__PURE__ */ builtInKind(definitions, 'SelfSubjectReview');

export interface SelfSubjectReviewStatus {
  readonly userInfo?: UserInfo | undefined;
}
export const SelfSubjectReviewStatus: BuiltInPart<SelfSubjectReviewStatus> = /* @__PURE__ */ builtInPart(definitions, 'SelfSubjectReviewStatus');

export interface TokenRequest {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata?: meta_v1.ObjectMeta | undefined;
  readonly spec?: TokenRequestSpec | undefined;
  readonly status?: TokenRequestStatus | undefined;
}
export const TokenRequest: BuiltInPart<TokenRequest> = /* @__PURE__ */ builtInPart(definitions, 'TokenRequest');

export interface TokenRequestSpec {
  readonly audiences?: readonly string[] | undefined;
  readonly boundObjectRef?: BoundObjectReference | undefined;
  readonly expirationSeconds?: number | undefined;
}
export const TokenRequestSpec: BuiltInPart<TokenRequestSpec> = /* @__PURE__ */ builtInPart(definitions, 'TokenRequestSpec');

export interface TokenRequestStatus {
  readonly expirationTimestamp?: string | undefined;
  readonly token?: string | undefined;
}
export const TokenRequestStatus: BuiltInPart<TokenRequestStatus> = /* @__PURE__ */ builtInPart(definitions, 'TokenRequestStatus');

export interface TokenReview extends KubeObject {
  readonly apiVersion: 'authentication.k8s.io/v1';
  readonly kind: 'TokenReview';
  readonly spec: TokenReviewSpec;
  readonly status?: TokenReviewStatus | undefined;
}
export const TokenReview: BuiltInKind<TokenReview> = /* @__PURE__ */ builtInKind(definitions, 'TokenReview');

export interface TokenReviewSpec {
  readonly audiences?: readonly string[] | undefined;
  readonly token: string;
}
export const TokenReviewSpec: BuiltInPart<TokenReviewSpec> = /* @__PURE__ */ builtInPart(definitions, 'TokenReviewSpec');

export interface TokenReviewStatus {
  readonly audiences?: readonly string[] | undefined;
  readonly authenticated?: boolean | undefined;
  readonly error?: string | undefined;
  readonly user?: UserInfo | undefined;
}
export const TokenReviewStatus: BuiltInPart<TokenReviewStatus> = /* @__PURE__ */ builtInPart(definitions, 'TokenReviewStatus');

export interface UserInfo {
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly uid?: string | undefined;
  readonly username?: string | undefined;
}
export const UserInfo: BuiltInPart<UserInfo> = /* @__PURE__ */ builtInPart(definitions, 'UserInfo');
