import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { frontProxy } from '../registry/aggregation/front-proxy.js';
import { TestAuthority } from '../registry/webhooks/certificates.test.support.js';
import { ApiServer } from './api-server.js';
import { type Json, RawClient } from './raw-client.test.support.js';

export const group = 'zoo.example.com';
export const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';
export const root = `/apis/${group}/v1`;
const service = { namespace: 'default', name: 'zoo' };

/** Answers a request to the extension API server. */
export type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** An extension API server, and an API server that aggregates it. */
export interface Aggregated {
  readonly server: ApiServer;
  readonly client: RawClient;
  readonly extension: Server;
  readonly port: number;
  readonly caBundle: string;
  /** Resolves when the condition Available of the APIService has the reason, and returns the condition. */
  readonly until: (reason: string) => Promise<Json>;
}

/** Returns the resources of the extension API server. */
export const resources = [
  { name: 'animals', singularName: 'animal', namespaced: true, kind: 'Animal', verbs: ['get', 'list', 'watch'] },
  { name: 'animals/status', singularName: '', namespaced: true, kind: 'Animal', verbs: ['get'] },
];

/** Sends a value as JSON. */
export function sendJson(response: ServerResponse, value: unknown, contentType = 'application/json'): void {
  response.setHeader('content-type', contentType);
  response.end(JSON.stringify(value));
}

/**
 * Runs an extension API server that requires the certificate of the front proxy, and an API server with an APIService for it. The extension
 * API server answers the request of its resource list itself.
 */
export async function aggregated(
  handle: Handle,
  run: (aggregated: Aggregated) => Promise<void>,
  version = 'v1',
  spec: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const authority = await TestAuthority.create();
  const pair = await authority.issue({ hosts: ['zoo.default.svc'] });
  const ca = frontProxy().certificateAuthority;
  const extension = createServer({ ...pair, ca, requestCert: true, rejectUnauthorized: true }, (request, response) => {
    if (request.url !== root) return handle(request, response);
    sendJson(response, { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: `${group}/v1`, resources });
  });
  extension.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    const user = String(request.headers['x-remote-user']);
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: echo\r\nuser: ${user}\r\n\r\n`);
    socket.pipe(socket);
    socket.on('error', () => undefined);
  });
  extension.listen(0, 'localhost');
  await once(extension, 'listening');
  const { port } = extension.address() as AddressInfo;
  try {
    await using server = await ApiServer.start();
    const client = new RawClient(server);
    const external = { type: 'ExternalName', externalName: 'localhost' };
    await client.post('/api/v1/namespaces/default/services', { metadata: { name: service.name }, spec: external });
    const { caBundle } = authority;
    await client.post(apiServices, {
      metadata: { name: `${version}.${group}` },
      spec: {
        group,
        version,
        groupPriorityMinimum: 2000,
        versionPriority: 10,
        service: { ...service, port },
        caBundle,
        ...spec,
      },
    });
    const until = (reason: string): Promise<Json> => conditionWith(client, `${version}.${group}`, reason);
    await run({ server, client, extension, port, caBundle, until });
  } finally {
    extension.closeAllConnections();
    extension.close();
  }
}

async function conditionWith(client: RawClient, name: string, reason: string): Promise<Json> {
  for await (const { object } of client.watch(`${apiServices}?watch=true&fieldSelector=metadata.name=${name}`)) {
    const { conditions = [] } = (object['status'] ?? {}) as { readonly conditions?: readonly Json[] };
    const found = conditions.find((condition) => condition['reason'] === reason);
    if (found !== undefined) return found;
  }
  throw new Error('the watch has ended');
}

/** Returns the subject of the client certificate of a request. */
export function clientSubject(request: IncomingMessage): string | undefined {
  return (request.socket as TLSSocket).getPeerX509Certificate()?.subject;
}
