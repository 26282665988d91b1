import { type Duration, durationMs } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import type { CertificateObjects } from '../rbac/certificate-permissions.js';
import { webhookHosts, webhookNames } from '../rbac/webhook-names.js';
import type { ServiceKey } from './injection-target.js';

/** The options of certificates that the manager creates itself. */
export interface CertificateOptions {
  /** The name of the Secret with the certificates, in the namespace of the operator. @default `NAME-webhook-certificates` */
  readonly secret?: string;
  /** The lifetime of a serving certificate, at least 10 s. The manager replaces it after two thirds of the lifetime. @default '90d' */
  readonly lifetime?: Duration;
  /**
   * The lifetime of a certificate authority, at least three times the lifetime of a serving certificate. The manager replaces the authority
   * after two thirds of its lifetime. @default '730d'
   */
  readonly authorityLifetime?: Duration;
  /**
   * The time between the injection of a new authority into all configurations and the first serving certificate of this authority. In this
   * time, all API servers must receive the configurations. The maximum is a twelfth of the lifetime of a serving certificate. @default '5m'
   */
  readonly distribution?: Duration;
}

/** The options of `ManagedCertificates`. */
export interface ManagedCertificatesOptions extends CertificateOptions {
  /** The base name of the webhooks, from which all other names derive. See `webhookNames`. */
  readonly name: string;
  /** The namespace of the operator. */
  readonly namespace: string;
  /**
   * Returns the objects into which the CA bundle is injected. Called at each check, because webhooks can be added while the manager runs.
   */
  readonly injectInto: () => Omit<CertificateObjects, 'secret'>;
}

/** The options with defaults, and with durations in milliseconds. */
export interface ResolvedCertificatesOptions {
  readonly operator: string;
  readonly secret: string;
  readonly service: ServiceKey;
  readonly hosts: readonly string[];
  readonly lifetimeMs: number;
  readonly authorityLifetimeMs: number;
  readonly distributionMs: number;
}

/** The smallest lifetime. A shorter lifetime would end before all replicas have read a new certificate. */
const MIN_LIFETIME_MS = 10_000;
const AUTHORITY_FACTOR = 3;
/** The distribution takes at most the lifetime divided by this number, so it ends before the current serving certificate expires. */
const DISTRIBUTION_PART = 12;

/**
 * Applies defaults. Throws INVALID_NAME for an invalid base name, INVALID_DURATION for a value that is not a duration, and
 * INVALID_SERVING_OPTIONS for a duration outside the allowed range or an empty namespace.
 */
export function resolveCertificatesOptions(options: ManagedCertificatesOptions): ResolvedCertificatesOptions {
  const { name, namespace, lifetime = '90d', authorityLifetime = '730d', distribution = '5m' } = options;
  const names = webhookNames(name);
  const [lifetimeMs, authorityLifetimeMs] = [durationMs(lifetime), durationMs(authorityLifetime)];
  if (lifetimeMs < MIN_LIFETIME_MS) {
    throw invalid('lifetime', lifetime, 'use at least 10s; the default is 90d');
  }
  if (authorityLifetimeMs < AUTHORITY_FACTOR * lifetimeMs) {
    throw invalid('authorityLifetime', authorityLifetime, `use at least three times the lifetime of ${lifetime}`);
  }
  const distributionMs = durationMs(distribution);
  if (distributionMs > lifetimeMs / DISTRIBUTION_PART) {
    throw invalid('distribution', distribution, `use at most a twelfth of the lifetime of ${lifetime}`);
  }
  if (namespace === '') throw invalid('namespace', namespace, 'use the namespace of the operator');
  return {
    operator: name,
    secret: options.secret ?? names.secret,
    service: { name: names.service, namespace },
    hosts: webhookHosts(names.service, namespace),
    lifetimeMs,
    authorityLifetimeMs,
    distributionMs,
  };
}

function invalid(option: string, value: string, remedy: string): KubewrightError {
  return new KubewrightError('INVALID_SERVING_OPTIONS', `webhooks.certificates.${option} is '${value}': ${remedy}`);
}
