// Made by scripts/generate-built-ins.mjs from the schemas of Kubernetes v1.36.3. Do not edit.
import { type BuiltInKind, builtInKind, type BuiltInPart, builtInPart } from '../../built-in/built-in-kind.js';
import type { KubeObject } from '../../objects/kube-object.js';
import type * as core_v1 from '../core/v1.js';
import type * as meta_v1 from '../meta/v1.js';
import { definitions } from './v1-definitions.js';

export interface HTTPIngressPath {
  readonly backend: IngressBackend;
  readonly path?: string | undefined;
  readonly pathType: string;
}
export const HTTPIngressPath: BuiltInPart<HTTPIngressPath> = /* @__PURE__ */ builtInPart(definitions, 'HTTPIngressPath');

export interface HTTPIngressRuleValue {
  readonly paths: readonly HTTPIngressPath[];
}
export const HTTPIngressRuleValue: BuiltInPart<HTTPIngressRuleValue> = /* @__PURE__ */ builtInPart(definitions, 'HTTPIngressRuleValue');

export interface IPAddress extends KubeObject {
  readonly apiVersion: 'networking.k8s.io/v1';
  readonly kind: 'IPAddress';
  readonly spec: IPAddressSpec;
}
export const IPAddress: BuiltInKind<IPAddress> = /* @__PURE__ */ builtInKind(definitions, 'IPAddress');

export interface IPAddressSpec {
  readonly parentRef: ParentReference;
}
export const IPAddressSpec: BuiltInPart<IPAddressSpec> = /* @__PURE__ */ builtInPart(definitions, 'IPAddressSpec');

export interface IPBlock {
  readonly cidr: string;
  readonly except?: readonly string[] | undefined;
}
export const IPBlock: BuiltInPart<IPBlock> = /* @__PURE__ */ builtInPart(definitions, 'IPBlock');

export interface Ingress extends KubeObject {
  readonly apiVersion: 'networking.k8s.io/v1';
  readonly kind: 'Ingress';
  readonly spec: IngressSpec;
  readonly status?: IngressStatus | undefined;
}
export const Ingress: BuiltInKind<Ingress> = /* @__PURE__ */ builtInKind(definitions, 'Ingress');

export interface IngressBackend {
  readonly resource?: core_v1.TypedLocalObjectReference | undefined;
  readonly service?: IngressServiceBackend | undefined;
}
export const IngressBackend: BuiltInPart<IngressBackend> = /* @__PURE__ */ builtInPart(definitions, 'IngressBackend');

export interface IngressClass extends KubeObject {
  readonly apiVersion: 'networking.k8s.io/v1';
  readonly kind: 'IngressClass';
  readonly spec: IngressClassSpec;
}
export const IngressClass: BuiltInKind<IngressClass> = /* @__PURE__ */ builtInKind(definitions, 'IngressClass');

export interface IngressClassParametersReference {
  readonly apiGroup?: string | undefined;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly scope?: string | undefined;
}
export const IngressClassParametersReference: BuiltInPart<IngressClassParametersReference> = /* @__PURE__ */ builtInPart(definitions, 'IngressClassParametersReference');

export interface IngressClassSpec {
  readonly controller?: string | undefined;
  readonly parameters?: IngressClassParametersReference | undefined;
}
export const IngressClassSpec: BuiltInPart<IngressClassSpec> = /* @__PURE__ */ builtInPart(definitions, 'IngressClassSpec');

export interface IngressLoadBalancerIngress {
  readonly hostname?: string | undefined;
  readonly ip?: string | undefined;
  readonly ports?: readonly IngressPortStatus[] | undefined;
}
export const IngressLoadBalancerIngress: BuiltInPart<IngressLoadBalancerIngress> = /* @__PURE__ */ builtInPart(definitions, 'IngressLoadBalancerIngress');

export interface IngressLoadBalancerStatus {
  readonly ingress?: readonly IngressLoadBalancerIngress[] | undefined;
}
export const IngressLoadBalancerStatus: BuiltInPart<IngressLoadBalancerStatus> = /* @__PURE__ */ builtInPart(definitions, 'IngressLoadBalancerStatus');

export interface IngressPortStatus {
  readonly error?: string | undefined;
  readonly port: number;
  readonly protocol: string;
}
export const IngressPortStatus: BuiltInPart<IngressPortStatus> = /* @__PURE__ */ builtInPart(definitions, 'IngressPortStatus');

export interface IngressRule {
  readonly host?: string | undefined;
  readonly http?: HTTPIngressRuleValue | undefined;
}
export const IngressRule: BuiltInPart<IngressRule> = /* @__PURE__ */ builtInPart(definitions, 'IngressRule');

export interface IngressServiceBackend {
  readonly name: string;
  readonly port?: ServiceBackendPort | undefined;
}
export const IngressServiceBackend: BuiltInPart<IngressServiceBackend> = /* @__PURE__ */ builtInPart(definitions, 'IngressServiceBackend');

export interface IngressSpec {
  readonly defaultBackend?: IngressBackend | undefined;
  readonly ingressClassName?: string | undefined;
  readonly rules?: readonly IngressRule[] | undefined;
  readonly tls?: readonly IngressTLS[] | undefined;
}
export const IngressSpec: BuiltInPart<IngressSpec> = /* @__PURE__ */ builtInPart(definitions, 'IngressSpec');

export interface IngressStatus {
  readonly loadBalancer?: IngressLoadBalancerStatus | undefined;
}
export const IngressStatus: BuiltInPart<IngressStatus> = /* @__PURE__ */ builtInPart(definitions, 'IngressStatus');

export interface IngressTLS {
  readonly hosts?: readonly string[] | undefined;
  readonly secretName?: string | undefined;
}
export const IngressTLS: BuiltInPart<IngressTLS> = /* @__PURE__ */ builtInPart(definitions, 'IngressTLS');

export interface NetworkPolicy extends KubeObject {
  readonly apiVersion: 'networking.k8s.io/v1';
  readonly kind: 'NetworkPolicy';
  readonly spec: NetworkPolicySpec;
}
export const NetworkPolicy: BuiltInKind<NetworkPolicy> = /* @__PURE__ */ builtInKind(definitions, 'NetworkPolicy');

export interface NetworkPolicyEgressRule {
  readonly ports?: readonly NetworkPolicyPort[] | undefined;
  readonly to?: readonly NetworkPolicyPeer[] | undefined;
}
export const NetworkPolicyEgressRule: BuiltInPart<NetworkPolicyEgressRule> = /* @__PURE__ */ builtInPart(definitions, 'NetworkPolicyEgressRule');

export interface NetworkPolicyIngressRule {
  readonly from?: readonly NetworkPolicyPeer[] | undefined;
  readonly ports?: readonly NetworkPolicyPort[] | undefined;
}
export const NetworkPolicyIngressRule: BuiltInPart<NetworkPolicyIngressRule> = /* @__PURE__ */ builtInPart(definitions, 'NetworkPolicyIngressRule');

export interface NetworkPolicyPeer {
  readonly ipBlock?: IPBlock | undefined;
  readonly namespaceSelector?: meta_v1.LabelSelector | undefined;
  readonly podSelector?: meta_v1.LabelSelector | undefined;
}
export const NetworkPolicyPeer: BuiltInPart<NetworkPolicyPeer> = /* @__PURE__ */ builtInPart(definitions, 'NetworkPolicyPeer');

export interface NetworkPolicyPort {
  readonly endPort?: number | undefined;
  readonly port?: number | string | undefined;
  readonly protocol?: string | undefined;
}
export const NetworkPolicyPort: BuiltInPart<NetworkPolicyPort> = /* @__PURE__ */ builtInPart(definitions, 'NetworkPolicyPort');

export interface NetworkPolicySpec {
  readonly egress?: readonly NetworkPolicyEgressRule[] | undefined;
  readonly ingress?: readonly NetworkPolicyIngressRule[] | undefined;
  readonly podSelector?: meta_v1.LabelSelector | undefined;
  readonly policyTypes?: readonly string[] | undefined;
}
export const NetworkPolicySpec: BuiltInPart<NetworkPolicySpec> = /* @__PURE__ */ builtInPart(definitions, 'NetworkPolicySpec');

export interface ParentReference {
  readonly group?: string | undefined;
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly resource: string;
}
export const ParentReference: BuiltInPart<ParentReference> = /* @__PURE__ */ builtInPart(definitions, 'ParentReference');

export interface ServiceBackendPort {
  readonly name?: string | undefined;
  readonly number?: number | undefined;
}
export const ServiceBackendPort: BuiltInPart<ServiceBackendPort> = /* @__PURE__ */ builtInPart(definitions, 'ServiceBackendPort');

export interface ServiceCIDR extends KubeObject {
  readonly apiVersion: 'networking.k8s.io/v1';
  readonly kind: 'ServiceCIDR';
  readonly spec: ServiceCIDRSpec;
  readonly status?: ServiceCIDRStatus | undefined;
}
export const ServiceCIDR: BuiltInKind<ServiceCIDR> = /* @__PURE__ */ builtInKind(definitions, 'ServiceCIDR');

export interface ServiceCIDRSpec {
  readonly cidrs?: readonly string[] | undefined;
}
export const ServiceCIDRSpec: BuiltInPart<ServiceCIDRSpec> = /* @__PURE__ */ builtInPart(definitions, 'ServiceCIDRSpec');

export interface ServiceCIDRStatus {
  readonly conditions?: readonly meta_v1.Condition[] | undefined;
}
export const ServiceCIDRStatus: BuiltInPart<ServiceCIDRStatus> = /* @__PURE__ */ builtInPart(definitions, 'ServiceCIDRStatus');
