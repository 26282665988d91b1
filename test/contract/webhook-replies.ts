import type { Json } from './json.js';
import type { WebhookReply } from './webhook-server.js';

/** Returns a reply whose response has the given fields and the uid of the request. */
export function respond(response: object, review: object = {}): WebhookReply {
  return ({ apiVersion, request }: Json) => ({
    body: { apiVersion, kind: 'AdmissionReview', response: { uid: request.uid, ...response }, ...review },
  });
}

/** Returns a reply that allows the request. */
export function allow(more: object = {}): WebhookReply {
  return respond({ allowed: true, ...more });
}

/** Returns a reply that denies the request with a Status, if given. */
export function deny(status?: object, more: object = {}): WebhookReply {
  return respond({ allowed: false, ...(status !== undefined && { status }), ...more });
}

/** Returns a reply that allows the request and changes the object with a JSON patch. */
export function mutate(operations: readonly object[], more: object = {}): WebhookReply {
  return allow({ patchType: 'JSONPatch', patch: base64(JSON.stringify(operations)), ...more });
}

/** Returns a reply that adds a label to an object that has labels. */
export function label(key: string, value = 'yes'): WebhookReply {
  return mutate([{ op: 'add', path: `/metadata/labels/${key}`, value }]);
}

export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
