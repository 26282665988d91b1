import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isConditionTrue } from '@kubewright/api';
import { Deployment } from '@kubewright/api/apps/v1';
import { explore, TestEnvironment } from '@kubewright/testing';
import { Invoice } from '../api/billing/v1beta1/invoice.js';
import { InvoiceController } from './invoice-controller.js';

const sample = new Invoice({ metadata: { name: 'sample', namespace: 'default' }, spec: { replicas: 2 } });

test('Invoice becomes ready, follows its spec, and is deleted with its Deployment', async () => {
  await using env = await TestEnvironment.start({ kinds: [Invoice], workloads: true, objects: [sample] });
  await env.run(InvoiceController);
  const invoice = await env.until(sample, (seen) => isConditionTrue(seen, 'Ready'));
  assert.equal(invoice.status?.readyReplicas, 2);

  await env.client.patch(invoice, (draft) => {
    draft.spec.replicas = 3;
  });
  await env.until(invoice, ({ status }) => status?.readyReplicas === 3);

  await env.client.delete(invoice);
  await env.untilDeleted(invoice);
  await env.settled();
  assert.deepEqual(await env.client.list(Deployment), []);
});

test('InvoiceController satisfies the rules of operators in generated histories', async () => {
  await explore({ kinds: [Invoice], controllers: [InvoiceController], samples: [sample], budget: '10s' });
});
