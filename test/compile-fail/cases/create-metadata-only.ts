// TS2769: No overload matches this call.
//   The last overload gave the following error.
//     Argument of type 'MetadataOnly<Secret>' is not assignable to parameter of type 'WholeObject'.
//       Types of property '[onlyMetadata]' are incompatible.
//         Type 'true' is not assignable to type '"cannot create or update an object that was read with metadata only; read the whole object"'.
import { metadataOnly } from '@kubewright/api';
import { Secret } from '@kubewright/api/core/v1';
import type { Client } from '@kubewright/runtime';
export async function copy(client: Client): Promise<void> {
  const secret = await client.get(metadataOnly(Secret), { namespace: 'a', name: 's' });
  await client.create(secret);
}
