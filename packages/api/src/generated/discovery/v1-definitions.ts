// Made by scripts/generate-built-ins.mjs from the schemas of Kubernetes v1.36.3. Do not edit.
import { Definitions } from '../../built-in/definitions.js';
import { definitions as core_v1 } from '../core/v1-definitions.js';
import { definitions as meta_v1 } from '../meta/v1-definitions.js';

/** The schemas of discovery/v1, parsed on first use. */
export const definitions: Definitions = /* @__PURE__ */ new Definitions({
  group: 'discovery.k8s.io',
  version: 'v1',
  kinds: {"EndpointSlice":{"plural":"endpointslices","singular":"endpointslice","namespaced":true}},
  uses: { 'core/v1': core_v1, 'meta/v1': meta_v1 },
  text:
    '{"Endpoint":{"required":["addresses"],"type":"object","properties":{"addresses":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}},"conditions":{"$ref":"EndpointConditions"},"deprecatedTopology":{"type":"object","additionalProperties":{"type":"string"}},"hints":{"$ref":"EndpointHints"},"hostname":{"type":"string"},"nodeName":{"type":"string"},"targetRef":{"$ref":"core/v1#ObjectReference"},"zone":{"type":"string"}}},"EndpointConditions":{"type":"object","properties":{"ready":{"type":"boolean"},"serving":{"type":"boolean"},"terminating":{"type":"boolean"}}},"EndpointHints":{"type":"object","properties":{"forNodes":{"type":"array","x-kubernetes-list-type":"atomic","items":{"$ref":"ForNode"}},"forZones":{"type":"array","x-kubernetes-list-type":"atomic","items":{"$ref":"ForZone"}}}},"EndpointPort":{"type":"object","x-kubernetes-map-type":"atomic","properties":{"appProtocol":{"type":"string"},"name":{"type":"string"},"port":{"format":"int32","type":"integer"},"protocol":{"enum":["SCTP","TCP","UDP"],"type":"string"}}},"EndpointSlice":{"required":["addressType"],"type":"object","properties":{"addressType":{"enum":["FQDN","IPv4","IPv6"],"type":"string"},"apiVersion":{"type":"string"},"endpoints":{"type":"array","x-kubernetes-list-type":"atomic","items":{"$ref":"Endpoint"}},"kind":{"type":"string"},"metadata":{"$ref":"meta/v1#ObjectMeta"},"ports":{"type":"array","x-kubernetes-list-type":"atomic","items":{"$ref":"EndpointPort"}}}},"ForNode":{"required":["name"],"type":"object","properties":{"name":{"type":"string"}}},"ForZone":{"required":["name"],"type":"object","properties":{"name":{"type":"string"}}}}',
});
