import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import type { ControllerDescription, DescribedKind, OperatorDescription } from '@kubewright/runtime';
import type {
  DescribedAdmissionWebhook,
  DescribedConversion,
  DescribedPolicy,
  DescribedWebhooks,
} from '@kubewright/runtime';
import type { AdmissionSchemas } from '@kubewright/api/cel';
import type { OperatorPermissions } from '@kubewright/api/rbac';

/** The names of a kind. Replaces the class of the kind, which cannot be sent to another process. */
export interface InspectedKindName {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The plural; undefined if only discovery can determine the plural. */
  readonly plural?: string;
  /** Whether the kind is namespaced; undefined if only discovery can determine the scope. */
  readonly namespaced?: boolean;
}

/** A kind that a project declares. */
export interface InspectedKind extends InspectedKindName {
  readonly plural: string;
  readonly namespaced: boolean;
  /** Whether the CustomResourceDefinition belongs to another operator. */
  readonly external: boolean;
  /** The path of the source that declares the kind, relative to the project, such as 'src/api/v1/foo.ts'. */
  readonly file: string;
}

/** A `DescribedKind` with the names instead of the class of the kind. */
export interface InspectedUse extends Omit<DescribedKind, 'kind'> {
  readonly kind: InspectedKindName;
}

/** A `ControllerDescription` with the names instead of the classes of the kinds. */
export interface InspectedController
  extends Omit<ControllerDescription, 'for' | 'owns' | 'watches' | 'reads' | 'rules'> {
  readonly for?: InspectedUse;
  readonly owns: readonly InspectedUse[];
  readonly watches: readonly InspectedUse[];
  readonly reads: readonly InspectedUse[];
}

/** A `DescribedAdmissionWebhook` with the names instead of the class of the kind. */
export interface InspectedAdmissionWebhook extends Omit<DescribedAdmissionWebhook, 'kind'> {
  readonly kind: InspectedKindName;
}

/** A `DescribedConversion` with the names instead of the classes of the kinds. */
export interface InspectedConversion extends Omit<DescribedConversion, 'hub' | 'spokes'> {
  readonly hub: InspectedKindName;
  readonly spokes: readonly InspectedKindName[];
}

/** The `DescribedWebhooks` with the names instead of the classes of the kinds. */
export interface InspectedWebhooks extends Omit<DescribedWebhooks, 'admission' | 'conversions'> {
  readonly admission: readonly InspectedAdmissionWebhook[];
  readonly conversions: readonly InspectedConversion[];
}

/** A `DescribedPolicy` with the names instead of the classes of the kinds, and with the schemas of the kinds. */
export interface InspectedPolicy extends Omit<DescribedPolicy, 'kind' | 'params'> {
  readonly kind: InspectedKindName;
  readonly params?: InspectedKindName;
  /** The schemas with which the expressions are checked. */
  readonly schemas: AdmissionSchemas;
}

/** An `OperatorDescription` with the names instead of the classes of the kinds. `InspectedProject.permissions` replaces the RBAC rules. */
export interface InspectedOperator
  extends Omit<OperatorDescription, 'controllers' | 'rules' | 'webhooks' | 'policies'> {
  readonly controllers: readonly InspectedController[];
  /** The webhooks. Undefined if the operator has none. */
  readonly webhooks?: InspectedWebhooks;
  /** The admission policies. Undefined if the operator has none. */
  readonly policies?: readonly InspectedPolicy[];
}

/** The kinds, controllers, and permissions that a project declares, as plain data. */
export interface InspectedProject {
  /**
   * All declared kinds, sorted by group, kind, and file:
   *
   * - kinds that are exported below src/api
   * - reconciled kinds and parameter kinds of policies, if other sources of the project declare these kinds
   * - all versions of reconciled kinds that linked packages declare
   */
  readonly kinds: readonly InspectedKind[];
  /** One CustomResourceDefinition for each kind that is not external, sorted by name, with descriptions from doc comments. */
  readonly crds: readonly CustomResourceDefinition[];
  /**
   * One CustomResourceDefinition for each external kind. `kubewright dev` installs these definitions in the embedded API server, because
   * the operators that own the kinds do not run there.
   */
  readonly externalCrds: readonly CustomResourceDefinition[];
  /** Warnings about valid but probably unintended properties of definitions and roles, one sentence each. */
  readonly warnings: readonly string[];
  readonly operator: InspectedOperator;
  /** The permissions that the operator requires. */
  readonly permissions: OperatorPermissions;
}
