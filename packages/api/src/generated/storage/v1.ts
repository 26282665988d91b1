// Made by scripts/generate-built-ins.mjs from the schemas of Kubernetes v1.36.3. Do not edit.
import { type BuiltInKind, builtInKind, type BuiltInPart, builtInPart } from '../../built-in/built-in-kind.js';
import type { KubeObject } from '../../objects/kube-object.js';
import type * as core_v1 from '../core/v1.js';
import type * as meta_v1 from '../meta/v1.js';
import { definitions } from './v1-definitions.js';

export interface CSIDriver extends KubeObject {
  readonly apiVersion: 'storage.k8s.io/v1';
  readonly kind: 'CSIDriver';
  readonly spec: CSIDriverSpec;
}
export const CSIDriver: BuiltInKind<CSIDriver> = /* @__PURE__ */ builtInKind(definitions, 'CSIDriver');

export interface CSIDriverSpec {
  readonly attachRequired?: boolean | undefined;
  readonly fsGroupPolicy?: string | undefined;
  readonly nodeAllocatableUpdatePeriodSeconds?: number | undefined;
  readonly podInfoOnMount?: boolean | undefined;
  readonly preventPodSchedulingIfMissing?: boolean | undefined;
  readonly requiresRepublish?: boolean | undefined;
  readonly seLinuxMount?: boolean | undefined;
  readonly serviceAccountTokenInSecrets?: boolean | undefined;
  readonly storageCapacity?: boolean | undefined;
  readonly tokenRequests?: readonly TokenRequest[] | undefined;
  readonly volumeLifecycleModes?: readonly string[] | undefined;
}
export const CSIDriverSpec: BuiltInPart<CSIDriverSpec> = /* @__PURE__ */ builtInPart(definitions, 'CSIDriverSpec');

export interface CSINode extends KubeObject {
  readonly apiVersion: 'storage.k8s.io/v1';
  readonly kind: 'CSINode';
  readonly spec: CSINodeSpec;
}
export const CSINode: BuiltInKind<CSINode> = /* @__PURE__ */ builtInKind(definitions, 'CSINode');

export interface CSINodeDriver {
  readonly allocatable?: VolumeNodeResources | undefined;
  readonly name: string;
  readonly nodeID: string;
  readonly topologyKeys?: readonly string[] | undefined;
}
export const CSINodeDriver: BuiltInPart<CSINodeDriver> = /* @__PURE__ */ builtInPart(definitions, 'CSINodeDriver');

export interface CSINodeSpec {
  readonly drivers: readonly CSINodeDriver[];
}
export const CSINodeSpec: BuiltInPart<CSINodeSpec> = /* @__PURE__ */ builtInPart(definitions, 'CSINodeSpec');

export interface CSIStorageCapacity extends KubeObject {
  readonly apiVersion: 'storage.k8s.io/v1';
  readonly kind: 'CSIStorageCapacity';
  readonly capacity?: string | undefined;
  readonly maximumVolumeSize?: string | undefined;
  readonly nodeTopology?: meta_v1.LabelSelector | undefined;
  readonly storageClassName: string;
}
export const CSIStorageCapacity: BuiltInKind<CSIStorageCapacity> = /* @__PURE__ */ builtInKind(definitions, 'CSIStorageCapacity');

export interface StorageClass extends KubeObject {
  readonly apiVersion: 'storage.k8s.io/v1';
  readonly kind: 'StorageClass';
  readonly allowVolumeExpansion?: boolean | undefined;
  readonly allowedTopologies?: readonly core_v1.TopologySelectorTerm[] | undefined;
  readonly mountOptions?: readonly string[] | undefined;
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  readonly provisioner: string;
  readonly reclaimPolicy?: string | undefined;
  readonly volumeBindingMode?: string | undefined;
}
export const StorageClass: BuiltInKind<StorageClass> = /* @__PURE__ */ builtInKind(definitions, 'StorageClass');

export interface TokenRequest {
  readonly audience: string;
  readonly expirationSeconds?: number | undefined;
}
export const TokenRequest: BuiltInPart<TokenRequest> = /* @__PURE__ */ builtInPart(definitions, 'TokenRequest');

export interface VolumeAttachment extends KubeObject {
  readonly apiVersion: 'storage.k8s.io/v1';
  readonly kind: 'VolumeAttachment';
  readonly spec: VolumeAttachmentSpec;
  readonly status?: VolumeAttachmentStatus | undefined;
}
export const VolumeAttachment: BuiltInKind<VolumeAttachment> = /* @__PURE__ */ builtInKind(definitions, 'VolumeAttachment');

export interface VolumeAttachmentSource {
  readonly inlineVolumeSpec?: core_v1.PersistentVolumeSpec | undefined;
  readonly persistentVolumeName?: string | undefined;
}
export const VolumeAttachmentSource: BuiltInPart<VolumeAttachmentSource> = /* @__PURE__ */ builtInPart(definitions, 'VolumeAttachmentSource');

export interface VolumeAttachmentSpec {
  readonly attacher: string;
  readonly nodeName: string;
  readonly source: VolumeAttachmentSource;
}
export const VolumeAttachmentSpec: BuiltInPart<VolumeAttachmentSpec> = /* @__PURE__ */ builtInPart(definitions, 'VolumeAttachmentSpec');

export interface VolumeAttachmentStatus {
  readonly attachError?: VolumeError | undefined;
  readonly attached: boolean;
  readonly attachmentMetadata?: Readonly<Record<string, string>> | undefined;
  readonly detachError?: VolumeError | undefined;
}
export const VolumeAttachmentStatus: BuiltInPart<VolumeAttachmentStatus> = /* @__PURE__ */ builtInPart(definitions, 'VolumeAttachmentStatus');

export interface VolumeAttributesClass extends KubeObject {
  readonly apiVersion: 'storage.k8s.io/v1';
  readonly kind: 'VolumeAttributesClass';
  readonly driverName: string;
  readonly parameters?: Readonly<Record<string, string>> | undefined;
}
export const VolumeAttributesClass: BuiltInKind<VolumeAttributesClass> = /* @__PURE__ */ builtInKind(definitions, 'VolumeAttributesClass');

export interface VolumeError {
  readonly errorCode?: number | undefined;
  readonly message?: string | undefined;
  readonly time?: string | undefined;
}
export const VolumeError: BuiltInPart<VolumeError> = /* @__PURE__ */ builtInPart(definitions, 'VolumeError');

export interface VolumeNodeResources {
  readonly count?: number | undefined;
}
export const VolumeNodeResources: BuiltInPart<VolumeNodeResources> = /* @__PURE__ */ builtInPart(definitions, 'VolumeNodeResources');
