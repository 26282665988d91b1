// TS1238: Unable to resolve signature of class decorator when called as an expression.
//   Argument of type 'typeof MachineController' is not assignable to parameter of type 'new (...services: never[]) => Reconciler<Node>'.
//     Type 'MachineController' is not assignable to type 'Reconciler<Node>'.
//       Types of property 'reconcile' are incompatible.
//         Type '(machine: Machine) => Promise<Result>' is not assignable to type '(object: Node, context: ReconcileContext) => Promise<Result>'.
//           Types of parameters 'machine' and 'object' are incompatible.
//             Type 'Node' is not assignable to type 'Machine'.
//               Types of property 'spec' are incompatible.
//                 Type 'NodeSpec' is missing the following properties from type '{ readonly image: string; readonly args: readonly string[]; }': image, args
import { Node } from '@kubewright/api/core/v1';
import { Controller, type Reconciler, Result } from '@kubewright/runtime';
import { CustomResource, Field, Kind } from '@kubewright/api';
class Spec { @Field.string() image!: string; @Field.list(Field.string()) args!: string[]; }
class Status { @Field.string({ optional: true }) phase?: string; }
@Kind({ group: 'example.com', version: 'v1' })
class Machine extends CustomResource(Spec, Status) {}
@Controller({ for: Node })
export class MachineController implements Reconciler<Machine> {
  async reconcile(machine: Machine): Promise<Result> {
    return machine.spec.image ? Result.done() : Result.requeue();
  }
}
