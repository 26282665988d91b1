import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { parseJson } from '@kubewright/api/json';
import type { JsonObject } from '../registry/objects/api-object.js';
import { objectAt } from '../registry/objects/json-object.js';
import { TestAuthority } from '../registry/webhooks/certificates.test.support.js';

/** Returns the fields of the response to the request of a review. */
export type Reply = (request: JsonObject) => JsonObject | Promise<JsonObject>;

/** A webhook server that records the requests of its reviews. */
export interface WebhookServer {
  readonly server: Server;
  readonly requests: readonly JsonObject[];
  readonly clientConfig: JsonObject;
}

/** Starts a webhook server that answers reviews with `reply`. The server stops with the test. */
export async function webhookServer(t: TestContext, reply: Reply): Promise<WebhookServer> {
  const authority = await TestAuthority.create();
  const requests: JsonObject[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const review = parseJson(Buffer.concat(chunks)) as JsonObject;
    const sent = objectAt(review, 'request');
    requests.push(sent);
    const verdict = { allowed: true, ...(await reply(sent)), uid: sent['uid'] };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ apiVersion: review['apiVersion'], kind: review['kind'], response: verdict }));
  };
  const pair = await authority.issue({ addresses: ['127.0.0.1'] });
  const server = createServer(pair, (request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { server, requests, clientConfig: { url: `https://127.0.0.1:${port}/`, caBundle: authority.caBundle } };
}

/** Returns the fields of a response that changes the object. */
export function patch(operations: readonly JsonObject[]): JsonObject {
  return { patch: Buffer.from(JSON.stringify(operations)).toString('base64'), patchType: 'JSONPatch' };
}
