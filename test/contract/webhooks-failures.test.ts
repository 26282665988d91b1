import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { servingCertificate } from '@kubewright/apiserver/internal';
import type { ContractApi } from './contract-api.js';
import { contract } from './contract.js';
import { configMap, configMaps, type HookFields, hooked, type Hooks } from './hooks.js';
import { selectedServer } from '../server/selected-server.js';
import { allow, respond } from './webhook-replies.js';
import type { WebhookReply } from './webhook-server.js';

const quiet = { quiet: true };
const whole = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' };

const fixed =
  (body: unknown, status = 200, headers?: Readonly<Record<string, string>>): WebhookReply =>
  () => ({ status, body, ...(headers && { headers }) });
const denial = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'own', reason: 'Forbidden', code: 403 };

/**
 * Waits for the response 504. In a real server, the handler and the filter for timeouts respond at the same time, with different messages and
 * content types. If both have started to respond, the filter closes the connection.
 */
async function timesOut(sent: Promise<{ readonly status: number }>): Promise<void> {
  const outcome = await sent.then(
    ({ status }) => status,
    (error: Error & { readonly code?: string }) => error.code,
  );
  const isClosed = outcome === 'ECONNRESET' && selectedServer() !== 'embedded';
  if (!isClosed) assert.equal(outcome, 504);
}

/** Replies that are failures of a call. */
const failures: Readonly<Record<string, WebhookReply>> = {
  'a response 500': fixed('broken', 500, { 'content-type': 'text/plain' }),
  'a response 500 with a Status': fixed({ ...denial, code: 500 }, 500),
  'a response 400': fixed('bad', 400, { 'content-type': 'text/plain' }),
  'a response 401': fixed('', 401, { 'content-type': 'text/plain' }),
  'a response 403 with a Status': fixed(denial, 403),
  'a response 404': fixed('not here', 404, { 'content-type': 'text/plain' }),
  'a response 409': fixed('conflict', 409, { 'content-type': 'text/plain' }),
  'a response 415': fixed('unsupported', 415, { 'content-type': 'text/plain' }),
  'a response 504': fixed('late', 504, { 'content-type': 'text/plain' }),
  'a response 204': fixed(undefined, 204, {}),
  'an empty body': fixed(''),
  'an empty object': fixed({}),
  'a body that is not JSON': fixed('<html></html>', 200, { 'content-type': 'text/html' }),
  'incomplete JSON': fixed('{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview"'),
  'JSON that is not an object': fixed('[]'),
  'a body that is null': fixed('null'),
  'a response without a response field': fixed(whole),
  'a response that is null': fixed({ ...whole, response: null }),
  'a wrong uid': respond({ uid: 'other', allowed: true }),
  'an absent uid': fixed({ ...whole, response: { allowed: true } }),
  'a wrong kind': respond({ allowed: true }, { kind: 'Review' }),
  'a wrong apiVersion': respond({ allowed: true }, { apiVersion: 'admission.k8s.io/v1beta1' }),
  'an unknown apiVersion': respond({ allowed: true }, { apiVersion: 'admission.k8s.io/v9' }),
  'an absent apiVersion and kind': respond({ allowed: true }, { apiVersion: undefined, kind: undefined }),
  'a Status instead of a review': fixed(denial),
  'a field of the wrong type': respond({ allowed: 'yes' }),
  'a status of the wrong type': respond({ allowed: false, status: 'no' }),
  'warnings of the wrong type': respond({ allowed: true, warnings: 'text' }),
  'a closed connection': () => 'cut',
};

/** Calls a webhook that fails, as validating and as mutating webhook, with both failure policies. */
async function failing(api: ContractApi, hooks: Hooks, fields: HookFields): Promise<void> {
  for (const kind of ['validating', 'mutating'] as const) {
    for (const failurePolicy of ['Fail', 'Ignore']) {
      const path = await hooks.install(kind, { hooks: [{ ...fields, failurePolicy }] });
      await api.post(configMaps(api), configMap(`${kind}-${failurePolicy.toLowerCase()}`), { only: outcome });
      await hooks.remove(path);
    }
  }
}
const outcome = ['kind', 'metadata.name', 'message', 'reason', 'code', 'details', 'status'];

/** Returns a URL of a port on which no program listens. */
async function closedUrl(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `https://127.0.0.1:${port}/closed`;
}

contract(
  'webhooks-failures',
  { webhooks: true },
  {
    ...Object.fromEntries(
      Object.entries(failures).map(([what, reply]) => [
        `applies the failurePolicy to ${what}`,
        hooked((api, hooks) => failing(api, hooks, { reply })),
      ]),
    ),
    'applies the failurePolicy to a refused connection': hooked(async (api, hooks) => {
      const clientConfig = { url: await closedUrl(), caBundle: hooks.server.caBundle };
      await failing(api, hooks, { clientConfig });
    }),
    'applies the failurePolicy to a timeout': hooked(async (api, hooks) => {
      await failing(api, hooks, { reply: () => 'never', timeoutSeconds: 1 });
    }),
    'fails a request whose timeout ends before the timeout of a webhook': hooked(async (api, hooks) => {
      for (const kind of ['validating', 'mutating'] as const) {
        for (const failurePolicy of ['Fail', 'Ignore']) {
          const path = await hooks.install(kind, { hooks: [{ reply: () => 'never', failurePolicy }] });
          await timesOut(api.post(`${configMaps(api)}?timeout=500ms`, configMap('a'), quiet));
          await hooks.remove(path);
          await api.get(`${configMaps(api)}/a`, { only: ['reason'] });
        }
      }
    }),
    'rejects a request if the authority in caBundle did not sign the certificate of the webhook': hooked(
      async (api, hooks) => {
        const { certificateAuthority } = servingCertificate('other.example.com');
        const caBundle = Buffer.from(certificateAuthority).toString('base64');
        api.mask(caBundle, '<other ca>');
        const clientConfig = { url: hooks.server.url('/check'), caBundle };
        await hooks.validate({ clientConfig });
        await api.post(configMaps(api), configMap('a'), { only: ['code', 'reason'] });
      },
    ),
    'applies the failurePolicy if there is no caBundle and no known authority signed the certificate': hooked(
      async (api, hooks) => {
        await failing(api, hooks, { clientConfig: { url: hooks.server.url('/check') } });
      },
    ),
    'applies the failurePolicy to a caBundle that is not PEM': hooked(async (api, hooks) => {
      const caBundle = Buffer.from('not PEM').toString('base64');
      await failing(api, hooks, { clientConfig: { url: hooks.server.url('/check'), caBundle } });
    }),
    'applies the failurePolicy to a server without TLS': hooked(async (api, hooks) => {
      const server = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const clientConfig = { url: `https://127.0.0.1:${port}/plain`, caBundle: hooks.server.caBundle };
      await failing(api, hooks, { clientConfig });
      server.close();
    }),
    'applies the failurePolicy to a Service that does not exist': hooked(async (api, hooks) => {
      const service = { namespace: api.namespace, name: 'none', path: '/check' };
      await failing(api, hooks, { clientConfig: { service, caBundle: hooks.server.caBundle } });
    }),
    'applies the failurePolicy to a Service that does not have the port of the webhook': hooked(async (api, hooks) => {
      const spec = { ports: [{ port: 443 }], selector: { app: 'none' } };
      await api.post(`/api/v1/namespaces/${api.namespace}/services`, { metadata: { name: 's' }, spec }, quiet);
      const service = { namespace: api.namespace, name: 's', port: 8443 };
      await failing(api, hooks, { clientConfig: { service, caBundle: hooks.server.caBundle } });
    }),
    'applies the failurePolicy to a Service with an external name': hooked(async (api, hooks) => {
      const spec = { type: 'ExternalName', externalName: 'localhost', ports: [{ port: 443 }] };
      await api.post(`/api/v1/namespaces/${api.namespace}/services`, { metadata: { name: 's' }, spec }, quiet);
      const service = { namespace: api.namespace, name: 's', port: 8443 };
      await failing(api, hooks, { clientConfig: { service, caBundle: hooks.server.caBundle } });
    }),
    'follows a redirect of a webhook': hooked(async (api, hooks) => {
      hooks.server.reply('/target', allow());
      const location = { location: hooks.server.url('/target') };
      await failing(api, hooks, { reply: fixed('', 307, location) });
      hooks.reviews({ only: ['kind'] });
    }),
    'follows a redirect of a webhook with a GET request': hooked(async (api, hooks) => {
      hooks.server.reply('/target', fixed({}));
      const location = { location: hooks.server.url('/target') };
      await failing(api, hooks, { reply: fixed('', 302, location) });
      const calls = hooks.server.takeCalls().map(({ method, target }) => `${method} ${target}`);
      api.received('calls of the webhook', calls);
    }),
    'stops after ten redirects': hooked(async (api, hooks) => {
      await failing(api, hooks, { reply: fixed('', 307, { location: hooks.server.url('/check') }) });
      api.received('number of calls of the webhook', hooks.server.takeCalls().length);
    }),
    'accepts a response of a webhook with another content type': hooked(async (api, hooks) => {
      const reply: WebhookReply = ({ apiVersion, request }) => ({
        headers: { 'content-type': 'text/plain' },
        body: { apiVersion, kind: 'AdmissionReview', response: { uid: request.uid, allowed: true } },
      });
      await failing(api, hooks, { reply });
    }),
    'accepts a response of a webhook with status 201': hooked(async (api, hooks) => {
      const reply: WebhookReply = ({ apiVersion, request }) => ({
        status: 201,
        body: { apiVersion, kind: 'AdmissionReview', response: { uid: request.uid, allowed: true } },
      });
      await failing(api, hooks, { reply });
    }),
    'accepts a response of a webhook in YAML': hooked(async (api, hooks) => {
      const reply: WebhookReply = ({ apiVersion, request }) => ({
        headers: { 'content-type': 'application/yaml' },
        body: `apiVersion: ${apiVersion}\nkind: AdmissionReview\nresponse:\n  uid: ${request.uid}\n  allowed: true\n`,
      });
      await failing(api, hooks, { reply });
    }),
    'accepts a large response of a webhook': hooked(async (api, hooks) => {
      await failing(api, hooks, { reply: allow({ auditAnnotations: { large: 'x'.repeat(2_000_000) } }) });
    }),
    'accepts a review that contains both the response and the request': hooked(async (api, hooks) => {
      const reply: WebhookReply = (review) => ({
        body: { ...review, response: { uid: review.request.uid, allowed: true } },
      });
      await failing(api, hooks, { reply });
    }),
    'continues with the next mutating webhook after an ignored failure': hooked(async (api, hooks) => {
      await hooks.mutate({ name: 'first', failurePolicy: 'Ignore', reply: fixed('', 500) }, { name: 'second' });
      await api.post(configMaps(api), configMap('a'), quiet);
      hooks.reviews({ only: ['kind'] });
    }),
    'calls no further webhooks after a mutating webhook fails': hooked(async (api, hooks) => {
      await hooks.mutate({ name: 'first', reply: fixed('', 500) }, { name: 'second' });
      await api.post(configMaps(api), configMap('a'), quiet);
      hooks.reviews({ only: ['kind'] });
    }),
    'rejects requests of each verb if the webhook fails': hooked(async (api, hooks) => {
      await api.post(configMaps(api), configMap('a'), quiet);
      await hooks.validate({ reply: fixed('', 500) });
      await api.put(configMaps(api, 'a'), configMap('a', { k: 'w' }));
      await api.patch(configMaps(api, 'a'), { data: { k: 'w' } });
      await api.delete(configMaps(api, 'a'));
      await api.get(configMaps(api, 'a'), { only: ['data'] });
    }),
    'calls a webhook whose sideEffects are NoneOnDryRun in a dry run': hooked(async (api, hooks) => {
      await hooks.validate({ sideEffects: 'NoneOnDryRun' });
      await api.post(`${configMaps(api)}?dryRun=All`, configMap('a'), { only: outcome });
      hooks.reviews({ only: ['request.dryRun'] });
    }),
  },
);
