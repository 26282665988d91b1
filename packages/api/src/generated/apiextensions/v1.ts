// Made by scripts/generate-built-ins.mjs from the schemas of Kubernetes v1.36.3. Do not edit.
import { type BuiltInKind, builtInKind, type BuiltInPart, builtInPart } from '../../built-in/built-in-kind.js';
import type { KubeObject } from '../../objects/kube-object.js';
import { definitions } from './v1-definitions.js';

export interface CustomResourceColumnDefinition {
  readonly description?: string | undefined;
  readonly format?: string | undefined;
  readonly jsonPath: string;
  readonly name: string;
  readonly priority?: number | undefined;
  readonly type: string;
}
export const CustomResourceColumnDefinition: BuiltInPart<CustomResourceColumnDefinition> = /* @__PURE__ */ builtInPart(definitions, 'CustomResourceColumnDefinition');

export interface CustomResourceConversion {
  readonly strategy: string;
  readonly webhook?: WebhookConversion | undefined;
}
export const CustomResourceConversion: BuiltInPart<CustomResourceConversion> = /* @__PURE__ */ builtInPart(definitions, 'CustomResourceConversion');

export interface CustomResourceDefinition extends KubeObject {
  readonly apiVersion: 'apiextensions.k8s.io/v1';
  readonly kind: 'CustomResourceDefinition';
  readonly spec: CustomResourceDefinitionSpec;
  readonly status?: CustomResourceDefinitionStatus | undefined;
}
export const CustomResourceDefinition: BuiltInKind<CustomResourceDefinition> = /* @__PURE__ */ builtInKind(definitions, 'CustomResourceDefinition');

export interface CustomResourceDefinitionCondition {
  readonly lastTransitionTime?: string | undefined;
  readonly message?: string | undefined;
  readonly observedGeneration?: number | undefined;
  readonly reason?: string | undefined;
  readonly status: string;
  readonly type: string;
}
export const CustomResourceDefinitionCondition: BuiltInPart<CustomResourceDefinitionCondition> = /* @__PURE__ */ builtInPart(definitions, 'CustomResourceDefinitionCondition');

export interface CustomResourceDefinitionNames {
  readonly categories?: readonly string[] | undefined;
  readonly kind: string;
  readonly listKind?: string | undefined;
  readonly plural: string;
  readonly shortNames?: readonly string[] | undefined;
  readonly singular?: string | undefined;
}
export const CustomResourceDefinitionNames: BuiltInPart<CustomResourceDefinitionNames> = /* @__PURE__ */ builtInPart(definitions, 'CustomResourceDefinitionNames');

export interface CustomResourceDefinitionSpec {
  readonly conversion?: CustomResourceConversion | undefined;
  readonly group: string;
  readonly names: CustomResourceDefinitionNames;
  readonly preserveUnknownFields?: boolean | undefined;
  readonly scope: string;
  readonly versions: readonly CustomResourceDefinitionVersion[];
}
export const CustomResourceDefinitionSpec: BuiltInPart<CustomResourceDefinitionSpec> = /* @__PURE__ */ builtInPart(definitions, 'CustomResourceDefinitionSpec');

export interface CustomResourceDefinitionStatus {
  readonly acceptedNames?: CustomResourceDefinitionNames | undefined;
  readonly conditions?: readonly CustomResourceDefinitionCondition[] | undefined;
  readonly observedGeneration?: number | undefined;
  readonly storedVersions?: readonly string[] | undefined;
}
export const CustomResourceDefinitionStatus: BuiltInPart<CustomResourceDefinitionStatus> = /* @__PURE__ */ builtInPart(definitions, 'CustomResourceDefinitionStatus');

export interface CustomResourceDefinitionVersion {
  readonly additionalPrinterColumns?: readonly CustomResourceColumnDefinition[] | undefined;
  readonly deprecated?: boolean | undefined;
  readonly deprecationWarning?: string | undefined;
  readonly name: string;
  readonly schema?: CustomResourceValidation | undefined;
  readonly selectableFields?: readonly SelectableField[] | undefined;
  readonly served: boolean;
  readonly storage: boolean;
  readonly subresources?: CustomResourceSubresources | undefined;
}
export const CustomResourceDefinitionVersion: BuiltInPart<CustomResourceDefinitionVersion> = /* @__PURE__ */ builtInPart(definitions, 'CustomResourceDefinitionVersion');

export interface CustomResourceSubresourceScale {
  readonly labelSelectorPath?: string | undefined;
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
}
export const CustomResourceSubresourceScale: BuiltInPart<CustomResourceSubresourceScale> = /* @__PURE__ */ builtInPart(definitions, 'CustomResourceSubresourceScale');

export type CustomResourceSubresourceStatus = Readonly<Record<string, never>>;
export const CustomResourceSubresourceStatus: BuiltInPart<CustomResourceSubresourceStatus> = /* @__PURE__ */ builtInPart(definitions, 'CustomResourceSubresourceStatus');

export interface CustomResourceSubresources {
  readonly scale?: CustomResourceSubresourceScale | undefined;
  readonly status?: CustomResourceSubresourceStatus | undefined;
}
export const CustomResourceSubresources: BuiltInPart<CustomResourceSubresources> = /* @__PURE__ */ builtInPart(definitions, 'CustomResourceSubresources');

export interface CustomResourceValidation {
  readonly openAPIV3Schema?: JSONSchemaProps | undefined;
}
export const CustomResourceValidation: BuiltInPart<CustomResourceValidation> = /* @__PURE__ */ builtInPart(definitions, 'CustomResourceValidation');

export interface ExternalDocumentation {
  readonly description?: string | undefined;
  readonly url?: string | undefined;
}
export const ExternalDocumentation: BuiltInPart<ExternalDocumentation> = /* @__PURE__ */ builtInPart(definitions, 'ExternalDocumentation');

export interface JSONSchemaProps {
  readonly '$ref'?: string | undefined;
  readonly '$schema'?: string | undefined;
  readonly additionalItems?: unknown | undefined;
  readonly additionalProperties?: unknown | undefined;
  readonly allOf?: readonly JSONSchemaProps[] | undefined;
  readonly anyOf?: readonly JSONSchemaProps[] | undefined;
  readonly default?: unknown | undefined;
  readonly definitions?: Readonly<Record<string, JSONSchemaProps>> | undefined;
  readonly dependencies?: Readonly<Record<string, unknown>> | undefined;
  readonly description?: string | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly example?: unknown | undefined;
  readonly exclusiveMaximum?: boolean | undefined;
  readonly exclusiveMinimum?: boolean | undefined;
  readonly externalDocs?: ExternalDocumentation | undefined;
  readonly format?: string | undefined;
  readonly id?: string | undefined;
  readonly items?: unknown | undefined;
  readonly maxItems?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly maxProperties?: number | undefined;
  readonly maximum?: number | undefined;
  readonly minItems?: number | undefined;
  readonly minLength?: number | undefined;
  readonly minProperties?: number | undefined;
  readonly minimum?: number | undefined;
  readonly multipleOf?: number | undefined;
  readonly not?: JSONSchemaProps | undefined;
  readonly nullable?: boolean | undefined;
  readonly oneOf?: readonly JSONSchemaProps[] | undefined;
  readonly pattern?: string | undefined;
  readonly patternProperties?: Readonly<Record<string, JSONSchemaProps>> | undefined;
  readonly properties?: Readonly<Record<string, JSONSchemaProps>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly title?: string | undefined;
  readonly type?: string | undefined;
  readonly uniqueItems?: boolean | undefined;
  readonly 'x-kubernetes-embedded-resource'?: boolean | undefined;
  readonly 'x-kubernetes-int-or-string'?: boolean | undefined;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[] | undefined;
  readonly 'x-kubernetes-list-type'?: string | undefined;
  readonly 'x-kubernetes-map-type'?: string | undefined;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean | undefined;
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[] | undefined;
}
export const JSONSchemaProps: BuiltInPart<JSONSchemaProps> = /* @__PURE__ */ builtInPart(definitions, 'JSONSchemaProps');

export interface SelectableField {
  readonly jsonPath: string;
}
export const SelectableField: BuiltInPart<SelectableField> = /* @__PURE__ */ builtInPart(definitions, 'SelectableField');

export interface ServiceReference {
  readonly name: string;
  readonly namespace: string;
  readonly path?: string | undefined;
  readonly port?: number | undefined;
}
export const ServiceReference: BuiltInPart<ServiceReference> = /* @__PURE__ */ builtInPart(definitions, 'ServiceReference');

export interface ValidationRule {
  readonly fieldPath?: string | undefined;
  readonly message?: string | undefined;
  readonly messageExpression?: string | undefined;
  readonly optionalOldSelf?: boolean | undefined;
  readonly reason?: string | undefined;
  readonly rule: string;
}
export const ValidationRule: BuiltInPart<ValidationRule> = /* @__PURE__ */ builtInPart(definitions, 'ValidationRule');

export interface WebhookClientConfig {
  readonly caBundle?: string | undefined;
  readonly service?: ServiceReference | undefined;
  readonly url?: string | undefined;
}
export const WebhookClientConfig: BuiltInPart<WebhookClientConfig> = /* @__PURE__ */ builtInPart(definitions, 'WebhookClientConfig');

export interface WebhookConversion {
  readonly clientConfig?: WebhookClientConfig | undefined;
  readonly conversionReviewVersions: readonly string[];
}
export const WebhookConversion: BuiltInPart<WebhookConversion> = /* @__PURE__ */ builtInPart(definitions, 'WebhookConversion');
