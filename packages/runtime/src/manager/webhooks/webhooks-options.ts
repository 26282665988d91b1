import { KubewrightError } from '@kubewright/api/errors';
import type { CertificateOptions } from '../../certificates/managed-certificates-options.js';
import type { DescribedCertificates } from '../../rbac/described-webhooks.js';
import type { CertificateFiles } from '../../serving/certificate-watcher.js';
import type { ListenOptions } from '../../serving/served-endpoint.js';
import type { ServingCertificates } from '../../serving/serving-certificates.js';
import type { AroundWebhook } from '../../webhook/admission-endpoint.js';
import { type WebhookEndpoint, type WebhookServerOptions, webhookPort } from '../../webhook/webhook-server.js';

/** The options of the webhook server of a manager. The server listens only if the operator has webhooks. */
export interface WebhooksOptions extends ListenOptions, Pick<WebhookServerOptions, 'tls'> {
  /** The port from 0 to 65535. 0 selects a free port. @default 9443 */
  readonly port?: number;
  /**
   * The source of the serving certificate. By default, the manager creates the certificate, stores it in a Secret, and writes the CA bundle
   * into its webhook configurations. With 'cert-manager' or 'openshift', that component creates a Secret, which the generated manifests
   * mount. Pass `CertificateFiles` for your own files, or an object for another source. @default a certificate of the manager
   */
  readonly certificates?: CertificateOptions | CertificateFiles | ServingCertificates | 'cert-manager' | 'openshift';
  /**
   * The base name of the objects for webhooks, such as the Service `<name>-webhook`. The generated manifests set the variable
   * KUBEWRIGHT_WEBHOOKS_NAME to the name of the project. @default none; required for a certificate of the manager
   */
  readonly name?: string;
  /**
   * Calls the handler of an admission or authentication webhook. The function can read the HTTP request, and call `handle` in the context
   * of an `AsyncLocalStorage`. @default the handler is called directly
   */
  readonly around?: AroundWebhook;
  /**
   * A server that serves the webhooks instead of the manager's own server. Of the other options, the manager then uses only `around`.
   * @default none
   */
  readonly server?: WebhookEndpoint;
}

const KNOWN: { readonly [K in keyof WebhooksOptions]-?: true } = {
  port: true,
  host: true,
  tls: true,
  certificates: true,
  name: true,
  around: true,
  server: true,
};

/** The options of certificates that the manager creates itself. */
const MANAGED: readonly string[] = ['secret', 'lifetime', 'authorityLifetime', 'distribution'];

/** Validates the options. Throws INVALID_MANAGER and INVALID_SERVING_OPTIONS. */
export function checkWebhooksOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null) {
    throw invalid(`webhooks is ${JSON.stringify(options)}: use an object such as { port: 9443 }, or false`);
  }
  const unknown = Object.keys(options).find((option) => !Object.hasOwn(KNOWN, option));
  if (unknown !== undefined) {
    throw invalid(`unknown option 'webhooks.${unknown}'; use one of ${Object.keys(KNOWN).join(', ')}`);
  }
  const { port, certificates, server } = options as WebhooksOptions;
  webhookPort(port);
  if (certificates !== undefined) sourceOf(certificates);
  if (server !== undefined && !['handle', 'listen'].every((method) => hasMethod(server, method))) {
    throw invalid('webhooks.server is not a webhook server: pass an object with the methods handle and listen');
  }
}

/** Returns the description of the source of the certificate, for manifests. Throws INVALID_MANAGER for an unknown source. */
export function sourceOf(certificates: WebhooksOptions['certificates'] = {}): DescribedCertificates {
  if (certificates === 'cert-manager' || certificates === 'openshift') return { source: certificates };
  if (typeof certificates === 'object' && certificates !== null) {
    if (isServingCertificates(certificates)) return { source: 'files' };
    if (isFiles(certificates)) return { source: 'files' };
    if (Object.keys(certificates).every((option) => MANAGED.includes(option))) {
      const { secret } = certificates;
      return { source: 'manager', ...(secret !== undefined && { secret }) };
    }
  }
  throw invalid(
    `webhooks.certificates is ${JSON.stringify(certificates)}: use { secret, lifetime, authorityLifetime, distribution }, { certFile, keyFile }, 'cert-manager', 'openshift', or an object with the methods start and onChange`,
  );
}

export function isServingCertificates(certificates: object): certificates is ServingCertificates {
  return hasMethod(certificates, 'start') && hasMethod(certificates, 'onChange');
}
export function isFiles(certificates: object): certificates is CertificateFiles {
  return 'certFile' in certificates && 'keyFile' in certificates;
}
function hasMethod(object: object, method: string): boolean {
  return typeof (object as Readonly<Record<string, unknown>>)[method] === 'function';
}
function invalid(problem: string): KubewrightError {
  return new KubewrightError('INVALID_MANAGER', `cannot create a manager: ${problem}`);
}
