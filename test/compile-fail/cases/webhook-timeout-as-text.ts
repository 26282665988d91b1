// TS2322: Type 'string' is not assignable to type 'number'.
import { Validator, type Violation } from '@kubewright/api';
import { Pod } from '@kubewright/api/core/v1';
@Validator({ for: Pod, timeoutSeconds: '10s' })
export class PodValidator implements Validator<Pod> {
  validate(): Violation[] {
    return [];
  }
}
