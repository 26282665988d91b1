// Made by scripts/generate-built-ins.mjs from the schemas of Kubernetes v1.36.3. Do not edit.
import { Definitions } from '../../built-in/definitions.js';
import { definitions as core_v1 } from '../core/v1-definitions.js';
import { definitions as meta_v1 } from '../meta/v1-definitions.js';

/** The schemas of events/v1, parsed on first use. */
export const definitions: Definitions = /* @__PURE__ */ new Definitions({
  group: 'events.k8s.io',
  version: 'v1',
  kinds: {"Event":{"plural":"events","singular":"event","namespaced":true,"shortNames":["ev"]}},
  uses: { 'core/v1': core_v1, 'meta/v1': meta_v1 },
  text:
    '{"Event":{"required":["eventTime"],"type":"object","properties":{"action":{"type":"string"},"apiVersion":{"type":"string"},"deprecatedCount":{"format":"int32","type":"integer"},"deprecatedFirstTimestamp":{"$ref":"meta/v1#Time"},"deprecatedLastTimestamp":{"$ref":"meta/v1#Time"},"deprecatedSource":{"$ref":"core/v1#EventSource"},"eventTime":{"$ref":"meta/v1#MicroTime"},"kind":{"type":"string"},"metadata":{"$ref":"meta/v1#ObjectMeta"},"note":{"type":"string"},"reason":{"type":"string"},"regarding":{"$ref":"core/v1#ObjectReference"},"related":{"$ref":"core/v1#ObjectReference"},"reportingController":{"type":"string"},"reportingInstance":{"type":"string"},"series":{"$ref":"EventSeries"},"type":{"type":"string"}}},"EventSeries":{"required":["count","lastObservedTime"],"type":"object","properties":{"count":{"format":"int32","type":"integer"},"lastObservedTime":{"$ref":"meta/v1#MicroTime"}}}}',
});
