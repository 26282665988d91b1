import type { InspectedAdmissionWebhook, InspectedWebhooks } from '../project/inspected-project.js';

/**
 * Returns a description of webhooks: 'defaulting of Website; validation of Website; conversion of Website'. Returns undefined if there are
 * no webhooks.
 */
export function webhookSummary(webhooks: InspectedWebhooks | undefined): string | undefined {
  const { admission = [], conversions = [] } = webhooks ?? {};
  const of = (type: InspectedAdmissionWebhook['type']): readonly string[] =>
    admission.filter((each) => each.type === type).map(targetOf);
  const parts = [
    listed('defaulting', of('mutating')),
    listed('validation', of('validating')),
    listed(
      'conversion',
      conversions.map(({ hub }) => hub.kind),
    ),
  ].flatMap((part) => part ?? []);
  return parts.length === 0 ? undefined : parts.join('; ');
}

/** Returns the lines that explain why a cluster does not call the webhooks of the operator. `summary` describes the webhooks. */
export function notRegistered(summary: string): readonly string[] {
  return [
    `the webhooks are not registered in the cluster: ${summary}`,
    'to register them, pass --webhook-address HOST with an address of this machine that the cluster can reach',
  ];
}

/**
 * Returns the requests that the API server rejects while the operator does not run, one line each: requests that a webhook with the failure
 * policy Fail handles, and requests that need a conversion.
 */
export function rejectedWithoutOperator(webhooks: InspectedWebhooks | undefined): readonly string[] {
  const { admission = [], conversions = [] } = webhooks ?? {};
  const required = admission.filter(({ failurePolicy }) => failurePolicy === 'Fail');
  const kinds = [...new Set(required.map(targetOf))];
  const rejected = kinds.map((kind) => {
    const operations = required.filter((each) => targetOf(each) === kind).flatMap((each) => each.operations);
    return `until the operator runs again, the API server rejects ${[...new Set(operations)].join(', ')} of ${kind}: the failurePolicy of its webhooks is Fail`;
  });
  const unconverted = conversions.map(
    ({ hub, spokes }) =>
      `until the operator runs again, the API server cannot convert ${hub.kind} between ${[hub, ...spokes].map(({ version }) => version).join(', ')}`,
  );
  return [...rejected, ...unconverted];
}

function listed(what: string, kinds: readonly string[]): string | undefined {
  return kinds.length === 0 ? undefined : `${what} of ${[...new Set(kinds)].join(', ')}`;
}
function targetOf({ kind, subresource }: InspectedAdmissionWebhook): string {
  return subresource === undefined ? kind.kind : `${kind.kind}/${subresource}`;
}
