// Made by scripts/generate-built-ins.mjs from the schemas of Kubernetes v1.36.3. Do not edit.
import { Definitions } from '../../built-in/definitions.js';
import { definitions as meta_v1 } from '../meta/v1-definitions.js';

/** The schemas of apiregistration/v1, parsed on first use. */
export const definitions: Definitions = /* @__PURE__ */ new Definitions({
  group: 'apiregistration.k8s.io',
  version: 'v1',
  kinds: {"APIService":{"plural":"apiservices","singular":"apiservice","namespaced":false,"categories":["api-extensions"],"status":true}},
  uses: { 'meta/v1': meta_v1 },
  text:
    '{"APIService":{"type":"object","properties":{"apiVersion":{"type":"string"},"kind":{"type":"string"},"metadata":{"$ref":"meta/v1#ObjectMeta"},"spec":{"$ref":"APIServiceSpec"},"status":{"$ref":"APIServiceStatus"}}},"APIServiceCondition":{"required":["type","status"],"type":"object","properties":{"lastTransitionTime":{"$ref":"meta/v1#Time"},"message":{"type":"string"},"reason":{"type":"string"},"status":{"type":"string"},"type":{"type":"string"}}},"APIServiceSpec":{"required":["groupPriorityMinimum","versionPriority"],"type":"object","properties":{"caBundle":{"format":"byte","type":"string","x-kubernetes-list-type":"atomic"},"group":{"type":"string"},"groupPriorityMinimum":{"format":"int32","type":"integer"},"insecureSkipTLSVerify":{"type":"boolean"},"service":{"$ref":"ServiceReference"},"version":{"type":"string"},"versionPriority":{"format":"int32","type":"integer"}}},"APIServiceStatus":{"type":"object","properties":{"conditions":{"type":"array","x-kubernetes-list-map-keys":["type"],"x-kubernetes-list-type":"map","x-kubernetes-patch-merge-key":"type","x-kubernetes-patch-strategy":"merge","items":{"$ref":"APIServiceCondition"}}}},"ServiceReference":{"type":"object","properties":{"name":{"type":"string"},"namespace":{"type":"string"},"port":{"format":"int32","type":"integer"}}}}',
});
