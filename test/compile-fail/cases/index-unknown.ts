// TS2322: Type 'IndexMatch<Pod>' is not assignable to type 'IndexMatch<NoInfer<Node>> | readonly IndexMatch<NoInfer<Node>>[] | undefined'.
//   Type 'IndexMatch<Pod>' is not assignable to type 'IndexMatch<NoInfer<Node>>'.
//     Type 'Node' is not assignable to type 'Pod'.
//       Types of property 'kind' are incompatible.
//         Type '"Node"' is not assignable to type '"Pod"'.
import { Node, Pod } from '@kubewright/api/core/v1';
import { type Client, index } from '@kubewright/runtime';
const podsByNode = index(Pod, 'node', (pod) => pod.spec.nodeName);
export const wrong = (client: Client) => client.list(Node, { index: podsByNode('n1') });
