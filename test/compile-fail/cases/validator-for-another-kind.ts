// TS1238: Unable to resolve signature of class decorator when called as an expression.
//   Argument of type 'typeof MachineValidator' is not assignable to parameter of type 'new (...services: never[]) => Validator<Node>'.
//     Type 'MachineValidator' is not assignable to type 'Validator<Node>'.
//       Types of property 'validate' are incompatible.
//         Type '(machine: Machine) => Violation[]' is not assignable to type '(object: Node, old: Node | undefined, context: AdmissionContext) => Promise<readonly Violation[]> | readonly Violation[]'.
//           Types of parameters 'machine' and 'object' are incompatible.
//             Type 'Node' is not assignable to type 'Machine'.
//               Types of property 'spec' are incompatible.
//                 Property 'image' is missing in type 'NodeSpec' but required in type '{ readonly image: string; }'.
import { Node } from '@kubewright/api/core/v1';
import { CustomResource, Field, Kind, Validator, type Violation } from '@kubewright/api';
class Spec { @Field.string() image!: string; }
@Kind({ group: 'example.com', version: 'v1' })
class Machine extends CustomResource(Spec) {}
@Validator({ for: Node })
export class MachineValidator implements Validator<Machine> {
  validate(machine: Machine): Violation[] {
    return machine.spec.image ? [] : [{ field: 'spec.image', message: 'is required' }];
  }
}
