import type { TokenRequest } from '../generated/authentication/v1.js';
import type { Scale } from '../generated/autoscaling/v1.js';
import type { Binding } from '../generated/core/v1.js';
import type { LabelSelector } from '../generated/meta/v1.js';
import type { Eviction } from '../generated/policy/v1.js';
import type { KindRef, KubeObject } from '../objects/kube-object.js';
import type { AdmissionOperation } from './admission-context.js';

/** A CEL condition of a webhook. The API server calls the webhook only if all conditions are true. */
export interface WebhookCondition {
  /** A name that is unique within the webhook, such as 'exclude-leases'. */
  readonly name: string;
  /** A CEL expression over `object`, `oldObject`, `request` and `authorizer`. */
  readonly expression: string;
}

/** The options of `@Validator`, and the options that all admission webhooks have. */
export interface WebhookOptions<
  T extends KubeObject,
  Operation extends AdmissionOperation = 'create' | 'update' | 'delete',
> {
  /** The kind whose requests the API server sends to the webhook. */
  readonly for: KindRef<T>;
  /** The operations for which the API server calls the webhook. @default ['create', 'update'] */
  readonly operations?: readonly Operation[];
  /**
   * What the API server does if it cannot call the webhook, or if the response is not valid: rejects the request ('Fail'), or continues
   * without the webhook ('Ignore'). @default 'Fail'
   */
  readonly failurePolicy?: 'Fail' | 'Ignore';
  /** The time limit of a call in seconds, from 1 to 30. The failure policy determines what happens after this time. @default 10 */
  readonly timeoutSeconds?: number;
  /**
   * Whether the webhook changes anything besides the object. With 'NoneOnDryRun', the webhook has side effects, but none if
   * `context.dryRun` is true. @default 'None'
   */
  readonly sideEffects?: 'None' | 'NoneOnDryRun';
  /**
   * Whether the API server also calls the webhook for requests to other versions of the kind ('Equivalent'). The API server converts these
   * objects to the version in `for`. @default 'Equivalent'
   */
  readonly matchPolicy?: 'Exact' | 'Equivalent';
  /** Selects the namespaces of the objects by their labels. @default all namespaces */
  readonly namespaceSelector?: LabelSelector;
  /** Selects the objects by their labels. Users can bypass the webhook by changing labels. @default all objects */
  readonly objectSelector?: LabelSelector;
  /** Conditions of the calls in CEL. The API server calls the webhook only if all conditions are true. @default none */
  readonly matchConditions?: readonly WebhookCondition[];
  /**
   * The name of the webhook in its configuration: a domain name with at least three segments. @default
   * '<mutate or validate>.<kind>.<version>.<group>'
   */
  readonly name?: string;
  /** The HTTP path of the webhook. @default '/<mutate or validate>-<group with dashes>-<version>-<kind>' */
  readonly path?: string;
}

/** The options of `@Defaulter`, in addition to the options of every admission webhook. */
export interface DefaulterOptions<T extends KubeObject, Operation extends AdmissionOperation = 'create' | 'update'>
  extends WebhookOptions<T, Operation> {
  /**
   * Whether the API server may call the webhook again if a later webhook changes the object ('IfNeeded'). @default 'Never'
   */
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded';
}

/** The options of `@Admission`, in addition to the options of `@Defaulter`. `Subresource` is the name of the subresource, or ''. */
export interface AdmissionOptions<T extends KubeObject, Subresource extends string = ''>
  extends DefaulterOptions<T, AdmissionOperation> {
  /**
   * The subresource whose requests the API server sends to the webhook, such as 'eviction', 'scale' or 'status'. Determines the type of the
   * object in the request. @default the object itself
   */
  readonly subresource?: Subresource;
}

/** The subresources of built-in kinds whose requests contain an object of another kind. */
interface SubresourceObjects {
  readonly binding: Binding;
  readonly eviction: Eviction;
  readonly scale: Scale;
  readonly token: TokenRequest;
  readonly attach: ConnectOptions;
  readonly exec: ConnectOptions;
  readonly portforward: ConnectOptions;
  readonly proxy: ConnectOptions;
}
/** The options of a connection, such as `PodExecOptions` of `kubectl exec`. */
type ConnectOptions = Readonly<Record<string, unknown>>;

/** The type of the object in a request to a kind or to one of its subresources: `Eviction` for 'eviction', `T` for 'status'. */
export type AdmittedObject<
  T extends KubeObject,
  Subresource extends string,
> = Subresource extends keyof SubresourceObjects ? SubresourceObjects[Subresource] : T;

/** The options of `@Converter`. */
export interface ConverterOptions<Spoke extends KubeObject, Hub extends KubeObject> {
  /** The version that the converter converts to the hub and back. */
  readonly from: KindRef<Spoke>;
  /** The hub: another version of the same kind. The hub can itself have a converter to a further version. */
  readonly hub: KindRef<Hub>;
  /**
   * Whether the framework keeps the fields that the other version cannot represent, in the annotation `kubewright.dev/conversion`, and
   * restores the fields on the way back. With `false`, such fields are lost. @default true
   */
  readonly lossless?: boolean;
}

/** The options of an authentication webhook. */
export interface AuthenticatorOptions {
  /** The HTTP path of the webhook. @default '/authenticate' */
  readonly path?: string;
}
