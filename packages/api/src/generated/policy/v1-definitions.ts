// Made by scripts/generate-built-ins.mjs from the schemas of Kubernetes v1.36.3. Do not edit.
import { Definitions } from '../../built-in/definitions.js';
import { definitions as meta_v1 } from '../meta/v1-definitions.js';

/** The schemas of policy/v1, parsed on first use. */
export const definitions: Definitions = /* @__PURE__ */ new Definitions({
  group: 'policy',
  version: 'v1',
  kinds: {"PodDisruptionBudget":{"plural":"poddisruptionbudgets","singular":"poddisruptionbudget","namespaced":true,"shortNames":["pdb"],"status":true}},
  uses: { 'meta/v1': meta_v1 },
  text:
    '{"Eviction":{"type":"object","properties":{"apiVersion":{"type":"string"},"deleteOptions":{"$ref":"meta/v1#DeleteOptions"},"kind":{"type":"string"},"metadata":{"$ref":"meta/v1#ObjectMeta"}}},"PodDisruptionBudget":{"type":"object","properties":{"apiVersion":{"type":"string"},"kind":{"type":"string"},"metadata":{"$ref":"meta/v1#ObjectMeta"},"spec":{"$ref":"PodDisruptionBudgetSpec"},"status":{"$ref":"PodDisruptionBudgetStatus"}}},"PodDisruptionBudgetSpec":{"type":"object","properties":{"maxUnavailable":{"$ref":"meta/v1#IntOrString"},"minAvailable":{"$ref":"meta/v1#IntOrString"},"selector":{"$ref":"meta/v1#LabelSelector","x-kubernetes-patch-strategy":"replace"},"unhealthyPodEvictionPolicy":{"enum":["AlwaysAllow","IfHealthyBudget"],"type":"string"}}},"PodDisruptionBudgetStatus":{"type":"object","properties":{"conditions":{"type":"array","x-kubernetes-list-map-keys":["type"],"x-kubernetes-list-type":"map","x-kubernetes-patch-merge-key":"type","x-kubernetes-patch-strategy":"merge","items":{"$ref":"meta/v1#Condition"}},"currentHealthy":{"format":"int32","type":"integer"},"desiredHealthy":{"format":"int32","type":"integer"},"disruptedPods":{"type":"object","additionalProperties":{"$ref":"meta/v1#Time"}},"disruptionsAllowed":{"format":"int32","type":"integer"},"expectedPods":{"format":"int32","type":"integer"},"observedGeneration":{"format":"int64","type":"integer"}}}}',
});
