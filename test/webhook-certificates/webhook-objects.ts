import type { KubeObject } from '@kubewright/api';
import type { Transport } from '@kubewright/runtime/internal';

/** The names of the objects in these tests, which derive from the base name 'shop'. */
export const NAMESPACE = 'shop-system';
export const BASE = 'shop';
export const SERVICE = 'shop-webhook';
export const HOST = `${SERVICE}.${NAMESPACE}.svc`;
export const SECRET_PATH = `/api/v1/namespaces/${NAMESPACE}/secrets/shop-webhook-certificates`;
const SECRETS_PATH = `/api/v1/namespaces/${NAMESPACE}/secrets`;
const ADMISSION = '/apis/admissionregistration.k8s.io/v1';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const CONFIGURATION_PATH = `${ADMISSION}/validatingwebhookconfigurations/shop-validating-webhook-configuration`;
export const MUTATING_PATH = `${ADMISSION}/mutatingwebhookconfigurations/shop-mutating-webhook-configuration`;
export const DEFINITION_PATH = `${DEFINITIONS}/carts.shop.example.com`;
/** The objects into which the certificates are injected. */
export const INJECTED = {
  mutatingConfiguration: 'shop-mutating-webhook-configuration',
  validatingConfiguration: 'shop-validating-webhook-configuration',
} as const;

type Sender = Pick<Transport, 'request'>;

/** A Secret as the tests read it. */
export interface SecretObject extends KubeObject {
  readonly data: Readonly<Record<string, string>>;
}

/** Creates the namespace and the webhook configurations of the operator, as its manifests do. */
export async function createWebhookObjects(transport: Sender): Promise<void> {
  const post = (path: string, body: object): Promise<unknown> => transport.request({ method: 'POST', path, body });
  await post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  await createConfiguration(transport, 'Mutating');
  await createConfiguration(transport, 'Validating');
}

/** Creates the CustomResourceDefinition of a kind with a conversion webhook. */
export async function createDefinition(transport: Sender): Promise<void> {
  await transport.request({ method: 'POST', path: DEFINITIONS, body: definition() });
}

/** Creates a webhook configuration, as the manifests do. */
export async function createConfiguration(transport: Sender, type: 'Mutating' | 'Validating'): Promise<void> {
  const path = `${ADMISSION}/${type.toLowerCase()}webhookconfigurations`;
  await transport.request({ method: 'POST', path, body: configuration(type) });
}

/** Creates a Secret with the name that the certificates use. */
export async function createSecret(
  transport: Sender,
  data: Readonly<Record<string, string>>,
  annotations: Readonly<Record<string, string>> = { 'kubewright.dev/certificates-of': BASE },
): Promise<void> {
  const metadata = { name: 'shop-webhook-certificates', annotations };
  const body = { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', data: encoded(data) };
  await transport.request({ method: 'POST', path: SECRETS_PATH, body });
}

/** Replaces values in the Secret. */
export function overwriteSecret(transport: Sender, data: Readonly<Record<string, string>>): Promise<SecretObject> {
  return transport.request({
    method: 'PATCH',
    path: SECRET_PATH,
    contentType: 'application/merge-patch+json',
    body: { data: encoded(data) },
  });
}

export function readSecret(transport: Sender): Promise<SecretObject> {
  return transport.request({ method: 'GET', path: SECRET_PATH });
}

/** Returns a value in the Secret as text. */
export function valueOf({ data }: SecretObject, key: string): string {
  return Buffer.from(data[key] ?? '', 'base64').toString('utf8');
}

/** Returns the CA bundles of all webhooks in the configurations, as PEM. */
export async function readBundles(transport: Sender): Promise<readonly string[]> {
  const configurations = await Promise.all(
    [MUTATING_PATH, CONFIGURATION_PATH].map((path) => transport.request<Configuration>({ method: 'GET', path })),
  );
  return configurations.flatMap(({ webhooks }) => webhooks.map(({ clientConfig }) => pemOf(clientConfig)));
}

/** Returns the CA bundle of the conversion webhook, as PEM. */
export async function readDefinitionBundle(transport: Sender): Promise<string> {
  const { spec } = await transport.request<Definition>({ method: 'GET', path: DEFINITION_PATH });
  return pemOf(spec.conversion.webhook.clientConfig);
}

interface Configuration {
  readonly webhooks: readonly { readonly clientConfig: ClientConfig }[];
}
interface Definition {
  readonly spec: { readonly conversion: { readonly webhook: { readonly clientConfig: ClientConfig } } };
}
interface ClientConfig {
  readonly caBundle?: string;
}
function pemOf({ caBundle = '' }: ClientConfig): string {
  return Buffer.from(caBundle, 'base64').toString('utf8');
}

/** Returns a configuration with two webhooks. The default namespace selector of the manifests is not relevant here. */
function configuration(type: string): object {
  const webhook = (name: string) => ({
    name: `${name}.${type.toLowerCase()}.shop.example.com`,
    clientConfig: { service: { name: SERVICE, namespace: NAMESPACE, path: `/${name}` } },
    rules: [{ apiGroups: ['shop.example.com'], apiVersions: ['v1'], resources: [name], operations: ['CREATE'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  });
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${type}WebhookConfiguration`,
    metadata: { name: `shop-${type.toLowerCase()}-webhook-configuration` },
    webhooks: [webhook('carts'), webhook('orders')],
  };
}

function definition(): object {
  const version = (name: string, storage: boolean) => ({
    name,
    served: true,
    storage,
    schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'carts.shop.example.com' },
    spec: {
      group: 'shop.example.com',
      scope: 'Namespaced',
      names: { kind: 'Cart', listKind: 'CartList', plural: 'carts', singular: 'cart' },
      versions: [version('v1', true), version('v1beta1', false)],
      conversion: {
        strategy: 'Webhook',
        webhook: {
          conversionReviewVersions: ['v1'],
          clientConfig: { service: { name: SERVICE, namespace: NAMESPACE, path: '/convert' } },
        },
      },
    },
  };
}

function encoded(data: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')]));
}
