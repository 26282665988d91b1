// TS1238: Unable to resolve signature of class decorator when called as an expression.
//   Argument of type 'typeof PodValidator' is not assignable to parameter of type 'new (...services: never[]) => Validator<Pod>'.
//     Type 'PodValidator' is not assignable to type 'Validator<Pod>'.
//       The types returned by 'validate(...)' are incompatible between these types.
//         Type 'void' is not assignable to type 'Promise<readonly Violation[]> | readonly Violation[]'.
import { Validator } from '@kubewright/api';
import { Pod } from '@kubewright/api/core/v1';
@Validator({ for: Pod })
export class PodValidator {
  validate(pod: Pod): void {
    if (pod.metadata.name === '') throw new Error('no name');
  }
}
