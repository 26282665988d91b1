// TS2741: Property 'message' is missing in type '{ field: string; reason: "FieldValueForbidden"; }' but required in type 'Violation'.
import { Validator, type Violation } from '@kubewright/api';
import { Pod } from '@kubewright/api/core/v1';
@Validator({ for: Pod })
export class PodValidator implements Validator<Pod> {
  validate(): Violation[] {
    return [{ field: 'spec.hostNetwork', reason: 'FieldValueForbidden' }];
  }
}
