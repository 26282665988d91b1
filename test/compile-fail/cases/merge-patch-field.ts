// TS2769: No overload matches this call.
//   The last overload gave the following error.
//     Object literal may only specify known properties, but 'pause' does not exist in type '{ readonly minReadySeconds?: number | null | undefined; readonly paused?: boolean | null | undefined; readonly progressDeadlineSeconds?: number | null | undefined; readonly replicas?: number | null | undefined; readonly revisionHistoryLimit?: number | ... 1 more ... | undefined; readonly selector?: { ...; } | ... 1 ...'. Did you mean to write 'paused'?
import type { Deployment } from '@kubewright/api/apps/v1';
import type { Client } from '@kubewright/runtime';
export async function pause(client: Client, deployment: Deployment): Promise<void> {
  await client.patch(deployment, { merge: { spec: { pause: true } } });
}
