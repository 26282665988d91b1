import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { ScriptedServer } from '../../test-support/scripted-server.js';
import { Planning } from './planning.js';
import { PlanningTransport } from './planning-transport.js';

const PATH = '/apis/shop.example.com/v1/namespaces/a/orders/one';

type Order = KubeObject & { readonly spec: { readonly size: number }; readonly status?: { readonly phase: string } };

function order(size: number, phase?: string): Order {
  return {
    apiVersion: 'shop.example.com/v1',
    kind: 'Order',
    metadata: { name: 'one', namespace: 'a' },
    spec: { size },
    ...(phase !== undefined && { status: { phase } }),
  } as unknown as Order;
}
/** Passes an order to `suppose`, and returns the resulting order. The server rejects reads of the definition of the kind. */
async function supposed(given: Order, existing: Order | undefined): Promise<Order> {
  await using server = await ScriptedServer.start();
  await using transport = new PlanningTransport({ server: server.url }, { planning: new Planning() });
  const result = transport.suppose(PATH, given);
  const read = await server.next();
  if (existing === undefined) read.status(404, 'NotFound');
  else read.json(200, { ...existing, metadata: { ...existing.metadata, uid: 'u', resourceVersion: '5' } });
  (await server.next()).status(403, 'Forbidden');
  return (await result) as Order;
}

test('suppose() keeps the status of an existing object, even if the definition of its kind cannot be read', async () => {
  for (const phase of ['Shipped', undefined]) {
    const { spec, status } = await supposed(order(2, 'New'), order(1, phase));
    assert.deepEqual([spec.size, status?.phase], [2, phase]);
  }
});

test('suppose() keeps the given status if the object does not exist and the definition of its kind cannot be read', async () => {
  assert.equal((await supposed(order(2, 'New'), undefined)).status?.phase, 'New');
});
