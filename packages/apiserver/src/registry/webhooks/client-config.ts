/** The Service of a webhook. */
export interface WebhookService {
  readonly namespace: string;
  readonly name: string;
  /** The path of the request. @default / */
  readonly path?: string;
  /** The port of the Service. @default 443 */
  readonly port?: number;
}

/** The `clientConfig` of a webhook: exactly one of `url` and `service`. */
export interface WebhookClientConfig {
  readonly url?: string;
  readonly service?: WebhookService;
  /** The certificate authorities of the webhook: PEM in Base64. @default the authorities that Node.js trusts */
  readonly caBundle?: string;
}

/** The address of a webhook. Errors of calls contain this address. */
export interface WebhookAddress {
  /** The origin, such as `https://127.0.0.1:9443`. */
  readonly origin: string;
  readonly path: string;
  /** The host name or the IP address that the certificate must contain. */
  readonly serverName: string;
}

const defaultPort = 443;

/** Returns the port of the Service of a webhook. */
export function servicePort({ port }: WebhookService): number {
  return port === undefined || port === 0 ? defaultPort : port;
}

/**
 * Returns the address of a webhook. As in a kube-apiserver, the path does not end with a slash, and a query is dropped. Returns undefined
 * if the configuration has no valid URL and no Service.
 */
export function webhookAddress({ url, service }: WebhookClientConfig): WebhookAddress | undefined {
  if (service !== undefined) {
    const serverName = `${service.name}.${service.namespace}.svc`;
    return { origin: `https://${serverName}:${servicePort(service)}`, path: cleanPath(service.path ?? ''), serverName };
  }
  if (url === undefined || !URL.canParse(url)) return undefined;
  const { host, hostname, pathname, protocol } = new URL(url);
  // The URL class drops the default port. The errors of a kube-apiserver contain the default port if the configured URL contains this port.
  const isDefaultPort =
    protocol === 'https:' && new RegExp(`^https://[^/?#]*:${defaultPort}(?:[/?#]|$)`, 'i').test(url);
  return {
    origin: `${protocol}//${host}${isDefaultPort ? `:${defaultPort}` : ''}`,
    path: cleanPath(pathname),
    serverName: hostname.replace(/^\[|\]$/g, ''),
  };
}

function cleanPath(path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  return `/${segments.join('/')}`;
}
