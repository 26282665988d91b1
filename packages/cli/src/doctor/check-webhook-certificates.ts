import { X509Certificate } from 'node:crypto';
import type { KubeObject } from '@kubewright/api';
import { Secret } from '@kubewright/api/core/v1';
import { isForbidden } from '@kubewright/api/errors';
import type { DescribedWebhooks } from '@kubewright/runtime';
import {
  CERTIFICATES_ANNOTATION,
  bundleFields,
  caBundleOf,
  type CertificateState,
  dueMs,
  isIssuedBy,
  isValidAt,
  parseState,
  pemCertificates,
  SECRET_KEYS,
  type ServiceKey,
} from '@kubewright/runtime/internal';
import { describeObject, type KubeApi } from '../deploy/kube-api.js';
import type { DeclaredProject } from '../deploy/with-cluster.js';
import { certificateSecretName } from '../manifests/webhooks/certificate-secret.js';
import { type Finding, ok, warning, wrong } from './finding.js';

const CHECK = 'webhooks';
const DAY_MS = 86_400_000;

type Source = DescribedWebhooks['certificates']['source'];

/** What to check if a certificate is missing or not valid, by the source of the certificates. */
const REMEDIES: Readonly<Record<Source, string>> = {
  manager: 'check the log of the operator, which creates and renews the certificate',
  'cert-manager': 'check that cert-manager is running, and check the conditions of the Certificate',
  openshift: 'check the service CA of OpenShift, and the annotations of the Service',
  files: 'replace the files with the certificate',
};

/** What to do about a Secret of another operator or user. */
const FOREIGN = 'delete the Secret if it is not needed, or set webhooks.certificates.secret to another name';

/** The certificates in the Secret, and the findings about them. */
export interface CheckedCertificates {
  /** The state of the certificates. Undefined if the Secret does not exist, belongs to another operator, or cannot be read. */
  readonly state: CertificateState | undefined;
  /** The serving certificate, and the intermediate authorities. */
  readonly chain: readonly X509Certificate[];
  readonly findings: readonly Finding[];
}

const UNKNOWN = { state: undefined, chain: [] } as const;

/** The project, and the Service of its webhooks. */
export interface CertificateCheck {
  readonly project: DeclaredProject;
  readonly service: ServiceKey;
}

/**
 * Checks the Secret with the serving certificate of the webhooks: the certificate has its private key, is valid now, and is issued for the
 * Service. The findings never contain a value of the Secret. Checks nothing if the user provides the certificate in files.
 */
export async function checkCertificates(
  api: KubeApi,
  { project: { project, declared }, service }: CertificateCheck,
): Promise<CheckedCertificates> {
  const { webhooks } = declared.operator;
  const name = webhooks && certificateSecretName(project.settings, webhooks);
  if (webhooks === undefined || name === undefined) return { ...UNKNOWN, findings: [] };
  const { source } = webhooks.certificates;
  const { namespace } = project.settings;
  const what = `Secret ${namespace}/${name}`;
  try {
    const found = await api.client.live.find(Secret, { name, namespace });
    if (found === undefined) {
      const finding = wrong(CHECK, `${what} with the serving certificate does not exist`, REMEDIES[source]);
      return { ...UNKNOWN, findings: [finding] };
    }
    const owner = found.metadata.annotations?.[CERTIFICATES_ANNOTATION];
    if (source === 'manager' && owner !== project.settings.name) {
      const finding = wrong(CHECK, `${what} was not created by this operator, so the operator cannot start`, FOREIGN);
      return { ...UNKNOWN, findings: [finding] };
    }
    return checkSecret(found.data ?? {}, { what, source, service });
  } catch (error) {
    if (!isForbidden(error)) throw error;
    const finding = warning(CHECK, `cannot check ${what}: ${error.message}`, 'request permission to get the Secret');
    return { ...UNKNOWN, findings: [finding] };
  }
}

interface SecretCheck {
  readonly what: string;
  readonly source: Source;
  readonly service: ServiceKey;
}

function checkSecret(data: Readonly<Record<string, unknown>>, check: SecretCheck): CheckedCertificates {
  const { what, source } = check;
  const { state, problems } = parseState(data);
  // Only the manager stores the key of the CA in the Secret. The service CA of OpenShift stores neither the key nor the certificate of the
  // CA.
  const required: readonly string[] = [
    SECRET_KEYS.serving,
    SECRET_KEYS.servingKey,
    ...(source === 'openshift' ? [] : [SECRET_KEYS.authorities]),
    ...(source === 'manager' ? [SECRET_KEYS.authorityKey] : []),
  ];
  const findings = problems
    .filter(({ key }) => required.includes(key))
    .map(({ key, problem }) => wrong(CHECK, `${key} of ${what} ${problem}`, REMEDIES[source]));
  return {
    state,
    chain: certificatesIn(String(data[SECRET_KEYS.serving] ?? '')),
    findings: state.serving === undefined ? findings : [...findings, validity(state.serving.certificate, check)],
  };
}

function validity(certificate: X509Certificate, { what, source, service }: SecretCheck): Finding {
  const nowMs = Date.now();
  const endMs = Date.parse(certificate.validTo);
  const end = new Date(endMs).toISOString();
  const subject = `the serving certificate in ${what}`;
  const host = `${service.name}.${service.namespace}.svc`;
  if (!isValidAt(certificate, nowMs)) {
    const state = nowMs < endMs ? 'is not valid yet' : `expired at ${end}`;
    return wrong(CHECK, `${subject} ${state}`, `${REMEDIES[source]}, and check the clocks of the machines`);
  }
  if (certificate.checkHost(host, { subject: 'never' }) === undefined) {
    return wrong(CHECK, `${subject} is not issued for ${host}`, REMEDIES[source]);
  }
  const days = Math.floor((endMs - nowMs) / DAY_MS);
  const remaining = `is valid until ${end} (${days} ${days === 1 ? 'day' : 'days'})`;
  // Every source renews its certificates before this time.
  if (nowMs > dueMs(certificate, false)) {
    return warning(CHECK, `${subject} ${remaining}, but should have been renewed by now`, REMEDIES[source]);
  }
  return ok(CHECK, `${subject} ${remaining}`);
}

/**
 * The Service that the API server calls, and the certificates in the Secret. If the serving certificate is not known, the check does not
 * verify the certificate with the CA bundles.
 */
export interface BundleCheck extends Pick<CheckedCertificates, 'state' | 'chain'> {
  readonly service: ServiceKey;
  readonly source: Source;
}

/** Checks that the API server can verify the serving certificate with the CA bundles in webhook configurations and definitions. */
export function checkCaBundles(callers: readonly KubeObject[], check: BundleCheck): readonly Finding[] {
  return callers.map((caller) => bundleFinding(caller, check));
}

function bundleFinding(caller: KubeObject, { service, state, chain, source }: BundleCheck): Finding {
  const what = describeObject(caller);
  const values = bundleFields(caller, service).map(({ value }) => value);
  if (values.length === 0) {
    const found = `${what} does not call Service ${service.namespace}/${service.name}`;
    return wrong(CHECK, found, "run 'kubewright deploy'");
  }
  if (values.includes('')) {
    return wrong(CHECK, `${what} has no CA bundle, so the API server cannot call its webhooks`, REMEDIES[source]);
  }
  if (state?.serving === undefined) return ok(CHECK, `${what} has a CA bundle`);
  if (!values.every((value) => verifies(certificatesIn(value), chain))) {
    const found = `the CA bundle in ${what} does not verify the serving certificate, so the API server cannot call its webhooks`;
    return wrong(CHECK, found, REMEDIES[source]);
  }
  const isSame = source !== 'manager' || values.every((value) => value === caBundleOf(state));
  if (isSame) return ok(CHECK, `the CA bundle in ${what} verifies the serving certificate`);
  return warning(CHECK, `the CA bundle in ${what} differs from the CA bundle in the Secret`, REMEDIES[source]);
}

/** Reports whether a client with a CA bundle accepts a certificate with its intermediate authorities. */
function verifies(bundle: readonly X509Certificate[], chain: readonly X509Certificate[]): boolean {
  const nowMs = Date.now();
  const trusted = bundle.filter((authority) => isValidAt(authority, nowMs));
  let [current] = chain;
  for (const _ of chain) {
    const last = current;
    if (last === undefined) return false;
    // A self-signed certificate can be its own CA bundle.
    if (trusted.some((each) => each.fingerprint256 === last.fingerprint256 || isIssuedBy(last, each))) return true;
    current = chain.find((each) => each !== last && isIssuedBy(last, each));
  }
  return false;
}

function certificatesIn(base64: string): readonly X509Certificate[] {
  try {
    return pemCertificates(Buffer.from(base64, 'base64').toString('utf8')).map((text) => new X509Certificate(text));
  } catch {
    // A certificate that cannot be read verifies nothing.
    return [];
  }
}
