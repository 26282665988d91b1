// Made by scripts/generate-built-ins.mjs from the schemas of Kubernetes v1.36.3. Do not edit.
import { Definitions } from '../../built-in/definitions.js';
import { definitions as core_v1 } from '../core/v1-definitions.js';
import { definitions as meta_v1 } from '../meta/v1-definitions.js';

/** The schemas of node/v1, parsed on first use. */
export const definitions: Definitions = /* @__PURE__ */ new Definitions({
  group: 'node.k8s.io',
  version: 'v1',
  kinds: {"RuntimeClass":{"plural":"runtimeclasses","singular":"runtimeclass","namespaced":false}},
  uses: { 'core/v1': core_v1, 'meta/v1': meta_v1 },
  text:
    '{"Overhead":{"type":"object","properties":{"podFixed":{"type":"object","additionalProperties":{"$ref":"meta/v1#Quantity"}}}},"RuntimeClass":{"required":["handler"],"type":"object","properties":{"apiVersion":{"type":"string"},"handler":{"type":"string"},"kind":{"type":"string"},"metadata":{"$ref":"meta/v1#ObjectMeta"},"overhead":{"$ref":"Overhead"},"scheduling":{"$ref":"Scheduling"}}},"Scheduling":{"type":"object","properties":{"nodeSelector":{"type":"object","x-kubernetes-map-type":"atomic","additionalProperties":{"type":"string"}},"tolerations":{"type":"array","x-kubernetes-list-type":"atomic","items":{"$ref":"core/v1#Toleration"}}}}}',
});
