// Made by scripts/generate-built-ins.mjs from the schemas of Kubernetes v1.36.3. Do not edit.
import { Definitions } from '../../built-in/definitions.js';
import { definitions as meta_v1 } from '../meta/v1-definitions.js';

/** The schemas of scheduling/v1, parsed on first use. */
export const definitions: Definitions = /* @__PURE__ */ new Definitions({
  group: 'scheduling.k8s.io',
  version: 'v1',
  kinds: {"PriorityClass":{"plural":"priorityclasses","singular":"priorityclass","namespaced":false,"shortNames":["pc"]}},
  uses: { 'meta/v1': meta_v1 },
  text:
    '{"PriorityClass":{"type":"object","properties":{"apiVersion":{"type":"string"},"description":{"type":"string"},"globalDefault":{"type":"boolean"},"kind":{"type":"string"},"metadata":{"$ref":"meta/v1#ObjectMeta"},"preemptionPolicy":{"enum":["Never","PreemptLowerPriority"],"type":"string"},"value":{"format":"int32","type":"integer"}}}}',
});
