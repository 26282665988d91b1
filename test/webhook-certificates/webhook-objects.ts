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

/** Creates the namespace, the webhook configurations and the CustomResourceDefinition of the operator, as its manifests do. */
export async function createWebhookObjects(transport: Sender): Promise<void> {
  const post = (path: string, body: object): Promise<unknown> => transport.request({ method: 'POST', path, body });
  await post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  await createConfiguration(transport, 'Mutating');
  await createConfiguration(transport, 'Validating');
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

/** Returns the certificate authorities of each field `caBundle`, as PEM. */
export async function readBundles(transport: Sender): Promise<readonly string[]> {
  const [mutating, validating, crd] = await Promise.all(
    [MUTATING_PATH, CONFIGURATION_PATH].map((path) => transport.request<Injected>({ method: 'GET', path })),
  );
  const configs = [
    ...(mutating?.webhooks ?? []).map(({ clientConfig }) => clientConfig),
    ...(validating?.webhooks ?? []).map(({ clientConfig }) => clientConfig),
    ...(crd?.spec === undefined ? [] : [crd.spec.conversion.webhook.clientConfig]),
  ];
  return configs.map((config) => Buffer.from(config?.caBundle ?? '', 'base64').toString('utf8'));
}

interface Injected {
  readonly webhooks?: readonly { readonly clientConfig: ClientConfig }[];
  readonly spec?: { readonly conversion: { readonly webhook: { readonly clientConfig: ClientConfig } } };
}
interface ClientConfig {
  readonly caBundle?: string;
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

function encoded(data: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')]));
}
