// Made by scripts/generate-built-ins.mjs from the schemas of Kubernetes v1.36.3. Do not edit.
import { type BuiltInKind, builtInKind, type BuiltInPart, builtInPart } from '../../built-in/built-in-kind.js';
import type { KubeObject } from '../../objects/kube-object.js';
import type * as core_v1 from '../core/v1.js';
import { definitions } from './v1-definitions.js';

export interface Endpoint {
  readonly addresses: readonly string[];
  readonly conditions?: EndpointConditions | undefined;
  readonly deprecatedTopology?: Readonly<Record<string, string>> | undefined;
  readonly hints?: EndpointHints | undefined;
  readonly hostname?: string | undefined;
  readonly nodeName?: string | undefined;
  readonly targetRef?: core_v1.ObjectReference | undefined;
  readonly zone?: string | undefined;
}
export const Endpoint: BuiltInPart<Endpoint> = /* @__PURE__ */ builtInPart(definitions, 'Endpoint');

export interface EndpointConditions {
  readonly ready?: boolean | undefined;
  readonly serving?: boolean | undefined;
  readonly terminating?: boolean | undefined;
}
export const EndpointConditions: BuiltInPart<EndpointConditions> = /* @__PURE__ */ builtInPart(definitions, 'EndpointConditions');

export interface EndpointHints {
  readonly forNodes?: readonly ForNode[] | undefined;
  readonly forZones?: readonly ForZone[] | undefined;
}
export const EndpointHints: BuiltInPart<EndpointHints> = /* @__PURE__ */ builtInPart(definitions, 'EndpointHints');

export interface EndpointPort {
  readonly appProtocol?: string | undefined;
  readonly name?: string | undefined;
  readonly port?: number | undefined;
  readonly protocol?: string | undefined;
}
export const EndpointPort: BuiltInPart<EndpointPort> = /* @__PURE__ */ builtInPart(definitions, 'EndpointPort');

export interface EndpointSlice extends KubeObject {
  readonly apiVersion: 'discovery.k8s.io/v1';
  readonly kind: 'EndpointSlice';
  readonly addressType: string;
  readonly endpoints?: readonly Endpoint[] | undefined;
  readonly ports?: readonly EndpointPort[] | undefined;
}
export const EndpointSlice: BuiltInKind<EndpointSlice> = /* @__PURE__ */ builtInKind(definitions, 'EndpointSlice');

export interface ForNode {
  readonly name: string;
}
export const ForNode: BuiltInPart<ForNode> = /* @__PURE__ */ builtInPart(definitions, 'ForNode');

export interface ForZone {
  readonly name: string;
}
export const ForZone: BuiltInPart<ForZone> = /* @__PURE__ */ builtInPart(definitions, 'ForZone');
