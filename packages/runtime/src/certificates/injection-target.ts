import type { KubeObject } from '@kubewright/api';
import { isJsonObject } from '@kubewright/api/json';
import type { ResourceInfo } from '../transport/request/resource-path.js';
import type { CertificateObjects } from '../rbac/certificate-permissions.js';

/** An object with fields `caBundle` for the webhooks of the operator. */
export interface InjectionTarget {
  readonly resource: ResourceInfo;
  readonly name: string;
}

/** A field `caBundle`: its JSON pointer, and its current value. The value is empty if the object does not contain the field. */
export interface BundleField {
  readonly path: string;
  readonly value: string;
}

/** The Service to which the client configurations of the operator's webhooks refer. */
export interface ServiceKey {
  readonly name: string;
  readonly namespace: string;
}

const ADMISSION = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  apiVersion: 'admissionregistration.k8s.io/v1',
  namespaced: false,
} as const;
const MUTATING: ResourceInfo = {
  ...ADMISSION,
  kind: 'MutatingWebhookConfiguration',
  plural: 'mutatingwebhookconfigurations',
};
const VALIDATING: ResourceInfo = {
  ...ADMISSION,
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
};
const DEFINITIONS: ResourceInfo = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

/** Returns the objects into which the CA bundle is injected. */
export function injectionTargets(objects: Omit<CertificateObjects, 'secret'>): readonly InjectionTarget[] {
  const { mutatingConfiguration, validatingConfiguration, customResourceDefinitions = [] } = objects;
  return [
    ...(mutatingConfiguration === undefined ? [] : [{ resource: MUTATING, name: mutatingConfiguration }]),
    ...(validatingConfiguration === undefined ? [] : [{ resource: VALIDATING, name: validatingConfiguration }]),
    ...customResourceDefinitions.map((name) => ({ resource: DEFINITIONS, name })),
  ];
}

/** Returns the name of a target for messages and as a unique key, such as 'CustomResourceDefinition racks.example.com'. */
export function targetName({ resource, name }: InjectionTarget): string {
  return `${resource.kind} ${name}`;
}

/** Returns the fields `caBundle` of the webhooks in the object that the API server calls through the given Service. */
export function bundleFields(object: KubeObject, service: ServiceKey): readonly BundleField[] {
  const { webhooks, spec } = object as KubeObject & { readonly webhooks?: unknown; readonly spec?: unknown };
  const ofWebhooks = Array.isArray(webhooks)
    ? webhooks.map((webhook, index) => fieldOf(webhook, { path: `/webhooks/${index}`, service }))
    : [];
  const conversion = isJsonObject(spec) && isJsonObject(spec['conversion']) ? spec['conversion']['webhook'] : undefined;
  const ofConversion = fieldOf(conversion, { path: '/spec/conversion/webhook', service });
  return [...ofWebhooks, ofConversion].filter((field) => field !== undefined);
}

function fieldOf(
  webhook: unknown,
  { path, service }: { readonly path: string; readonly service: ServiceKey },
): BundleField | undefined {
  const config = isJsonObject(webhook) ? webhook['clientConfig'] : undefined;
  if (!isJsonObject(config) || !isJsonObject(config['service'])) return undefined;
  const { name, namespace } = config['service'];
  if (name !== service.name || namespace !== service.namespace) return undefined;
  const { caBundle } = config;
  return { path: `${path}/clientConfig/caBundle`, value: typeof caBundle === 'string' ? caBundle : '' };
}
