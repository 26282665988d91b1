import { join } from 'node:path';
import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { podNamespace } from '../../election/pod-namespace.js';
import type { CertificateOptions } from '../../certificates/managed-certificates-options.js';
import type { Logger } from '../../log/logger.js';
import type { Metrics } from '../../metrics/metrics.js';
import type { CertificateObjects } from '../../rbac/certificate-permissions.js';
import { MOUNTED_CERTIFICATES } from '../../rbac/webhook-names.js';
import { FileCertificates } from '../../serving/file-certificates.js';
import type { KeyPair } from '../../serving/key-pair.js';
import type { ServingCertificates } from '../../serving/serving-certificates.js';
import type { Transport } from '../../transport/sending/transport.js';
import { isFiles, isServingCertificates, type WebhooksOptions } from './webhooks-options.js';

/** The objects that sources of certificates use. */
export interface CertificateSourceUsing {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Returns the transport to the API server, for certificates that the manager creates. */
  readonly transport: () => Promise<Transport>;
  /**
   * Returns a function that returns the objects into which the manager writes the CA bundle of the certificates that it creates. `name` is
   * the base name of the webhooks.
   */
  readonly injectInto: (name: string) => Promise<() => Omit<CertificateObjects, 'secret'>>;
}

/**
 * Returns the source of the serving certificate for the option `certificates`: the mounted files for 'cert-manager' and 'openshift', the
 * given source or files, or certificates that the manager creates.
 */
export function certificatesOf(options: WebhooksOptions, using: CertificateSourceUsing): ServingCertificates {
  const { certificates = {} } = options;
  if (typeof certificates === 'string') return new FileCertificates(MOUNTED, using);
  if (isServingCertificates(certificates)) return certificates;
  if (isFiles(certificates)) return new FileCertificates(certificates, using);
  return new CertificatesOfManager(options.name, certificates, using);
}

const MOUNTED = {
  certFile: join(MOUNTED_CERTIFICATES, 'tls.crt'),
  keyFile: join(MOUNTED_CERTIFICATES, 'tls.key'),
} as const;

/** Creates the certificates of the manager when the server starts, because the namespace is known only then. */
class CertificatesOfManager implements ServingCertificates {
  readonly #name: string | undefined;
  readonly #options: CertificateOptions;
  readonly #using: CertificateSourceUsing;
  readonly #listeners = new Set<(keyPair: KeyPair) => void>();
  #managed: ServingCertificates | undefined;

  constructor(name: string | undefined, options: CertificateOptions, using: CertificateSourceUsing) {
    this.#name = name;
    this.#options = options;
    this.#using = using;
  }

  /** Provides the first key pair. Rejects with INVALID_SERVING_OPTIONS outside of a Pod or without a base name of the webhooks. */
  async start(signal: AbortSignal): Promise<KeyPair> {
    const namespace = await podNamespace();
    if (namespace === undefined) {
      throw cannotCreate(
        'this process does not run in a Pod; set webhooks.certificates to files or to new InMemoryCertificates()',
      );
    }
    const name = this.#name;
    if (name === undefined) {
      throw cannotCreate(
        'the names of the Service and the Secret are not known; set KUBEWRIGHT_WEBHOOKS_NAME or the option webhooks.name to the name of the project',
      );
    }
    const { ManagedCertificates } = await import('../../certificates/managed-certificates.js');
    const injectInto = await this.#using.injectInto(name);
    const managed = new ManagedCertificates({ ...this.#options, name, namespace, injectInto }, this.#using);
    this.#managed = managed;
    managed.onChange((keyPair) => {
      for (const listener of this.#listeners) listener(keyPair);
    });
    return managed.start(signal);
  }
  onChange(listener: (keyPair: KeyPair) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#managed?.[Symbol.asyncDispose]();
  }
}

function cannotCreate(problem: string): KubewrightError {
  return new KubewrightError('INVALID_SERVING_OPTIONS', `cannot create the certificates of the webhooks: ${problem}`);
}
