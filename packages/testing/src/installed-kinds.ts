import type { KindRef } from '@kubewright/api';
import { crdsFor } from '@kubewright/api/metadata';
import type { Client } from '@kubewright/runtime';

/** Installs kinds as CRDs; the versions of one kind become one CRD. */
export async function installKinds(client: Client, kinds: readonly KindRef[]): Promise<void> {
  for (const definition of crdsFor(kinds)) await client.create(definition);
}
