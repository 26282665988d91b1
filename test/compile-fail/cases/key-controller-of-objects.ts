// TS1238: Unable to resolve signature of class decorator when called as an expression.
//   Argument of type 'typeof TenantController' is not assignable to parameter of type 'new (...services: never[]) => KeyReconciler'.
//     Type 'TenantController' is not assignable to type 'KeyReconciler'.
//       Types of property 'reconcile' are incompatible.
//         Type '(node: Node) => Promise<Result>' is not assignable to type '(key: ObjectKey, context: ReconcileContext) => Promise<Result>'.
//           Types of parameters 'node' and 'key' are incompatible.
//             Type 'ObjectKey' is missing the following properties from type 'Node': apiVersion, kind, spec, metadata
import { Node } from '@kubewright/api/core/v1';
import { KeyController, Result, watch } from '@kubewright/runtime';
@KeyController({ name: 'tenants', watches: [watch(Node, { map: ({ metadata }) => [metadata] })] })
export class TenantController {
  async reconcile(node: Node): Promise<Result> {
    return node.spec === undefined ? Result.done() : Result.requeue();
  }
}
