import { setTimeout as sleep } from 'node:timers/promises';
import { ValidatingWebhookConfiguration } from '@kubewright/api/admissionregistration/v1';
import { SystemClock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import {
  answerProbe,
  HttpEndpoint,
  PROBE_PATH,
  probeWebhook,
  sendProbe,
  SilentLogger,
} from '@kubewright/runtime/internal';
import type { KubeApi } from '../deploy/kube-api.js';
import { describeCluster } from '../deploy/target.js';
import { type SessionKey, sessionMetadata } from '../dev-sessions/session-objects.js';
import type { LocalWebhooks } from './local-webhooks.js';

/** The number of calls that must fail before the address counts as unreachable. */
const MAX_FAILED_CALLS = 2;
/** The maximum time in milliseconds until the API server uses the configuration of the probe. */
const TIME_LIMIT_MS = 30_000;
const RETRY_MS = 100;

/** The options of `probeAddress`. */
export interface ProbeAddressOptions {
  /** The address on which this process listens during the probe, and the certificate. */
  readonly local: LocalWebhooks;
  /** The URL at which the API server calls webhooks, without a path. */
  readonly url: string;
  readonly session: SessionKey;
  /** The name of the webhook configuration for the probe. */
  readonly name: string;
  /** The namespace of the probe. */
  readonly namespace: string;
  readonly signal: AbortSignal;
}

/**
 * Checks that the API server can call webhooks at an address of this machine. Listens on the address, and sends a request that the API
 * server must review with a webhook at the URL. The request is a dry run, and the webhook matches only this request. Removes the webhook
 * at the end.
 * @throws KubewrightError WEBHOOKS_UNREACHABLE if the API server cannot call the webhook, and ADDRESS_IN_USE or CANNOT_LISTEN if this
 *   process cannot listen
 */
export async function probeAddress(
  api: KubeApi,
  { local, url, session, name, namespace, signal }: ProbeAddressOptions,
): Promise<void> {
  const { host, port, keyPair } = local;
  await using endpoint = new HttpEndpoint(
    { name: 'webhooks', portOption: 'the port of --webhook-address', port, host, keyPair },
    { clock: new SystemClock(), logger: new SilentLogger(), handler: answerProbe },
  );
  await endpoint.listen();
  const caBundle = Buffer.from(keyPair.cert).toString('base64');
  const webhook = probeWebhook({ label: session.id }, { url: `${url}${PROBE_PATH}`, caBundle });
  const configuration = await api.client.create(
    new ValidatingWebhookConfiguration({ metadata: { name, ...sessionMetadata(session) }, webhooks: [webhook] }),
  );
  try {
    await untilCalled(api, { url, label: session.id, namespace, signal });
  } finally {
    await api.client.delete(configuration);
  }
}

async function untilCalled(
  api: KubeApi,
  {
    url,
    label,
    namespace,
    signal,
  }: Pick<ProbeAddressOptions, 'url' | 'namespace' | 'signal'> & { readonly label: string },
): Promise<void> {
  const end = performance.now() + TIME_LIMIT_MS;
  let failedCalls = 0;
  for (;;) {
    signal.throwIfAborted();
    const result = await sendProbe(api.client, { label, namespace });
    if (result.type === 'called') return;
    if (result.type === 'failed') {
      if (!result.isFailedCall) throw result.error;
      failedCalls++;
      if (failedCalls >= MAX_FAILED_CALLS)
        throw unreachable(api, url, result.error.body.message ?? result.error.message);
    } else if (performance.now() >= end) {
      throw unreachable(api, url, `it does not use a new webhook configuration within ${TIME_LIMIT_MS / 1000} s`);
    }
    await sleep(RETRY_MS, undefined, { signal });
  }
}

function unreachable({ connection }: KubeApi, url: string, reason: string): KubewrightError {
  return new KubewrightError(
    'WEBHOOKS_UNREACHABLE',
    `the API server of ${describeCluster(connection)} cannot call webhooks at ${url}: ${reason}; set --webhook-address to an address of this machine that the API server can reach, allow the port in the firewall of this machine, or omit --webhook-address to run without webhooks`,
  );
}
