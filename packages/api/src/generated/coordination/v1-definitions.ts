// Made by scripts/generate-built-ins.mjs from the schemas of Kubernetes v1.36.3. Do not edit.
import { Definitions } from '../../built-in/definitions.js';
import { definitions as meta_v1 } from '../meta/v1-definitions.js';

/** The schemas of coordination/v1, parsed on first use. */
export const definitions: Definitions = /* @__PURE__ */ new Definitions({
  group: 'coordination.k8s.io',
  version: 'v1',
  kinds: {"Lease":{"plural":"leases","singular":"lease","namespaced":true}},
  uses: { 'meta/v1': meta_v1 },
  text:
    '{"Lease":{"type":"object","properties":{"apiVersion":{"type":"string"},"kind":{"type":"string"},"metadata":{"$ref":"meta/v1#ObjectMeta"},"spec":{"$ref":"LeaseSpec"}}},"LeaseSpec":{"type":"object","properties":{"acquireTime":{"$ref":"meta/v1#MicroTime"},"holderIdentity":{"type":"string"},"leaseDurationSeconds":{"format":"int32","type":"integer"},"leaseTransitions":{"format":"int32","type":"integer"},"preferredHolder":{"type":"string"},"renewTime":{"$ref":"meta/v1#MicroTime"},"strategy":{"type":"string"}}}}',
});
