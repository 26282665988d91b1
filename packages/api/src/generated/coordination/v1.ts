// Made by scripts/generate-built-ins.mjs from the schemas of Kubernetes v1.36.3. Do not edit.
import { type BuiltInKind, builtInKind, type BuiltInPart, builtInPart } from '../../built-in/built-in-kind.js';
import type { KubeObject } from '../../objects/kube-object.js';
import { definitions } from './v1-definitions.js';

export interface Lease extends KubeObject {
  readonly apiVersion: 'coordination.k8s.io/v1';
  readonly kind: 'Lease';
  readonly spec: LeaseSpec;
}
export const Lease: BuiltInKind<Lease> = /* @__PURE__ */ builtInKind(definitions, 'Lease');

export interface LeaseSpec {
  readonly acquireTime?: string | undefined;
  readonly holderIdentity?: string | undefined;
  readonly leaseDurationSeconds?: number | undefined;
  readonly leaseTransitions?: number | undefined;
  readonly preferredHolder?: string | undefined;
  readonly renewTime?: string | undefined;
  readonly strategy?: string | undefined;
}
export const LeaseSpec: BuiltInPart<LeaseSpec> = /* @__PURE__ */ builtInPart(definitions, 'LeaseSpec');
