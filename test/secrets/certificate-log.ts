import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { SystemClock } from '@kubewright/api/clock';
import { Metrics, PinoLogger } from '@kubewright/runtime';
import { ManagedCertificates, Transport } from '@kubewright/runtime/internal';

/** The Secret that the server returns, and its name. */
interface Stored {
  readonly name: string;
  /** The base name of the operator to which the Secret belongs. */
  readonly operator: string;
  readonly data: Readonly<Record<string, string>>;
}

/**
 * Returns the log and the errors of webhook certificates that read a Secret. The server rejects every write with a message that contains
 * the request body, like a webhook.
 */
export async function certificateLog(stored: Stored): Promise<string> {
  const lines: string[] = [];
  const logged = new AbortController();
  const write = (line: string): void => {
    lines.push(line);
    if (line.includes('cannot read or renew')) logged.abort();
  };
  const logger = await PinoLogger.create({ level: 'debug', format: 'json', destination: { write } });
  const server = createServer((request, response) => void respond(stored, request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await using transport = new Transport({ server: `http://127.0.0.1:${port}` });
  const options = { name: 'shop', namespace: 'default', secret: stored.name, injectInto: () => ({}) };
  const using = { transport: async () => transport, clock: new SystemClock(), logger, metrics: new Metrics() };
  await using certificates = new ManagedCertificates(options, using);
  try {
    await certificates.start(logged.signal);
  } catch (error) {
    lines.push(inspect(error));
  } finally {
    server.closeAllConnections();
    server.close();
  }
  return lines.join('');
}

async function respond(stored: Stored, request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  response.setHeader('content-type', 'application/json');
  if (request.method === 'GET') {
    const annotations = { 'kubewright.dev/certificates-of': stored.operator };
    const metadata = { name: stored.name, namespace: 'default', resourceVersion: '1', annotations };
    response.end(JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata, data: stored.data }));
    return;
  }
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'Invalid', code: 422 };
  response.writeHead(422);
  response.end(JSON.stringify({ ...status, message: `admission webhook denied the request: ${body}` }));
}
