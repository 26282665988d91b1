import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import type { ControllerDescription, DescribedKind, OperatorDescription } from '@kubewright/runtime';
import type { OperatorRights } from '@kubewright/api/rbac';

/** The names of a kind. */
export interface InspectedKindName {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Undefined where only discovery knows it. */
  readonly plural?: string;
  /** Undefined where only discovery knows it. */
  readonly namespaced?: boolean;
}

/** A kind that a project declares. */
export interface InspectedKind extends InspectedKindName {
  readonly plural: string;
  readonly namespaced: boolean;
  /** Whether another operator brings its CustomResourceDefinition. */
  readonly external: boolean;
  /** The source that declares it, relative to the folder of the project, such as 'src/api/v1/foo.ts'. */
  readonly file: string;
}

/** A `DescribedKind` with the names of the kind. */
export interface InspectedUse extends Omit<DescribedKind, 'kind'> {
  readonly kind: InspectedKindName;
}

/** A `ControllerDescription` with the names of its kinds. */
export interface InspectedController
  extends Omit<ControllerDescription, 'for' | 'owns' | 'watches' | 'reads' | 'rules'> {
  readonly for?: InspectedUse;
  readonly owns: readonly InspectedUse[];
  readonly watches: readonly InspectedUse[];
  readonly reads: readonly InspectedUse[];
}

/** An `OperatorDescription` with the names of its kinds; what its rules give is among the rights. */
export interface InspectedOperator extends Omit<OperatorDescription, 'controllers' | 'rules'> {
  readonly controllers: readonly InspectedController[];
}

/** What a project declares, as plain data. */
export interface InspectedProject {
  /**
   * Every kind that is exported below src/api, those that controllers are for and other sources of the project declare, and all versions of
   * those that controllers are for and packages declare which are developed beside it; by group, kind and file.
   */
  readonly kinds: readonly InspectedKind[];
  /** One for each kind that is not external, with descriptions out of doc comments; by name. */
  readonly crds: readonly CustomResourceDefinition[];
  /** One for each external kind that the project declares or its controllers work with: for servers that have no other operator. */
  readonly externalCrds: readonly CustomResourceDefinition[];
  /** What a server takes of the definitions and roles, but what may not be meant: a sentence each. */
  readonly warnings: readonly string[];
  readonly operator: InspectedOperator;
  /** What the operator needs to be allowed. */
  readonly rights: OperatorRights;
}
