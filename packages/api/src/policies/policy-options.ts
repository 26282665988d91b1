import type { LabelSelector } from '../generated/meta/v1.js';
import type { KindRef } from '../objects/kube-object.js';
import type { AdmissionOperation } from '../webhooks/admission-context.js';
import type { WebhookCondition } from '../webhooks/webhook-options.js';

/** A CEL rule of a policy, with the same field names as `@Rule`. The API server rejects a request if the rule is false. */
export interface PolicyValidation {
  /**
   * A CEL expression that evaluates to a boolean. Can read `object`, `oldObject`, `request`, `namespaceObject`, `authorizer`, `variables`,
   * and `params` if the policy has parameters. `object` is null on delete, and `oldObject` is null on create.
   */
  readonly rule: string;
  /** The message of a rejected request, on one line. @default 'failed expression: <rule>' */
  readonly message?: string;
  /** A CEL expression for the message. Used instead of `message`, unless its evaluation fails. Cannot read `authorizer`. @default none */
  readonly messageExpression?: string;
  /**
   * The reason of a rejected request, which determines its status: 422 for 'Invalid', 403 for 'Forbidden', 413 for 'RequestEntityTooLarge'.
   * @default 'Invalid'
   */
  readonly reason?: 'Invalid' | 'Forbidden' | 'RequestEntityTooLarge';
}

/** A change of a mutating policy: an object that the API server merges by the rules of server-side apply, or a JSON patch. */
export type PolicyMutation =
  | {
      /** A CEL expression that evaluates to an `Object`, such as `Object{spec: Object.spec{timeZone: "Etc/UTC"}}`. */
      readonly apply: string;
      readonly patch?: undefined;
    }
  | {
      /** A CEL expression that evaluates to a list of `JSONPatch`, such as `[JSONPatch{op: "remove", path: "/spec/timeZone"}]`. */
      readonly patch: string;
      readonly apply?: undefined;
    };

/** The parameters of a binding. Each parameter is an object of the kind in the option `params` of the policy. */
export interface PolicyParams {
  /** The name of the object. Set either `name` or `selector`. */
  readonly name?: string;
  /** Selects the objects by their labels. The API server evaluates the policy once for each selected object. */
  readonly selector?: LabelSelector;
  /** The namespace of the objects, for a namespaced kind. @default the namespace of the request */
  readonly namespace?: string;
  /** What the API server does if no object exists: rejects the request ('Deny'), or skips the binding ('Allow'). @default 'Deny' */
  readonly onMissing?: 'Deny' | 'Allow';
}

/** A binding of a policy. Determines the actions after a violation, the objects to which the policy applies, and the parameters. */
export interface PolicyBinding {
  /** A name that is unique within the policy, such as 'production'. Required if the policy has several bindings. */
  readonly name?: string;
  /**
   * The actions after a violation: reject the request ('Deny'), add a warning to the response ('Warn'), or annotate the audit event
   * ('Audit'). 'Deny' and 'Warn' exclude each other. Not for mutating policies. @default ['Deny']
   */
  readonly actions?: readonly ('Deny' | 'Warn' | 'Audit')[];
  /** The parameters. Required if the policy has the option `params`. @default none */
  readonly params?: PolicyParams;
  /** Selects the namespaces by their labels, in addition to the selector of the policy. @default all namespaces of the policy */
  readonly namespaceSelector?: LabelSelector;
  /** Selects the objects by their labels, in addition to the selector of the policy. @default all objects of the policy */
  readonly objectSelector?: LabelSelector;
}

/**
 * The options of `@Policy`. A policy with `mutations` becomes a MutatingAdmissionPolicy. A policy with `validations` or `auditAnnotations`
 * becomes a ValidatingAdmissionPolicy.
 */
export interface PolicyOptions {
  /** The kind whose requests the policy applies to. */
  readonly for: KindRef;
  /** The subresource whose requests the policy applies to, such as 'status', 'scale' or 'eviction'. @default the object itself */
  readonly subresource?: string;
  /** The operations to which the policy applies. A mutating policy does not support 'delete'. @default ['create', 'update'] */
  readonly operations?: readonly AdmissionOperation[];
  /**
   * CEL expressions by the name of the variable. Other expressions read them as `variables.<name>`. A variable can read the variables
   * before it. The API server evaluates each variable at most once per request, when an expression reads it. @default none
   */
  readonly variables?: Readonly<Record<string, string>>;
  /** The rules. The API server evaluates all rules, and returns the message of the first violated rule. @default none */
  readonly validations?: readonly PolicyValidation[];
  /**
   * CEL expressions for annotations of the audit event, by key. An expression evaluates to a string, or to null for no annotation. @default
   * none
   */
  readonly auditAnnotations?: Readonly<Record<string, string>>;
  /** The changes, in order. Each change reads the object that the previous change returned. @default none */
  readonly mutations?: readonly PolicyMutation[];
  /** Conditions in CEL. The API server evaluates the policy only if all conditions are true. They cannot read `variables`. @default none */
  readonly matchConditions?: readonly WebhookCondition[];
  /** Selects the namespaces of the objects by their labels. @default all namespaces */
  readonly namespaceSelector?: LabelSelector;
  /** Selects the objects by their labels. Users can bypass the policy by changing labels. @default all objects */
  readonly objectSelector?: LabelSelector;
  /**
   * The effect of an error in the evaluation of an expression: the request is rejected ('Fail'), or the policy is ignored ('Ignore').
   * @default 'Fail'
   */
  readonly failurePolicy?: 'Fail' | 'Ignore';
  /**
   * Whether the policy also applies to requests to other versions of the kind ('Equivalent'). The API server converts these objects to the
   * version in `for`. @default 'Equivalent'
   */
  readonly matchPolicy?: 'Exact' | 'Equivalent';
  /** Whether the API server may evaluate a mutating policy again after later changes of the object ('IfNeeded'). @default 'Never' */
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded';
  /** The kind of the parameters, which expressions read as `params`. Each binding selects the objects. @default no parameters */
  readonly params?: KindRef;
  /** The bindings. @default one binding without restrictions, with the action 'Deny' */
  readonly bindings?: readonly PolicyBinding[];
  /**
   * The name of the policy: a DNS label. The name of the operator precedes it in the cluster. @default the class name in kebab case,
   * without the suffix Policy
   */
  readonly name?: string;
}
