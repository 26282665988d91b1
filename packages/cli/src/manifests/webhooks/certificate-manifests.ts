import { webhookHosts, webhookNames } from '@kubewright/runtime/permissions';
import type { Manifest } from '../manifest-text.js';
import type { ManifestsInput } from '../manifests-input.js';
import { operatorLabels } from '../operator-labels.js';

/**
 * Returns the Certificate of cert-manager for the webhook Service, by file name, and a self-signed Issuer if the operator specifies no
 * issuer. Returns no files if the operator does not use cert-manager.
 */
export function certificateManifests(
  input: ManifestsInput,
): Readonly<Record<string, readonly (Manifest | undefined)[]>> {
  const { settings, operator } = input;
  const certificates = operator.webhooks?.certificates;
  if (certificates?.source !== 'cert-manager') return {};
  const { name, namespace } = settings;
  const { service, secret } = webhookNames(name);
  const own = { name: `${name}-selfsigned-issuer`, kind: 'Issuer' };
  const labels = operatorLabels(input);
  const issuer: Manifest = {
    apiVersion: 'cert-manager.io/v1',
    kind: 'Issuer',
    metadata: { name: own.name, namespace, labels },
    spec: { selfSigned: {} },
  };
  const certificate: Manifest = {
    apiVersion: 'cert-manager.io/v1',
    kind: 'Certificate',
    metadata: { name: certificateName(input), namespace, labels },
    spec: {
      secretName: secret,
      dnsNames: webhookHosts(service, namespace).filter((host) => /\.svc(\.|$)/.test(host)),
      privateKey: { algorithm: 'ECDSA', size: 256, rotationPolicy: 'Always' },
      issuerRef: certificates.issuer ?? own,
    },
  };
  return { 'issuer.yaml': [certificates.issuer === undefined ? issuer : undefined], 'certificate.yaml': [certificate] };
}

/**
 * Returns the annotations with which cert-manager or the service CA of OpenShift injects the CA bundle into a webhook configuration or a
 * CustomResourceDefinition. Returns no annotations if the manager or the user writes the CA bundle.
 */
export function injectionAnnotations(input: ManifestsInput): Readonly<Record<string, string>> {
  switch (input.operator.webhooks?.certificates.source) {
    case 'cert-manager':
      return { 'cert-manager.io/inject-ca-from': `${input.settings.namespace}/${certificateName(input)}` };
    case 'openshift':
      return { 'service.beta.openshift.io/inject-cabundle': 'true' };
    default:
      return {};
  }
}

function certificateName({ settings }: ManifestsInput): string {
  return `${settings.name}-serving-cert`;
}
