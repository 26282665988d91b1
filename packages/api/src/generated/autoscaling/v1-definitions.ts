// Made by scripts/generate-built-ins.mjs from the schemas of Kubernetes v1.36.3. Do not edit.
import { Definitions } from '../../built-in/definitions.js';
import { definitions as meta_v1 } from '../meta/v1-definitions.js';

/** The schemas of autoscaling/v1, parsed on first use. */
export const definitions: Definitions = /* @__PURE__ */ new Definitions({
  group: 'autoscaling',
  version: 'v1',
  kinds: {"HorizontalPodAutoscaler":{"plural":"horizontalpodautoscalers","singular":"horizontalpodautoscaler","namespaced":true,"shortNames":["hpa"],"categories":["all"],"status":true}},
  uses: { 'meta/v1': meta_v1 },
  text:
    '{"CrossVersionObjectReference":{"required":["kind","name"],"type":"object","x-kubernetes-map-type":"atomic","properties":{"apiVersion":{"type":"string"},"kind":{"type":"string"},"name":{"type":"string"}}},"HorizontalPodAutoscaler":{"required":["spec"],"type":"object","properties":{"apiVersion":{"type":"string"},"kind":{"type":"string"},"metadata":{"$ref":"meta/v1#ObjectMeta"},"spec":{"$ref":"HorizontalPodAutoscalerSpec"},"status":{"$ref":"HorizontalPodAutoscalerStatus"}}},"HorizontalPodAutoscalerSpec":{"required":["scaleTargetRef","maxReplicas"],"type":"object","properties":{"maxReplicas":{"format":"int32","type":"integer"},"minReplicas":{"format":"int32","type":"integer"},"scaleTargetRef":{"$ref":"CrossVersionObjectReference"},"targetCPUUtilizationPercentage":{"format":"int32","type":"integer"}}},"HorizontalPodAutoscalerStatus":{"required":["currentReplicas","desiredReplicas"],"type":"object","properties":{"currentCPUUtilizationPercentage":{"format":"int32","type":"integer"},"currentReplicas":{"format":"int32","type":"integer"},"desiredReplicas":{"format":"int32","type":"integer"},"lastScaleTime":{"$ref":"meta/v1#Time"},"observedGeneration":{"format":"int64","type":"integer"}}},"Scale":{"type":"object","properties":{"apiVersion":{"type":"string"},"kind":{"type":"string"},"metadata":{"$ref":"meta/v1#ObjectMeta"},"spec":{"$ref":"ScaleSpec"},"status":{"$ref":"ScaleStatus"}}},"ScaleSpec":{"type":"object","properties":{"replicas":{"format":"int32","type":"integer"}}},"ScaleStatus":{"required":["replicas"],"type":"object","properties":{"replicas":{"format":"int32","type":"integer"},"selector":{"type":"string"}}}}',
});
