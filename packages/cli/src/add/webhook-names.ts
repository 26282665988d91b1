import { kebabCase } from 'create-operator';
import type { WebhookDecorator } from './source/kind-declarations.js';

/** Returns the class name of a webhook: `Website` → `WebsiteValidator`. */
export function webhookClass(name: string, decorator: WebhookDecorator): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return `${words.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`).join('')}${decorator}`;
}

/** Returns the path of a webhook: `src/webhooks/website-validator.ts`. */
export function webhookPath(name: string, decorator: WebhookDecorator): string {
  return `src/webhooks/${kebabCase(name)}-${decorator.toLowerCase()}.ts`;
}

/** Returns the alternative class name of a webhook, with the group as a prefix: `BillingInvoiceValidator`. */
export function otherWebhookName(group: string, kind: string, decorator: WebhookDecorator): string {
  return webhookClass(`${group.split('.')[0]}-${kind}`, decorator);
}
