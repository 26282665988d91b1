import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import type { ProjectSettings } from '../project/project-settings.js';

/** What the manifests of an operator are made of. */
export interface ManifestsInput {
  readonly settings: ProjectSettings;
  /** The kinds that the operator brings along. */
  readonly crds: readonly CustomResourceDefinition[];
  readonly operator: DeployedOperator;
  readonly rights: DeployedRights;
  /** The release, such as '1.2.0', for the label `app.kubernetes.io/version`. @default no such label */
  readonly version?: string;
}

/** What the manifests have to know of a description of an operator. */
export interface DeployedOperator {
  readonly leaderElection?: { readonly name: string; readonly namespace?: string };
  readonly metrics: { readonly port: number; readonly secure: boolean; readonly protect: boolean } | false;
  readonly health: { readonly port: number; readonly livenessPath?: string; readonly readinessPath?: string } | false;
  /** The namespaces that it works in; undefined for all. */
  readonly namespaces?: readonly string[];
  /** How long it may take to stop, in milliseconds; undefined for as long as it likes. @default 30 s */
  readonly gracePeriodMs?: number;
}

/** What the operator may do. */
export interface DeployedRights {
  readonly cluster: readonly object[];
  readonly namespaced: readonly object[];
}
