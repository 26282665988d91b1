// TS2561: Object literal may only specify known properties, but 'replica' does not exist in type '{ readonly replicas?: number | undefined; }'. Did you mean to write 'replicas'?
import type { Deployment } from '@kubewright/api/apps/v1';
import type { Client } from '@kubewright/runtime';
export async function scale(client: Client, deployment: Deployment): Promise<void> {
  await client.subresource(deployment, 'scale').update({ spec: { replica: 3 } });
}
