// TS2322: Type '(BuiltInKind<Node> | BuiltInKind<Pod>)[]' is not assignable to type 'KindRef<KubeObject>'.
//   Type '(BuiltInKind<Node> | BuiltInKind<Pod>)[]' provides no match for the signature 'new (init: never): KubeObject'.
import { Node, Pod } from '@kubewright/api/core/v1';
import { Controller, type Reconciler, Result } from '@kubewright/runtime';
@Controller({ for: [Node, Pod] })
export class NodeController implements Reconciler<Node> {
  async reconcile(): Promise<Result> {
    return Result.done();
  }
}
