// TS2322: Type '"delete"' is not assignable to type '"create" | "update"'.
import { Defaulter, type Draft } from '@kubewright/api';
import { Pod } from '@kubewright/api/core/v1';
@Defaulter({ for: Pod, operations: ['create', 'delete'] })
export class PodDefaulter implements Defaulter<Pod> {
  default(draft: Draft<Pod>): void {
    draft.metadata.labels['tier'] ??= 'web';
  }
}
