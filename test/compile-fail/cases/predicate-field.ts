// TS2551: Property 'unschedulabel' does not exist on type 'NodeSpec'. Did you mean 'unschedulable'?
import { Node } from '@kubewright/api/core/v1';
import { changed, watch } from '@kubewright/runtime';
export const nodes = watch(Node, { when: changed((node) => node.spec.unschedulabel), map: (node) => [node.metadata] });
