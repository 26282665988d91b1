// TS2345: Argument of type 'ConfigMap' is not assignable to parameter of type '{ apiVersion: string; kind: string; metadata: DraftMeta<ObjectMeta>; } & DraftOf<KubeObject>'.
//   Type 'ConfigMap' is not assignable to type '{ apiVersion: string; kind: string; metadata: DraftMeta<ObjectMeta>; }'.
//     Types of property 'metadata' are incompatible.
//       Type 'ObjectMeta' is not assignable to type 'DraftMeta<ObjectMeta>'.
//         Type 'ObjectMeta' is not assignable to type '{ name: string; namespace?: string | undefined; uid: string; resourceVersion: string; creationTimestamp: string; generation?: number | undefined; deletionTimestamp?: string | undefined; ownerReferences?: { ...; }[] | undefined; }'.
//           Types of property 'ownerReferences' are incompatible.
//             Type 'readonly OwnerReference[] | undefined' is not assignable to type '{ apiVersion: string; kind: string; name: string; uid: string; controller?: boolean | undefined; blockOwnerDeletion?: boolean | undefined; }[] | undefined'.
//               The type 'readonly OwnerReference[]' is 'readonly' and cannot be assigned to the mutable type '{ apiVersion: string; kind: string; name: string; uid: string; controller?: boolean | undefined; blockOwnerDeletion?: boolean | undefined; }[]'.
import { setControllerReference } from '@kubewright/api';
import { ConfigMap } from '@kubewright/api/core/v1';
import type { Client } from '@kubewright/runtime';
export async function own(client: Client): Promise<void> {
  const [map, owner] = await client.list(ConfigMap);
  if (map && owner) setControllerReference(map, owner);
}
