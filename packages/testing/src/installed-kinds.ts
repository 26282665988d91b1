import type { KindRef, KubeObject } from '@kubewright/api';
import { crdFor, kindOf } from '@kubewright/api/metadata';
import type { Client } from '@kubewright/runtime';

/** Installs kinds as CRDs; the versions of one kind become one CRD. */
export async function installKinds(client: Client, kinds: readonly KindRef[]): Promise<void> {
  const byName = new Map<string, KindRef[]>();
  for (const kind of kinds) {
    const { group, kind: name } = kindOf(kind);
    const key = `${name}.${group}`;
    byName.set(key, [...(byName.get(key) ?? []), kind]);
  }
  for (const versions of byName.values()) await client.create(crdFor(versions) as KubeObject);
}
