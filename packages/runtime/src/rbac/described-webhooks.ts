import type { KindRef } from '@kubewright/api';
import type { LabelSelector } from '@kubewright/api/meta/v1';

/** The webhooks of an operator. Their manifests and permissions are generated from this description. */
export interface DescribedWebhooks {
  /** The port on which the manager serves webhooks in a Pod. */
  readonly port: number;
  /** The admission webhooks, in the order in which their classes were added. */
  readonly admission: readonly DescribedAdmissionWebhook[];
  /** The kinds that the operator converts between versions. */
  readonly conversions: readonly DescribedConversion[];
  /** The source of the serving certificate. */
  readonly certificates: DescribedCertificates;
}

/** An admission webhook. */
export interface DescribedAdmissionWebhook {
  readonly type: 'mutating' | 'validating';
  /** The class or the call that declares the webhook, for messages. @default the name of the webhook */
  readonly declaredBy?: string;
  /** The name of the webhook in its configuration: a domain name with at least three segments, unique within the configuration. */
  readonly name: string;
  /** The HTTP path of the webhook, such as '/validate-batch-example-com-v1-cronjob'. */
  readonly path: string;
  /** The kind of the objects whose requests the API server sends to the webhook. */
  readonly kind: KindRef;
  /** The subresource, such as 'scale' or 'eviction'. Undefined for the objects themselves. */
  readonly subresource?: string;
  readonly operations: readonly ('CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT')[];
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly sideEffects: 'None' | 'NoneOnDryRun';
  readonly timeoutSeconds: number;
  readonly matchPolicy: 'Exact' | 'Equivalent';
  /** The reinvocation policy of a mutating webhook. Undefined for a validating webhook. */
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded';
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
  /** The CEL conditions of the requests that are sent to the webhook. */
  readonly matchConditions: readonly MatchCondition[];
}

/** A CEL condition of a webhook. */
export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

/** A kind whose versions the operator converts. */
export interface DescribedConversion {
  /** The version to which all other versions are converted. */
  readonly hub: KindRef;
  /** All other versions. */
  readonly spokes: readonly KindRef[];
  /** The HTTP path of the conversion webhook. */
  readonly path: string;
}

/** The source of the serving certificate of the webhook server. */
export type DescribedCertificates =
  /** The manager creates the certificates, and stores them in a Secret. The name of the Secret is only set if an option sets it. */
  | { readonly source: 'manager'; readonly secret?: string }
  /** cert-manager creates the Secret, and injects the CA bundle. If no Issuer is named, the manifests contain a self-signed Issuer. */
  | {
      readonly source: 'cert-manager';
      readonly issuer?: { readonly name: string; readonly kind: 'Issuer' | 'ClusterIssuer' };
    }
  /** The service CA of OpenShift creates the Secret, and injects the CA bundle. */
  | { readonly source: 'openshift' }
  /** The user provides the files and the CA bundle. */
  | { readonly source: 'files' };
