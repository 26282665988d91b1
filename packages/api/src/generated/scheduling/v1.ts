// Made by scripts/generate-built-ins.mjs from the schemas of Kubernetes v1.36.3. Do not edit.
import { type BuiltInKind, builtInKind } from '../../built-in/built-in-kind.js';
import type { KubeObject } from '../../objects/kube-object.js';
import { definitions } from './v1-definitions.js';

export interface PriorityClass extends KubeObject {
  readonly apiVersion: 'scheduling.k8s.io/v1';
  readonly kind: 'PriorityClass';
  readonly description?: string | undefined;
  readonly globalDefault?: boolean | undefined;
  readonly preemptionPolicy?: string | undefined;
  readonly value?: number | undefined;
}
export const PriorityClass: BuiltInKind<PriorityClass> = /* @__PURE__ */ builtInKind(definitions, 'PriorityClass');
