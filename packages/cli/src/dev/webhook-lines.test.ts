import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InspectedAdmissionWebhook, InspectedWebhooks } from '../project/inspected-project.js';
import { rejectedWithoutOperator, webhookSummary } from './webhook-lines.js';

const kind = (version: string) => ({ group: 'example.com', version, kind: 'Website' });
const webhook = (more: Partial<InspectedAdmissionWebhook>): InspectedAdmissionWebhook => ({
  type: 'validating',
  name: 'validate.website.v1.example.com',
  path: '/validate',
  kind: kind('v1'),
  operations: ['CREATE'],
  failurePolicy: 'Fail',
  sideEffects: 'None',
  timeoutSeconds: 10,
  matchPolicy: 'Equivalent',
  matchConditions: [],
  ...more,
});
const webhooks: InspectedWebhooks = {
  port: 9443,
  admission: [
    webhook({ type: 'mutating', operations: ['CREATE', 'UPDATE'] }),
    webhook({ operations: ['DELETE'] }),
    webhook({ subresource: 'scale', failurePolicy: 'Ignore' }),
  ],
  conversions: [{ hub: kind('v2'), spokes: [kind('v1')], path: '/convert' }],
  certificates: { source: 'manager' },
};

test('webhookSummary lists the kinds by the type of the webhook', () => {
  assert.equal(
    webhookSummary(webhooks),
    'defaulting of Website; validation of Website, Website/scale; conversion of Website',
  );
  assert.equal(webhookSummary({ ...webhooks, admission: [] }), 'conversion of Website');
  assert.equal(webhookSummary({ ...webhooks, admission: [], conversions: [] }), undefined);
  assert.equal(webhookSummary(undefined), undefined);
});

test('rejectedWithoutOperator lists the requests whose webhooks have the failure policy Fail, and the conversions', () => {
  assert.deepEqual(rejectedWithoutOperator(webhooks), [
    'until the operator runs again, the API server rejects CREATE, UPDATE, DELETE of Website: the failurePolicy of its webhooks is Fail',
    'until the operator runs again, the API server cannot convert Website between v2, v1',
  ]);
  assert.deepEqual(rejectedWithoutOperator(undefined), []);
});
