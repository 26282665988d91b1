// Made by scripts/generate-built-ins.mjs from the schemas of Kubernetes v1.36.3. Do not edit.
import { type BuiltInPart, builtInPart } from '../../built-in/built-in-kind.js';
import { definitions } from './v1-definitions.js';

export interface APIGroup {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly name: string;
  readonly preferredVersion?: GroupVersionForDiscovery | undefined;
  readonly serverAddressByClientCIDRs?: readonly ServerAddressByClientCIDR[] | undefined;
  readonly versions: readonly GroupVersionForDiscovery[];
}
export const APIGroup: BuiltInPart<APIGroup> = /* @__PURE__ */ builtInPart(definitions, 'APIGroup');

export interface APIGroupList {
  readonly apiVersion?: string | undefined;
  readonly groups: readonly APIGroup[];
  readonly kind?: string | undefined;
}
export const APIGroupList: BuiltInPart<APIGroupList> = /* @__PURE__ */ builtInPart(definitions, 'APIGroupList');

export interface APIResource {
  readonly categories?: readonly string[] | undefined;
  readonly group?: string | undefined;
  readonly kind: string;
  readonly name: string;
  readonly namespaced: boolean;
  readonly shortNames?: readonly string[] | undefined;
  readonly singularName: string;
  readonly storageVersionHash?: string | undefined;
  readonly verbs: readonly string[];
  readonly version?: string | undefined;
}
export const APIResource: BuiltInPart<APIResource> = /* @__PURE__ */ builtInPart(definitions, 'APIResource');

export interface APIResourceList {
  readonly apiVersion?: string | undefined;
  readonly groupVersion: string;
  readonly kind?: string | undefined;
  readonly resources: readonly APIResource[];
}
export const APIResourceList: BuiltInPart<APIResourceList> = /* @__PURE__ */ builtInPart(definitions, 'APIResourceList');

export interface APIVersions {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly serverAddressByClientCIDRs: readonly ServerAddressByClientCIDR[];
  readonly versions: readonly string[];
}
export const APIVersions: BuiltInPart<APIVersions> = /* @__PURE__ */ builtInPart(definitions, 'APIVersions');

export interface Condition {
  readonly lastTransitionTime: string;
  readonly message: string;
  readonly observedGeneration?: number | undefined;
  readonly reason: string;
  readonly status: string;
  readonly type: string;
}
export const Condition: BuiltInPart<Condition> = /* @__PURE__ */ builtInPart(definitions, 'Condition');

export interface DeleteOptions {
  readonly apiVersion?: string | undefined;
  readonly dryRun?: readonly string[] | undefined;
  readonly gracePeriodSeconds?: number | undefined;
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean | undefined;
  readonly kind?: string | undefined;
  readonly orphanDependents?: boolean | undefined;
  readonly preconditions?: Preconditions | undefined;
  readonly propagationPolicy?: string | undefined;
}
export const DeleteOptions: BuiltInPart<DeleteOptions> = /* @__PURE__ */ builtInPart(definitions, 'DeleteOptions');

export interface FieldSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
}
export const FieldSelectorRequirement: BuiltInPart<FieldSelectorRequirement> = /* @__PURE__ */ builtInPart(definitions, 'FieldSelectorRequirement');

export interface GroupVersionForDiscovery {
  readonly groupVersion: string;
  readonly version: string;
}
export const GroupVersionForDiscovery: BuiltInPart<GroupVersionForDiscovery> = /* @__PURE__ */ builtInPart(definitions, 'GroupVersionForDiscovery');

export interface LabelSelector {
  readonly matchExpressions?: readonly LabelSelectorRequirement[] | undefined;
  readonly matchLabels?: Readonly<Record<string, string>> | undefined;
}
export const LabelSelector: BuiltInPart<LabelSelector> = /* @__PURE__ */ builtInPart(definitions, 'LabelSelector');

export interface LabelSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
}
export const LabelSelectorRequirement: BuiltInPart<LabelSelectorRequirement> = /* @__PURE__ */ builtInPart(definitions, 'LabelSelectorRequirement');

export interface ListMeta {
  readonly continue?: string | undefined;
  readonly remainingItemCount?: number | undefined;
  readonly resourceVersion?: string | undefined;
  readonly selfLink?: string | undefined;
  readonly shardInfo?: ShardInfo | undefined;
}
export const ListMeta: BuiltInPart<ListMeta> = /* @__PURE__ */ builtInPart(definitions, 'ListMeta');

export interface ManagedFieldsEntry {
  readonly apiVersion?: string | undefined;
  readonly fieldsType?: string | undefined;
  readonly fieldsV1?: Readonly<Record<string, unknown>> | undefined;
  readonly manager?: string | undefined;
  readonly operation?: string | undefined;
  readonly subresource?: string | undefined;
  readonly time?: string | undefined;
}
export const ManagedFieldsEntry: BuiltInPart<ManagedFieldsEntry> = /* @__PURE__ */ builtInPart(definitions, 'ManagedFieldsEntry');

export interface ObjectMeta {
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly creationTimestamp?: string | undefined;
  readonly deletionGracePeriodSeconds?: number | undefined;
  readonly deletionTimestamp?: string | undefined;
  readonly finalizers?: readonly string[] | undefined;
  readonly generateName?: string | undefined;
  readonly generation?: number | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly managedFields?: readonly ManagedFieldsEntry[] | undefined;
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly ownerReferences?: readonly OwnerReference[] | undefined;
  readonly resourceVersion?: string | undefined;
  readonly selfLink?: string | undefined;
  readonly uid?: string | undefined;
}
export const ObjectMeta: BuiltInPart<ObjectMeta> = /* @__PURE__ */ builtInPart(definitions, 'ObjectMeta');

export interface OwnerReference {
  readonly apiVersion: string;
  readonly blockOwnerDeletion?: boolean | undefined;
  readonly controller?: boolean | undefined;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}
export const OwnerReference: BuiltInPart<OwnerReference> = /* @__PURE__ */ builtInPart(definitions, 'OwnerReference');

export interface Preconditions {
  readonly resourceVersion?: string | undefined;
  readonly uid?: string | undefined;
}
export const Preconditions: BuiltInPart<Preconditions> = /* @__PURE__ */ builtInPart(definitions, 'Preconditions');

export interface ServerAddressByClientCIDR {
  readonly clientCIDR: string;
  readonly serverAddress: string;
}
export const ServerAddressByClientCIDR: BuiltInPart<ServerAddressByClientCIDR> = /* @__PURE__ */ builtInPart(definitions, 'ServerAddressByClientCIDR');

export interface ShardInfo {
  readonly selector: string;
}
export const ShardInfo: BuiltInPart<ShardInfo> = /* @__PURE__ */ builtInPart(definitions, 'ShardInfo');

export interface Status {
  readonly apiVersion?: string | undefined;
  readonly code?: number | undefined;
  readonly details?: StatusDetails | undefined;
  readonly kind?: string | undefined;
  readonly message?: string | undefined;
  readonly metadata?: ListMeta | undefined;
  readonly reason?: string | undefined;
  readonly status?: string | undefined;
}
export const Status: BuiltInPart<Status> = /* @__PURE__ */ builtInPart(definitions, 'Status');

export interface StatusCause {
  readonly field?: string | undefined;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
}
export const StatusCause: BuiltInPart<StatusCause> = /* @__PURE__ */ builtInPart(definitions, 'StatusCause');

export interface StatusDetails {
  readonly causes?: readonly StatusCause[] | undefined;
  readonly group?: string | undefined;
  readonly kind?: string | undefined;
  readonly name?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly uid?: string | undefined;
}
export const StatusDetails: BuiltInPart<StatusDetails> = /* @__PURE__ */ builtInPart(definitions, 'StatusDetails');

export interface WatchEvent {
  readonly object: Readonly<Record<string, unknown>>;
  readonly type: string;
}
export const WatchEvent: BuiltInPart<WatchEvent> = /* @__PURE__ */ builtInPart(definitions, 'WatchEvent');
