import type { ValidatingWebhook, WebhookClientConfig } from '@kubewright/api/admissionregistration/v1';
import { ConfigMap } from '@kubewright/api/core/v1';
import { ApiError } from '@kubewright/api/errors';
import type { Client } from '../client/client.js';
import { isInternalError } from '../client/until-listed.js';
import type { RequestHandler } from '../serving/http-endpoint.js';

/** The HTTP path of the webhook that answers probes. */
export const PROBE_PATH = '/registered';
/** A label on the object of a probe. The API server sends the object to the webhook of the probe that has the same label value. */
export const PROBE_LABEL = 'kubewright.dev/webhook-probe';
/** The reason with which the webhook of a probe rejects requests. */
const REASON = 'WebhooksRegistered';

/** A probe of webhooks that are registered by URL. */
export interface WebhookProbe {
  /** A value that no other probe on the server has. Only objects with this value as a label are sent to the webhook of the probe. */
  readonly label: string;
  /** The namespace of the probe, which must exist. */
  readonly namespace: string;
}

/** The result of a probe. */
export type ProbeResult =
  /** The API server called the webhook. */
  | { readonly type: 'called' }
  /** The API server does not use the configuration of the webhook yet. */
  | { readonly type: 'unused' }
  /** The API server could not call the webhook, or rejected the probe for another reason. */
  | { readonly type: 'failed'; readonly error: ApiError; readonly isFailedCall: boolean };

/**
 * Returns a webhook that the API server calls only for a probe. If the call fails, the API server rejects the probe. No other request is
 * affected.
 */
export function probeWebhook(
  { label }: Pick<WebhookProbe, 'label'>,
  clientConfig: WebhookClientConfig,
): ValidatingWebhook {
  return {
    name: 'probe.webhooks.kubewright.dev',
    admissionReviewVersions: ['v1'],
    clientConfig,
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
    objectSelector: { matchLabels: { [PROBE_LABEL]: label } },
    failurePolicy: 'Fail',
    sideEffects: 'None',
    timeoutSeconds: 5,
  };
}

/**
 * Creates an object with the label of the probe in a dry run, so that no object is stored. Returns whether the API server called the
 * webhook of the probe. Rejects if the request has no response.
 */
export async function sendProbe(client: Client, { label, namespace }: WebhookProbe): Promise<ProbeResult> {
  const metadata = { generateName: 'probe-', namespace, labels: { [PROBE_LABEL]: label } };
  try {
    await client.with({ dryRun: true }).create(new ConfigMap({ metadata }));
    return { type: 'unused' };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.reason === REASON) return { type: 'called' };
    return { type: 'failed', error, isFailedCall: isInternalError(error) };
  }
}

/** Responds to probes at `PROBE_PATH`. Rejects the object of each request, because the API server sends only objects of probes. */
export const answerProbe: RequestHandler = async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const review = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { readonly request?: { readonly uid?: string } };
  const status = { code: 403, reason: REASON, message: 'the webhooks are registered' };
  const answer = { uid: review.request?.uid ?? '', allowed: false, status };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: answer }));
};
