import { KubewrightError } from '@kubewright/api/errors';
import { dns1035LabelErrors } from '@kubewright/api/names';

/** The names of the objects that the webhooks of an operator use. */
export interface WebhookNames {
  /** The Service through which the API server calls the webhooks: `NAME-webhook`. */
  readonly service: string;
  /** The Secret with the certificates: `NAME-webhook-certificates`. */
  readonly secret: string;
  /** The MutatingWebhookConfiguration: `NAME-mutating-webhook-configuration`. */
  readonly mutatingConfiguration: string;
  /** The ValidatingWebhookConfiguration: `NAME-validating-webhook-configuration`. */
  readonly validatingConfiguration: string;
}

/**
 * The folder in which the manifests mount a Secret with serving certificates that cert-manager, the service CA of OpenShift or a user
 * provides. The files are `tls.crt` and `tls.key`.
 */
export const MOUNTED_CERTIFICATES = '/tmp/k8s-webhook-server/serving-certs';

const SUFFIX = '-webhook';
const MAX_LENGTH = 63;

/**
 * Returns the names of the objects that the webhooks of an operator use. `base` is the name of the operator's project. In a Pod, the
 * manager reads the base name from `KUBEWRIGHT_WEBHOOKS_NAME`. Throws INVALID_NAME if the name of the Service would not be valid.
 *
 * @example
 * webhookNames('my-operator').service; // 'my-operator-webhook'
 */
export function webhookNames(base: string): WebhookNames {
  const service = `${base}${SUFFIX}`;
  if (base === '' || dns1035LabelErrors(service).length > 0) {
    throw new KubewrightError(
      'INVALID_NAME',
      `'${base}' is not a valid base name of webhooks: use at most ${MAX_LENGTH - SUFFIX.length} lower-case letters, digits and '-', starting with a letter, such as 'my-operator'`,
    );
  }
  return {
    service,
    secret: `${service}-certificates`,
    mutatingConfiguration: `${base}-mutating-webhook-configuration`,
    validatingConfiguration: `${base}-validating-webhook-configuration`,
  };
}

/** Returns the DNS names under which the API server and other Pods call the Service of the webhooks. */
export function webhookHosts(service: string, namespace: string): readonly string[] {
  // The API server verifies the name that ends in `.svc`.
  const name = `${service}.${namespace}.svc`;
  return [name, `${name}.cluster.local`, `${service}.${namespace}`, service];
}
