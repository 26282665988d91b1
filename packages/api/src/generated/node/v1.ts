// Made by scripts/generate-built-ins.mjs from the schemas of Kubernetes v1.36.3. Do not edit.
import { type BuiltInKind, builtInKind, type BuiltInPart, builtInPart } from '../../built-in/built-in-kind.js';
import type { KubeObject } from '../../objects/kube-object.js';
import type * as core_v1 from '../core/v1.js';
import { definitions } from './v1-definitions.js';

export interface Overhead {
  readonly podFixed?: Readonly<Record<string, string>> | undefined;
}
export const Overhead: BuiltInPart<Overhead> = /* @__PURE__ */ builtInPart(definitions, 'Overhead');

export interface RuntimeClass extends KubeObject {
  readonly apiVersion: 'node.k8s.io/v1';
  readonly kind: 'RuntimeClass';
  readonly handler: string;
  readonly overhead?: Overhead | undefined;
  readonly scheduling?: Scheduling | undefined;
}
export const RuntimeClass: BuiltInKind<RuntimeClass> = /* @__PURE__ */ builtInKind(definitions, 'RuntimeClass');

export interface Scheduling {
  readonly nodeSelector?: Readonly<Record<string, string>> | undefined;
  readonly tolerations?: readonly core_v1.Toleration[] | undefined;
}
export const Scheduling: BuiltInPart<Scheduling> = /* @__PURE__ */ builtInPart(definitions, 'Scheduling');
