import type { MutatingWebhook, ValidatingWebhook, WebhookClientConfig } from '@kubewright/api/admissionregistration/v1';
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '@kubewright/api/admissionregistration/v1';
import type { CustomResourceConversion } from '@kubewright/api/apiextensions/v1';
import type { LabelSelector } from '@kubewright/api/meta/v1';
import { kindOf } from '@kubewright/api/metadata';
import type { DescribedAdmissionWebhook, DescribedConversion, DescribedWebhooks } from './described-webhooks.js';
import { namespaceRequirement, withRequirement } from './namespace-selector.js';
import { resourceOf } from './resource-of.js';

/** The objects with which the API server calls the webhooks of an operator. */
export interface WebhookConfigurations {
  /** The MutatingWebhookConfiguration. Undefined if the operator has no mutating webhooks. */
  readonly mutating: MutatingWebhookConfiguration | undefined;
  /** The ValidatingWebhookConfiguration. Undefined if the operator has no validating webhooks. */
  readonly validating: ValidatingWebhookConfiguration | undefined;
  /** The conversion of each converted kind. */
  readonly conversions: readonly ConversionOfDefinition[];
}
/** The field `spec.conversion` of a CustomResourceDefinition. */
export interface ConversionOfDefinition {
  /** The name of the CustomResourceDefinition, such as 'cronjobs.batch.example.com'. */
  readonly definition: string;
  readonly conversion: CustomResourceConversion;
}
/** The options of `webhookConfigurations`. */
export interface WebhookConfigurationNames {
  /** The name of the MutatingWebhookConfiguration. */
  readonly mutating: string;
  /** The name of the ValidatingWebhookConfiguration. */
  readonly validating: string;
  /** The namespaces whose objects are not sent to the admission webhooks, such as the namespace of the operator. @default none */
  readonly exceptNamespaces?: readonly string[];
}

const REVIEW_VERSIONS = ['v1'];

/**
 * Returns the webhook configurations and the conversions of an operator. `clientConfigOf` returns how the API server reaches an HTTP path:
 * by a Service if the operator runs in the cluster, otherwise by a URL. The webhooks are in the order of the description.
 *
 * @example
 * webhookConfigurations(webhooks, (path) => ({ url: `https://127.0.0.1:9443${path}`, caBundle }), {
 *   mutating: 'my-operator-mutating-webhook-configuration',
 *   validating: 'my-operator-validating-webhook-configuration',
 * });
 */
export function webhookConfigurations(
  { admission, conversions }: Pick<DescribedWebhooks, 'admission' | 'conversions'>,
  clientConfigOf: (path: string) => WebhookClientConfig,
  names: WebhookConfigurationNames,
): WebhookConfigurations {
  const except = names.exceptNamespaces ?? [];
  const webhooks = (type: DescribedAdmissionWebhook['type']): ValidatingWebhook[] =>
    admission
      .filter((each) => each.type === type)
      .map((each) => admissionWebhook(each, clientConfigOf(each.path), except));
  const [mutating, validating] = [webhooks('mutating') as MutatingWebhook[], webhooks('validating')];
  return {
    mutating:
      mutating.length === 0
        ? undefined
        : new MutatingWebhookConfiguration({ metadata: { name: names.mutating }, webhooks: mutating }),
    validating:
      validating.length === 0
        ? undefined
        : new ValidatingWebhookConfiguration({ metadata: { name: names.validating }, webhooks: validating }),
    conversions: conversions.map((each) => conversionOf(each, clientConfigOf(each.path))),
  };
}

function admissionWebhook(
  webhook: DescribedAdmissionWebhook,
  clientConfig: WebhookClientConfig,
  except: readonly string[],
): ValidatingWebhook | MutatingWebhook {
  const { name, kind, subresource, matchConditions, objectSelector, reinvocationPolicy } = webhook;
  const { group, plural } = resourceOf(kind);
  const namespaceSelector = exceptNamespaces(webhook.namespaceSelector, except);
  return {
    name,
    admissionReviewVersions: REVIEW_VERSIONS,
    clientConfig,
    rules: [
      {
        apiGroups: [group],
        apiVersions: [kindOf(kind).version],
        operations: webhook.operations,
        resources: [subresource === undefined ? plural : `${plural}/${subresource}`],
      },
    ],
    failurePolicy: webhook.failurePolicy,
    matchPolicy: webhook.matchPolicy,
    ...(namespaceSelector !== undefined && { namespaceSelector }),
    ...(objectSelector !== undefined && { objectSelector }),
    ...(matchConditions.length > 0 && { matchConditions }),
    sideEffects: webhook.sideEffects,
    timeoutSeconds: webhook.timeoutSeconds,
    ...(reinvocationPolicy !== undefined && { reinvocationPolicy }),
  };
}
function exceptNamespaces(selector: LabelSelector | undefined, except: readonly string[]): LabelSelector | undefined {
  if (except.length === 0) return selector;
  return withRequirement(selector, namespaceRequirement('NotIn', except));
}
function conversionOf({ hub }: DescribedConversion, clientConfig: WebhookClientConfig): ConversionOfDefinition {
  const { group, plural } = resourceOf(hub);
  return {
    definition: `${plural}.${group}`,
    conversion: { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: REVIEW_VERSIONS } },
  };
}
