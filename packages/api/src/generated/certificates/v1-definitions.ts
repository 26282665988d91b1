// Made by scripts/generate-built-ins.mjs from the schemas of Kubernetes v1.36.3. Do not edit.
import { Definitions } from '../../built-in/definitions.js';
import { definitions as meta_v1 } from '../meta/v1-definitions.js';

/** The schemas of certificates/v1, parsed on first use. */
export const definitions: Definitions = /* @__PURE__ */ new Definitions({
  group: 'certificates.k8s.io',
  version: 'v1',
  kinds: {"CertificateSigningRequest":{"plural":"certificatesigningrequests","singular":"certificatesigningrequest","namespaced":false,"shortNames":["csr"],"status":true}},
  uses: { 'meta/v1': meta_v1 },
  text:
    '{"CertificateSigningRequest":{"required":["spec"],"type":"object","properties":{"apiVersion":{"type":"string"},"kind":{"type":"string"},"metadata":{"$ref":"meta/v1#ObjectMeta"},"spec":{"$ref":"CertificateSigningRequestSpec"},"status":{"$ref":"CertificateSigningRequestStatus"}}},"CertificateSigningRequestCondition":{"required":["type","status"],"type":"object","properties":{"lastTransitionTime":{"$ref":"meta/v1#Time"},"lastUpdateTime":{"$ref":"meta/v1#Time"},"message":{"type":"string"},"reason":{"type":"string"},"status":{"type":"string"},"type":{"type":"string"}}},"CertificateSigningRequestSpec":{"required":["request","signerName"],"type":"object","properties":{"expirationSeconds":{"format":"int32","type":"integer"},"extra":{"type":"object","additionalProperties":{"type":"array","items":{"type":"string"}}},"groups":{"type":"array","x-kubernetes-list-type":"atomic","items":{"type":"string"}},"request":{"format":"byte","type":"string"},"signerName":{"type":"string"},"uid":{"type":"string"},"usages":{"type":"array","x-kubernetes-list-type":"atomic","items":{"enum":["any","cert sign","client auth","code signing","content commitment","crl sign","data encipherment","decipher only","digital signature","email protection","encipher only","ipsec end system","ipsec tunnel","ipsec user","key agreement","key encipherment","microsoft sgc","netscape sgc","ocsp signing","s/mime","server auth","signing","timestamping"],"type":"string"}},"username":{"type":"string"}}},"CertificateSigningRequestStatus":{"type":"object","properties":{"certificate":{"format":"byte","type":"string"},"conditions":{"type":"array","x-kubernetes-list-map-keys":["type"],"x-kubernetes-list-type":"map","items":{"$ref":"CertificateSigningRequestCondition"}}}}}',
});
