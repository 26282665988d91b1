// Made by scripts/generate-built-ins.mjs from the schemas of Kubernetes v1.36.3. Do not edit.
import { type BuiltInKind, builtInKind, type BuiltInPart, builtInPart } from '../../built-in/built-in-kind.js';
import type { KubeObject } from '../../objects/kube-object.js';
import { definitions } from './v1-definitions.js';

export interface APIService extends KubeObject {
  readonly apiVersion: 'apiregistration.k8s.io/v1';
  readonly kind: 'APIService';
  readonly spec: APIServiceSpec;
  readonly status?: APIServiceStatus | undefined;
}
export const APIService: BuiltInKind<APIService> = /* @__PURE__ */ builtInKind(definitions, 'APIService');

export interface APIServiceCondition {
  readonly lastTransitionTime?: string | undefined;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly status: string;
  readonly type: string;
}
export const APIServiceCondition: BuiltInPart<APIServiceCondition> = /* @__PURE__ */ builtInPart(definitions, 'APIServiceCondition');

export interface APIServiceSpec {
  readonly caBundle?: string | undefined;
  readonly group?: string | undefined;
  readonly groupPriorityMinimum: number;
  readonly insecureSkipTLSVerify?: boolean | undefined;
  readonly service?: ServiceReference | undefined;
  readonly version?: string | undefined;
  readonly versionPriority: number;
}
export const APIServiceSpec: BuiltInPart<APIServiceSpec> = /* @__PURE__ */ builtInPart(definitions, 'APIServiceSpec');

export interface APIServiceStatus {
  readonly conditions?: readonly APIServiceCondition[] | undefined;
}
export const APIServiceStatus: BuiltInPart<APIServiceStatus> = /* @__PURE__ */ builtInPart(definitions, 'APIServiceStatus');

export interface ServiceReference {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly port?: number | undefined;
}
export const ServiceReference: BuiltInPart<ServiceReference> = /* @__PURE__ */ builtInPart(definitions, 'ServiceReference');
