import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import type { ControllerDescription, DescribedKind, OperatorDescription } from '@kubewright/runtime';
import type { OperatorPermissions } from '@kubewright/api/rbac';

/** The names of a kind. */
export interface InspectedKindName {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The plural; undefined if only discovery can determine it. */
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
  /** The source that declares the kind, relative to the folder of the project, such as 'src/api/v1/foo.ts'. */
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

/** An `OperatorDescription` with the names of its kinds. The permissions of its rules are in `permissions`. */
export interface InspectedOperator extends Omit<OperatorDescription, 'controllers' | 'rules'> {
  readonly controllers: readonly InspectedController[];
}

/** The declarations of a project, as plain data. */
export interface InspectedProject {
  /**
   * All declared kinds, sorted by group, kind, and file:
   *
   * - kinds that are exported below src/api
   * - reconciled kinds that other sources of the project declare
   * - all versions of reconciled kinds that linked packages declare
   */
  readonly kinds: readonly InspectedKind[];
  /** One definition for each kind that is not external, with descriptions from doc comments; sorted by name. */
  readonly crds: readonly CustomResourceDefinition[];
  /** One definition for each external kind that the project declares or its controllers use, for servers without the other operator. */
  readonly externalCrds: readonly CustomResourceDefinition[];
  /** Properties of definitions and roles that a server accepts but that are probably unintended, one sentence each. */
  readonly warnings: readonly string[];
  readonly operator: InspectedOperator;
  /** The permissions that the operator requires. */
  readonly permissions: OperatorPermissions;
}
