import { get as httpGet, type IncomingHttpHeaders } from 'node:http';
import { get as httpsGet } from 'node:https';

/** The response of a server. */
export interface FetchedText {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The fingerprint of the certificate of the server. Undefined without TLS. */
  readonly fingerprint: string | undefined;
}
export interface FetchOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The certificate to trust, in PEM format. @default the certificate of an HTTPS server is not verified */
  readonly ca?: string;
}

/** Sends a request to a local endpoint on a new connection. Rejects if no server listens or the certificate is not trusted. */
export function fetchText(url: string, options: FetchOptions = {}): Promise<FetchedText> {
  const { ca, ...rest } = options;
  const isSecure = url.startsWith('https:');
  const tls = ca === undefined ? { rejectUnauthorized: false } : { ca };
  return new Promise((resolve, reject) => {
    const request = (isSecure ? httpsGet : httpGet)(url, { ...rest, agent: false, ...(isSecure && tls) }, (answer) => {
      const { socket } = answer;
      const certificate =
        'getPeerX509Certificate' in socket
          ? (socket as { getPeerX509Certificate(): { fingerprint256: string } | undefined }).getPeerX509Certificate()
          : undefined;
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text: Buffer.concat(chunks).toString('utf8'),
          fingerprint: certificate?.fingerprint256,
        }),
      );
      answer.on('error', reject);
    });
    request.on('error', reject);
  });
}
