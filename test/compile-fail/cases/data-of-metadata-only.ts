// TS2339: Property 'data' does not exist on type 'MetadataOnly<Secret>'.
import { metadataOnly } from '@kubewright/api';
import { Secret } from '@kubewright/api/core/v1';
import type { Client } from '@kubewright/runtime';
export async function password(client: Client): Promise<unknown> {
  const [secret] = await client.list(metadataOnly(Secret));
  return secret?.data;
}
