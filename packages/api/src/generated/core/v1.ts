// Made by scripts/generate-built-ins.mjs from the schemas of Kubernetes v1.36.3. Do not edit.
import { type BuiltInKind, builtInKind, type BuiltInPart, builtInPart } from '../../built-in/built-in-kind.js';
import type { KubeObject } from '../../objects/kube-object.js';
import type * as meta_v1 from '../meta/v1.js';
import { definitions } from './v1-definitions.js';

export interface AWSElasticBlockStoreVolumeSource {
  readonly fsType?: string | undefined;
  readonly partition?: number | undefined;
  readonly readOnly?: boolean | undefined;
  readonly volumeID: string;
}
export const AWSElasticBlockStoreVolumeSource: BuiltInPart<AWSElasticBlockStoreVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'AWSElasticBlockStoreVolumeSource');

export interface Affinity {
  readonly nodeAffinity?: NodeAffinity | undefined;
  readonly podAffinity?: PodAffinity | undefined;
  readonly podAntiAffinity?: PodAntiAffinity | undefined;
}
export const Affinity: BuiltInPart<Affinity> = /* @__PURE__ */ builtInPart(definitions, 'Affinity');

export interface AppArmorProfile {
  readonly localhostProfile?: string | undefined;
  readonly type: string;
}
export const AppArmorProfile: BuiltInPart<AppArmorProfile> = /* @__PURE__ */ builtInPart(definitions, 'AppArmorProfile');

export interface AttachedVolume {
  readonly devicePath: string;
  readonly name: string;
}
export const AttachedVolume: BuiltInPart<AttachedVolume> = /* @__PURE__ */ builtInPart(definitions, 'AttachedVolume');

export interface AzureDiskVolumeSource {
  readonly cachingMode?: string | undefined;
  readonly diskName: string;
  readonly diskURI: string;
  readonly fsType?: string | undefined;
  readonly kind?: string | undefined;
  readonly readOnly?: boolean | undefined;
}
export const AzureDiskVolumeSource: BuiltInPart<AzureDiskVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'AzureDiskVolumeSource');

export interface AzureFilePersistentVolumeSource {
  readonly readOnly?: boolean | undefined;
  readonly secretName: string;
  readonly secretNamespace?: string | undefined;
  readonly shareName: string;
}
export const AzureFilePersistentVolumeSource: BuiltInPart<AzureFilePersistentVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'AzureFilePersistentVolumeSource');

export interface AzureFileVolumeSource {
  readonly readOnly?: boolean | undefined;
  readonly secretName: string;
  readonly shareName: string;
}
export const AzureFileVolumeSource: BuiltInPart<AzureFileVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'AzureFileVolumeSource');

export interface Binding extends KubeObject {
  readonly apiVersion: 'v1';
  readonly kind: 'Binding';
  readonly target: ObjectReference;
}
export const Binding: BuiltInKind<Binding> = /* @__PURE__ */ builtInKind(definitions, 'Binding');

export interface CSIPersistentVolumeSource {
  readonly controllerExpandSecretRef?: SecretReference | undefined;
  readonly controllerPublishSecretRef?: SecretReference | undefined;
  readonly driver: string;
  readonly fsType?: string | undefined;
  readonly nodeExpandSecretRef?: SecretReference | undefined;
  readonly nodePublishSecretRef?: SecretReference | undefined;
  readonly nodeStageSecretRef?: SecretReference | undefined;
  readonly readOnly?: boolean | undefined;
  readonly volumeAttributes?: Readonly<Record<string, string>> | undefined;
  readonly volumeHandle: string;
}
export const CSIPersistentVolumeSource: BuiltInPart<CSIPersistentVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'CSIPersistentVolumeSource');

export interface CSIVolumeSource {
  readonly driver: string;
  readonly fsType?: string | undefined;
  readonly nodePublishSecretRef?: LocalObjectReference | undefined;
  readonly readOnly?: boolean | undefined;
  readonly volumeAttributes?: Readonly<Record<string, string>> | undefined;
}
export const CSIVolumeSource: BuiltInPart<CSIVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'CSIVolumeSource');

export interface Capabilities {
  readonly add?: readonly string[] | undefined;
  readonly drop?: readonly string[] | undefined;
}
export const Capabilities: BuiltInPart<Capabilities> = /* @__PURE__ */ builtInPart(definitions, 'Capabilities');

export interface CephFSPersistentVolumeSource {
  readonly monitors: readonly string[];
  readonly path?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly secretFile?: string | undefined;
  readonly secretRef?: SecretReference | undefined;
  readonly user?: string | undefined;
}
export const CephFSPersistentVolumeSource: BuiltInPart<CephFSPersistentVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'CephFSPersistentVolumeSource');

export interface CephFSVolumeSource {
  readonly monitors: readonly string[];
  readonly path?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly secretFile?: string | undefined;
  readonly secretRef?: LocalObjectReference | undefined;
  readonly user?: string | undefined;
}
export const CephFSVolumeSource: BuiltInPart<CephFSVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'CephFSVolumeSource');

export interface CinderPersistentVolumeSource {
  readonly fsType?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly secretRef?: SecretReference | undefined;
  readonly volumeID: string;
}
export const CinderPersistentVolumeSource: BuiltInPart<CinderPersistentVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'CinderPersistentVolumeSource');

export interface CinderVolumeSource {
  readonly fsType?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly secretRef?: LocalObjectReference | undefined;
  readonly volumeID: string;
}
export const CinderVolumeSource: BuiltInPart<CinderVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'CinderVolumeSource');

export interface ClientIPConfig {
  readonly timeoutSeconds?: number | undefined;
}
export const ClientIPConfig: BuiltInPart<ClientIPConfig> = /* @__PURE__ */ builtInPart(definitions, 'ClientIPConfig');

export interface ClusterTrustBundleProjection {
  readonly labelSelector?: meta_v1.LabelSelector | undefined;
  readonly name?: string | undefined;
  readonly optional?: boolean | undefined;
  readonly path: string;
  readonly signerName?: string | undefined;
}
export const ClusterTrustBundleProjection: BuiltInPart<ClusterTrustBundleProjection> = /* @__PURE__ */ builtInPart(definitions, 'ClusterTrustBundleProjection');

export interface ComponentCondition {
  readonly error?: string | undefined;
  readonly message?: string | undefined;
  readonly status: string;
  readonly type: string;
}
export const ComponentCondition: BuiltInPart<ComponentCondition> = /* @__PURE__ */ builtInPart(definitions, 'ComponentCondition');

export interface ComponentStatus extends KubeObject {
  readonly apiVersion: 'v1';
  readonly kind: 'ComponentStatus';
  readonly conditions?: readonly ComponentCondition[] | undefined;
}
export const ComponentStatus: BuiltInKind<ComponentStatus> = /* @__PURE__ */ builtInKind(definitions, 'ComponentStatus');

export interface ConfigMap extends KubeObject {
  readonly apiVersion: 'v1';
  readonly kind: 'ConfigMap';
  readonly binaryData?: Readonly<Record<string, string>> | undefined;
  readonly data?: Readonly<Record<string, string>> | undefined;
  readonly immutable?: boolean | undefined;
}
export const ConfigMap: BuiltInKind<ConfigMap> = /* @__PURE__ */ builtInKind(definitions, 'ConfigMap');

export interface ConfigMapEnvSource {
  readonly name?: string | undefined;
  readonly optional?: boolean | undefined;
}
export const ConfigMapEnvSource: BuiltInPart<ConfigMapEnvSource> = /* @__PURE__ */ builtInPart(definitions, 'ConfigMapEnvSource');

export interface ConfigMapKeySelector {
  readonly key: string;
  readonly name?: string | undefined;
  readonly optional?: boolean | undefined;
}
export const ConfigMapKeySelector: BuiltInPart<ConfigMapKeySelector> = /* @__PURE__ */ builtInPart(definitions, 'ConfigMapKeySelector');

export interface ConfigMapNodeConfigSource {
  readonly kubeletConfigKey: string;
  readonly name: string;
  readonly namespace: string;
  readonly resourceVersion?: string | undefined;
  readonly uid?: string | undefined;
}
export const ConfigMapNodeConfigSource: BuiltInPart<ConfigMapNodeConfigSource> = /* @__PURE__ */ builtInPart(definitions, 'ConfigMapNodeConfigSource');

export interface ConfigMapProjection {
  readonly items?: readonly KeyToPath[] | undefined;
  readonly name?: string | undefined;
  readonly optional?: boolean | undefined;
}
export const ConfigMapProjection: BuiltInPart<ConfigMapProjection> = /* @__PURE__ */ builtInPart(definitions, 'ConfigMapProjection');

export interface ConfigMapVolumeSource {
  readonly defaultMode?: number | undefined;
  readonly items?: readonly KeyToPath[] | undefined;
  readonly name?: string | undefined;
  readonly optional?: boolean | undefined;
}
export const ConfigMapVolumeSource: BuiltInPart<ConfigMapVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'ConfigMapVolumeSource');

export interface Container {
  readonly args?: readonly string[] | undefined;
  readonly command?: readonly string[] | undefined;
  readonly env?: readonly EnvVar[] | undefined;
  readonly envFrom?: readonly EnvFromSource[] | undefined;
  readonly image?: string | undefined;
  readonly imagePullPolicy?: string | undefined;
  readonly lifecycle?: Lifecycle | undefined;
  readonly livenessProbe?: Probe | undefined;
  readonly name: string;
  readonly ports?: readonly ContainerPort[] | undefined;
  readonly readinessProbe?: Probe | undefined;
  readonly resizePolicy?: readonly ContainerResizePolicy[] | undefined;
  readonly resources?: ResourceRequirements | undefined;
  readonly restartPolicy?: string | undefined;
  readonly restartPolicyRules?: readonly ContainerRestartRule[] | undefined;
  readonly securityContext?: SecurityContext | undefined;
  readonly startupProbe?: Probe | undefined;
  readonly stdin?: boolean | undefined;
  readonly stdinOnce?: boolean | undefined;
  readonly terminationMessagePath?: string | undefined;
  readonly terminationMessagePolicy?: string | undefined;
  readonly tty?: boolean | undefined;
  readonly volumeDevices?: readonly VolumeDevice[] | undefined;
  readonly volumeMounts?: readonly VolumeMount[] | undefined;
  readonly workingDir?: string | undefined;
}
export const Container: BuiltInPart<Container> = /* @__PURE__ */ builtInPart(definitions, 'Container');

export interface ContainerExtendedResourceRequest {
  readonly containerName: string;
  readonly requestName: string;
  readonly resourceName: string;
}
export const ContainerExtendedResourceRequest: BuiltInPart<ContainerExtendedResourceRequest> = /* @__PURE__ */ builtInPart(definitions, 'ContainerExtendedResourceRequest');

export interface ContainerImage {
  readonly names?: readonly string[] | undefined;
  readonly sizeBytes?: number | undefined;
}
export const ContainerImage: BuiltInPart<ContainerImage> = /* @__PURE__ */ builtInPart(definitions, 'ContainerImage');

export interface ContainerPort {
  readonly containerPort: number;
  readonly hostIP?: string | undefined;
  readonly hostPort?: number | undefined;
  readonly name?: string | undefined;
  readonly protocol?: string | undefined;
}
export const ContainerPort: BuiltInPart<ContainerPort> = /* @__PURE__ */ builtInPart(definitions, 'ContainerPort');

export interface ContainerResizePolicy {
  readonly resourceName: string;
  readonly restartPolicy: string;
}
export const ContainerResizePolicy: BuiltInPart<ContainerResizePolicy> = /* @__PURE__ */ builtInPart(definitions, 'ContainerResizePolicy');

export interface ContainerRestartRule {
  readonly action: string;
  readonly exitCodes?: ContainerRestartRuleOnExitCodes | undefined;
}
export const ContainerRestartRule: BuiltInPart<ContainerRestartRule> = /* @__PURE__ */ builtInPart(definitions, 'ContainerRestartRule');

export interface ContainerRestartRuleOnExitCodes {
  readonly operator: string;
  readonly values?: readonly number[] | undefined;
}
export const ContainerRestartRuleOnExitCodes: BuiltInPart<ContainerRestartRuleOnExitCodes> = /* @__PURE__ */ builtInPart(definitions, 'ContainerRestartRuleOnExitCodes');

export interface ContainerState {
  readonly running?: ContainerStateRunning | undefined;
  readonly terminated?: ContainerStateTerminated | undefined;
  readonly waiting?: ContainerStateWaiting | undefined;
}
export const ContainerState: BuiltInPart<ContainerState> = /* @__PURE__ */ builtInPart(definitions, 'ContainerState');

export interface ContainerStateRunning {
  readonly startedAt?: string | undefined;
}
export const ContainerStateRunning: BuiltInPart<ContainerStateRunning> = /* @__PURE__ */ builtInPart(definitions, 'ContainerStateRunning');

export interface ContainerStateTerminated {
  readonly containerID?: string | undefined;
  readonly exitCode: number;
  readonly finishedAt?: string | undefined;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly signal?: number | undefined;
  readonly startedAt?: string | undefined;
}
export const ContainerStateTerminated: BuiltInPart<ContainerStateTerminated> = /* @__PURE__ */ builtInPart(definitions, 'ContainerStateTerminated');

export interface ContainerStateWaiting {
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
}
export const ContainerStateWaiting: BuiltInPart<ContainerStateWaiting> = /* @__PURE__ */ builtInPart(definitions, 'ContainerStateWaiting');

export interface ContainerStatus {
  readonly allocatedResources?: Readonly<Record<string, string>> | undefined;
  readonly allocatedResourcesStatus?: readonly ResourceStatus[] | undefined;
  readonly containerID?: string | undefined;
  readonly image: string;
  readonly imageID: string;
  readonly lastState?: ContainerState | undefined;
  readonly name: string;
  readonly ready: boolean;
  readonly resources?: ResourceRequirements | undefined;
  readonly restartCount: number;
  readonly started?: boolean | undefined;
  readonly state?: ContainerState | undefined;
  readonly stopSignal?: string | undefined;
  readonly user?: ContainerUser | undefined;
  readonly volumeMounts?: readonly VolumeMountStatus[] | undefined;
}
export const ContainerStatus: BuiltInPart<ContainerStatus> = /* @__PURE__ */ builtInPart(definitions, 'ContainerStatus');

export interface ContainerUser {
  readonly linux?: LinuxContainerUser | undefined;
}
export const ContainerUser: BuiltInPart<ContainerUser> = /* @__PURE__ */ builtInPart(definitions, 'ContainerUser');

export interface DaemonEndpoint {
  readonly Port: number;
}
export const DaemonEndpoint: BuiltInPart<DaemonEndpoint> = /* @__PURE__ */ builtInPart(definitions, 'DaemonEndpoint');

export interface DownwardAPIProjection {
  readonly items?: readonly DownwardAPIVolumeFile[] | undefined;
}
export const DownwardAPIProjection: BuiltInPart<DownwardAPIProjection> = /* @__PURE__ */ builtInPart(definitions, 'DownwardAPIProjection');

export interface DownwardAPIVolumeFile {
  readonly fieldRef?: ObjectFieldSelector | undefined;
  readonly mode?: number | undefined;
  readonly path: string;
  readonly resourceFieldRef?: ResourceFieldSelector | undefined;
}
export const DownwardAPIVolumeFile: BuiltInPart<DownwardAPIVolumeFile> = /* @__PURE__ */ builtInPart(definitions, 'DownwardAPIVolumeFile');

export interface DownwardAPIVolumeSource {
  readonly defaultMode?: number | undefined;
  readonly items?: readonly DownwardAPIVolumeFile[] | undefined;
}
export const DownwardAPIVolumeSource: BuiltInPart<DownwardAPIVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'DownwardAPIVolumeSource');

export interface EmptyDirVolumeSource {
  readonly medium?: string | undefined;
  readonly sizeLimit?: string | undefined;
}
export const EmptyDirVolumeSource: BuiltInPart<EmptyDirVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'EmptyDirVolumeSource');

export interface EndpointAddress {
  readonly hostname?: string | undefined;
  readonly ip: string;
  readonly nodeName?: string | undefined;
  readonly targetRef?: ObjectReference | undefined;
}
export const EndpointAddress: BuiltInPart<EndpointAddress> = /* @__PURE__ */ builtInPart(definitions, 'EndpointAddress');

export interface EndpointPort {
  readonly appProtocol?: string | undefined;
  readonly name?: string | undefined;
  readonly port: number;
  readonly protocol?: string | undefined;
}
export const EndpointPort: BuiltInPart<EndpointPort> = /* @__PURE__ */ builtInPart(definitions, 'EndpointPort');

export interface EndpointSubset {
  readonly addresses?: readonly EndpointAddress[] | undefined;
  readonly notReadyAddresses?: readonly EndpointAddress[] | undefined;
  readonly ports?: readonly EndpointPort[] | undefined;
}
export const EndpointSubset: BuiltInPart<EndpointSubset> = /* @__PURE__ */ builtInPart(definitions, 'EndpointSubset');

export interface Endpoints extends KubeObject {
  readonly apiVersion: 'v1';
  readonly kind: 'Endpoints';
  readonly subsets?: readonly EndpointSubset[] | undefined;
}
export const Endpoints: BuiltInKind<Endpoints> = /* @__PURE__ */ builtInKind(definitions, 'Endpoints');

export interface EnvFromSource {
  readonly configMapRef?: ConfigMapEnvSource | undefined;
  readonly prefix?: string | undefined;
  readonly secretRef?: SecretEnvSource | undefined;
}
export const EnvFromSource: BuiltInPart<EnvFromSource> = /* @__PURE__ */ builtInPart(definitions, 'EnvFromSource');

export interface EnvVar {
  readonly name: string;
  readonly value?: string | undefined;
  readonly valueFrom?: EnvVarSource | undefined;
}
export const EnvVar: BuiltInPart<EnvVar> = /* @__PURE__ */ builtInPart(definitions, 'EnvVar');

export interface EnvVarSource {
  readonly configMapKeyRef?: ConfigMapKeySelector | undefined;
  readonly fieldRef?: ObjectFieldSelector | undefined;
  readonly fileKeyRef?: FileKeySelector | undefined;
  readonly resourceFieldRef?: ResourceFieldSelector | undefined;
  readonly secretKeyRef?: SecretKeySelector | undefined;
}
export const EnvVarSource: BuiltInPart<EnvVarSource> = /* @__PURE__ */ builtInPart(definitions, 'EnvVarSource');

export interface EphemeralContainer {
  readonly args?: readonly string[] | undefined;
  readonly command?: readonly string[] | undefined;
  readonly env?: readonly EnvVar[] | undefined;
  readonly envFrom?: readonly EnvFromSource[] | undefined;
  readonly image?: string | undefined;
  readonly imagePullPolicy?: string | undefined;
  readonly lifecycle?: Lifecycle | undefined;
  readonly livenessProbe?: Probe | undefined;
  readonly name: string;
  readonly ports?: readonly ContainerPort[] | undefined;
  readonly readinessProbe?: Probe | undefined;
  readonly resizePolicy?: readonly ContainerResizePolicy[] | undefined;
  readonly resources?: ResourceRequirements | undefined;
  readonly restartPolicy?: string | undefined;
  readonly restartPolicyRules?: readonly ContainerRestartRule[] | undefined;
  readonly securityContext?: SecurityContext | undefined;
  readonly startupProbe?: Probe | undefined;
  readonly stdin?: boolean | undefined;
  readonly stdinOnce?: boolean | undefined;
  readonly targetContainerName?: string | undefined;
  readonly terminationMessagePath?: string | undefined;
  readonly terminationMessagePolicy?: string | undefined;
  readonly tty?: boolean | undefined;
  readonly volumeDevices?: readonly VolumeDevice[] | undefined;
  readonly volumeMounts?: readonly VolumeMount[] | undefined;
  readonly workingDir?: string | undefined;
}
export const EphemeralContainer: BuiltInPart<EphemeralContainer> = /* @__PURE__ */ builtInPart(definitions, 'EphemeralContainer');

export interface EphemeralVolumeSource {
  readonly volumeClaimTemplate?: PersistentVolumeClaimTemplate | undefined;
}
export const EphemeralVolumeSource: BuiltInPart<EphemeralVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'EphemeralVolumeSource');

export interface Event extends KubeObject {
  readonly apiVersion: 'v1';
  readonly kind: 'Event';
  readonly action?: string | undefined;
  readonly count?: number | undefined;
  readonly eventTime?: string | undefined;
  readonly firstTimestamp?: string | undefined;
  readonly involvedObject: ObjectReference;
  readonly lastTimestamp?: string | undefined;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly related?: ObjectReference | undefined;
  readonly reportingComponent?: string | undefined;
  readonly reportingInstance?: string | undefined;
  readonly series?: EventSeries | undefined;
  readonly source?: EventSource | undefined;
  readonly type?: string | undefined;
}
export const Event: BuiltInKind<Event> = /* @__PURE__ */ builtInKind(definitions, 'Event');

export interface EventSeries {
  readonly count?: number | undefined;
  readonly lastObservedTime?: string | undefined;
}
export const EventSeries: BuiltInPart<EventSeries> = /* @__PURE__ */ builtInPart(definitions, 'EventSeries');

export interface EventSource {
  readonly component?: string | undefined;
  readonly host?: string | undefined;
}
export const EventSource: BuiltInPart<EventSource> = /* @__PURE__ */ builtInPart(definitions, 'EventSource');

export interface ExecAction {
  readonly command?: readonly string[] | undefined;
}
export const ExecAction: BuiltInPart<ExecAction> = /* @__PURE__ */ builtInPart(definitions, 'ExecAction');

export interface FCVolumeSource {
  readonly fsType?: string | undefined;
  readonly lun?: number | undefined;
  readonly readOnly?: boolean | undefined;
  readonly targetWWNs?: readonly string[] | undefined;
  readonly wwids?: readonly string[] | undefined;
}
export const FCVolumeSource: BuiltInPart<FCVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'FCVolumeSource');

export interface FileKeySelector {
  readonly key: string;
  readonly optional?: boolean | undefined;
  readonly path: string;
  readonly volumeName: string;
}
export const FileKeySelector: BuiltInPart<FileKeySelector> = /* @__PURE__ */ builtInPart(definitions, 'FileKeySelector');

export interface FlexPersistentVolumeSource {
  readonly driver: string;
  readonly fsType?: string | undefined;
  readonly options?: Readonly<Record<string, string>> | undefined;
  readonly readOnly?: boolean | undefined;
  readonly secretRef?: SecretReference | undefined;
}
export const FlexPersistentVolumeSource: BuiltInPart<FlexPersistentVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'FlexPersistentVolumeSource');

export interface FlexVolumeSource {
  readonly driver: string;
  readonly fsType?: string | undefined;
  readonly options?: Readonly<Record<string, string>> | undefined;
  readonly readOnly?: boolean | undefined;
  readonly secretRef?: LocalObjectReference | undefined;
}
export const FlexVolumeSource: BuiltInPart<FlexVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'FlexVolumeSource');

export interface FlockerVolumeSource {
  readonly datasetName?: string | undefined;
  readonly datasetUUID?: string | undefined;
}
export const FlockerVolumeSource: BuiltInPart<FlockerVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'FlockerVolumeSource');

export interface GCEPersistentDiskVolumeSource {
  readonly fsType?: string | undefined;
  readonly partition?: number | undefined;
  readonly pdName: string;
  readonly readOnly?: boolean | undefined;
}
export const GCEPersistentDiskVolumeSource: BuiltInPart<GCEPersistentDiskVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'GCEPersistentDiskVolumeSource');

export interface GRPCAction {
  readonly port: number;
  readonly service?: string | undefined;
}
export const GRPCAction: BuiltInPart<GRPCAction> = /* @__PURE__ */ builtInPart(definitions, 'GRPCAction');

export interface GitRepoVolumeSource {
  readonly directory?: string | undefined;
  readonly repository: string;
  readonly revision?: string | undefined;
}
export const GitRepoVolumeSource: BuiltInPart<GitRepoVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'GitRepoVolumeSource');

export interface GlusterfsPersistentVolumeSource {
  readonly endpoints: string;
  readonly endpointsNamespace?: string | undefined;
  readonly path: string;
  readonly readOnly?: boolean | undefined;
}
export const GlusterfsPersistentVolumeSource: BuiltInPart<GlusterfsPersistentVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'GlusterfsPersistentVolumeSource');

export interface GlusterfsVolumeSource {
  readonly endpoints: string;
  readonly path: string;
  readonly readOnly?: boolean | undefined;
}
export const GlusterfsVolumeSource: BuiltInPart<GlusterfsVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'GlusterfsVolumeSource');

export interface HTTPGetAction {
  readonly host?: string | undefined;
  readonly httpHeaders?: readonly HTTPHeader[] | undefined;
  readonly path?: string | undefined;
  readonly port: number | string;
  readonly scheme?: string | undefined;
}
export const HTTPGetAction: BuiltInPart<HTTPGetAction> = /* @__PURE__ */ builtInPart(definitions, 'HTTPGetAction');

export interface HTTPHeader {
  readonly name: string;
  readonly value: string;
}
export const HTTPHeader: BuiltInPart<HTTPHeader> = /* @__PURE__ */ builtInPart(definitions, 'HTTPHeader');

export interface HostAlias {
  readonly hostnames?: readonly string[] | undefined;
  readonly ip: string;
}
export const HostAlias: BuiltInPart<HostAlias> = /* @__PURE__ */ builtInPart(definitions, 'HostAlias');

export interface HostIP {
  readonly ip: string;
}
export const HostIP: BuiltInPart<HostIP> = /* @__PURE__ */ builtInPart(definitions, 'HostIP');

export interface HostPathVolumeSource {
  readonly path: string;
  readonly type?: string | undefined;
}
export const HostPathVolumeSource: BuiltInPart<HostPathVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'HostPathVolumeSource');

export interface ISCSIPersistentVolumeSource {
  readonly chapAuthDiscovery?: boolean | undefined;
  readonly chapAuthSession?: boolean | undefined;
  readonly fsType?: string | undefined;
  readonly initiatorName?: string | undefined;
  readonly iqn: string;
  readonly iscsiInterface?: string | undefined;
  readonly lun: number;
  readonly portals?: readonly string[] | undefined;
  readonly readOnly?: boolean | undefined;
  readonly secretRef?: SecretReference | undefined;
  readonly targetPortal: string;
}
export const ISCSIPersistentVolumeSource: BuiltInPart<ISCSIPersistentVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'ISCSIPersistentVolumeSource');

export interface ISCSIVolumeSource {
  readonly chapAuthDiscovery?: boolean | undefined;
  readonly chapAuthSession?: boolean | undefined;
  readonly fsType?: string | undefined;
  readonly initiatorName?: string | undefined;
  readonly iqn: string;
  readonly iscsiInterface?: string | undefined;
  readonly lun: number;
  readonly portals?: readonly string[] | undefined;
  readonly readOnly?: boolean | undefined;
  readonly secretRef?: LocalObjectReference | undefined;
  readonly targetPortal: string;
}
export const ISCSIVolumeSource: BuiltInPart<ISCSIVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'ISCSIVolumeSource');

export interface ImageVolumeSource {
  readonly pullPolicy?: string | undefined;
  readonly reference?: string | undefined;
}
export const ImageVolumeSource: BuiltInPart<ImageVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'ImageVolumeSource');

export interface ImageVolumeStatus {
  readonly imageRef: string;
}
export const ImageVolumeStatus: BuiltInPart<ImageVolumeStatus> = /* @__PURE__ */ builtInPart(definitions, 'ImageVolumeStatus');

export interface KeyToPath {
  readonly key: string;
  readonly mode?: number | undefined;
  readonly path: string;
}
export const KeyToPath: BuiltInPart<KeyToPath> = /* @__PURE__ */ builtInPart(definitions, 'KeyToPath');

export interface Lifecycle {
  readonly postStart?: LifecycleHandler | undefined;
  readonly preStop?: LifecycleHandler | undefined;
  readonly stopSignal?: string | undefined;
}
export const Lifecycle: BuiltInPart<Lifecycle> = /* @__PURE__ */ builtInPart(definitions, 'Lifecycle');

export interface LifecycleHandler {
  readonly exec?: ExecAction | undefined;
  readonly httpGet?: HTTPGetAction | undefined;
  readonly sleep?: SleepAction | undefined;
  readonly tcpSocket?: TCPSocketAction | undefined;
}
export const LifecycleHandler: BuiltInPart<LifecycleHandler> = /* @__PURE__ */ builtInPart(definitions, 'LifecycleHandler');

export interface LimitRange extends KubeObject {
  readonly apiVersion: 'v1';
  readonly kind: 'LimitRange';
  readonly spec: LimitRangeSpec;
}
export const LimitRange: BuiltInKind<LimitRange> = /* @__PURE__ */ builtInKind(definitions, 'LimitRange');

export interface LimitRangeItem {
  readonly default?: Readonly<Record<string, string>> | undefined;
  readonly defaultRequest?: Readonly<Record<string, string>> | undefined;
  readonly max?: Readonly<Record<string, string>> | undefined;
  readonly maxLimitRequestRatio?: Readonly<Record<string, string>> | undefined;
  readonly min?: Readonly<Record<string, string>> | undefined;
  readonly type: string;
}
export const LimitRangeItem: BuiltInPart<LimitRangeItem> = /* @__PURE__ */ builtInPart(definitions, 'LimitRangeItem');

export interface LimitRangeSpec {
  readonly limits: readonly LimitRangeItem[];
}
export const LimitRangeSpec: BuiltInPart<LimitRangeSpec> = /* @__PURE__ */ builtInPart(definitions, 'LimitRangeSpec');

export interface LinuxContainerUser {
  readonly gid: number;
  readonly supplementalGroups?: readonly number[] | undefined;
  readonly uid: number;
}
export const LinuxContainerUser: BuiltInPart<LinuxContainerUser> = /* @__PURE__ */ builtInPart(definitions, 'LinuxContainerUser');

export interface LoadBalancerIngress {
  readonly hostname?: string | undefined;
  readonly ip?: string | undefined;
  readonly ipMode?: string | undefined;
  readonly ports?: readonly PortStatus[] | undefined;
}
export const LoadBalancerIngress: BuiltInPart<LoadBalancerIngress> = /* @__PURE__ */ builtInPart(definitions, 'LoadBalancerIngress');

export interface LoadBalancerStatus {
  readonly ingress?: readonly LoadBalancerIngress[] | undefined;
}
export const LoadBalancerStatus: BuiltInPart<LoadBalancerStatus> = /* @__PURE__ */ builtInPart(definitions, 'LoadBalancerStatus');

export interface LocalObjectReference {
  readonly name?: string | undefined;
}
export const LocalObjectReference: BuiltInPart<LocalObjectReference> = /* @__PURE__ */ builtInPart(definitions, 'LocalObjectReference');

export interface LocalVolumeSource {
  readonly fsType?: string | undefined;
  readonly path: string;
}
export const LocalVolumeSource: BuiltInPart<LocalVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'LocalVolumeSource');

export interface ModifyVolumeStatus {
  readonly status: string;
  readonly targetVolumeAttributesClassName?: string | undefined;
}
export const ModifyVolumeStatus: BuiltInPart<ModifyVolumeStatus> = /* @__PURE__ */ builtInPart(definitions, 'ModifyVolumeStatus');

export interface NFSVolumeSource {
  readonly path: string;
  readonly readOnly?: boolean | undefined;
  readonly server: string;
}
export const NFSVolumeSource: BuiltInPart<NFSVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'NFSVolumeSource');

export interface Namespace extends KubeObject {
  readonly apiVersion: 'v1';
  readonly kind: 'Namespace';
  readonly spec?: NamespaceSpec | undefined;
  readonly status?: NamespaceStatus | undefined;
}
export const Namespace: BuiltInKind<Namespace> = /* @__PURE__ */ builtInKind(definitions, 'Namespace');

export interface NamespaceCondition {
  readonly lastTransitionTime?: string | undefined;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly status: string;
  readonly type: string;
}
export const NamespaceCondition: BuiltInPart<NamespaceCondition> = /* @__PURE__ */ builtInPart(definitions, 'NamespaceCondition');

export interface NamespaceSpec {
  readonly finalizers?: readonly string[] | undefined;
}
export const NamespaceSpec: BuiltInPart<NamespaceSpec> = /* @__PURE__ */ builtInPart(definitions, 'NamespaceSpec');

export interface NamespaceStatus {
  readonly conditions?: readonly NamespaceCondition[] | undefined;
  readonly phase?: string | undefined;
}
export const NamespaceStatus: BuiltInPart<NamespaceStatus> = /* @__PURE__ */ builtInPart(definitions, 'NamespaceStatus');

export interface Node extends KubeObject {
  readonly apiVersion: 'v1';
  readonly kind: 'Node';
  readonly spec: NodeSpec;
  readonly status?: NodeStatus | undefined;
}
export const Node: BuiltInKind<Node> = /* @__PURE__ */ builtInKind(definitions, 'Node');

export interface NodeAddress {
  readonly address: string;
  readonly type: string;
}
export const NodeAddress: BuiltInPart<NodeAddress> = /* @__PURE__ */ builtInPart(definitions, 'NodeAddress');

export interface NodeAffinity {
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly PreferredSchedulingTerm[] | undefined;
  readonly requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector | undefined;
}
export const NodeAffinity: BuiltInPart<NodeAffinity> = /* @__PURE__ */ builtInPart(definitions, 'NodeAffinity');

export interface NodeAllocatableResourceClaimStatus {
  readonly containers?: readonly string[] | undefined;
  readonly resourceClaimName: string;
  readonly resources: Readonly<Record<string, string>>;
}
export const NodeAllocatableResourceClaimStatus: BuiltInPart<NodeAllocatableResourceClaimStatus> = /* @__PURE__ */ builtInPart(definitions, 'NodeAllocatableResourceClaimStatus');

export interface NodeCondition {
  readonly lastHeartbeatTime?: string | undefined;
  readonly lastTransitionTime?: string | undefined;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly status: string;
  readonly type: string;
}
export const NodeCondition: BuiltInPart<NodeCondition> = /* @__PURE__ */ builtInPart(definitions, 'NodeCondition');

export interface NodeConfigSource {
  readonly configMap?: ConfigMapNodeConfigSource | undefined;
}
export const NodeConfigSource: BuiltInPart<NodeConfigSource> = /* @__PURE__ */ builtInPart(definitions, 'NodeConfigSource');

export interface NodeConfigStatus {
  readonly active?: NodeConfigSource | undefined;
  readonly assigned?: NodeConfigSource | undefined;
  readonly error?: string | undefined;
  readonly lastKnownGood?: NodeConfigSource | undefined;
}
export const NodeConfigStatus: BuiltInPart<NodeConfigStatus> = /* @__PURE__ */ builtInPart(definitions, 'NodeConfigStatus');

export interface NodeDaemonEndpoints {
  readonly kubeletEndpoint?: DaemonEndpoint | undefined;
}
export const NodeDaemonEndpoints: BuiltInPart<NodeDaemonEndpoints> = /* @__PURE__ */ builtInPart(definitions, 'NodeDaemonEndpoints');

export interface NodeFeatures {
  readonly supplementalGroupsPolicy?: boolean | undefined;
}
export const NodeFeatures: BuiltInPart<NodeFeatures> = /* @__PURE__ */ builtInPart(definitions, 'NodeFeatures');

export interface NodeRuntimeHandler {
  readonly features?: NodeRuntimeHandlerFeatures | undefined;
  readonly name?: string | undefined;
}
export const NodeRuntimeHandler: BuiltInPart<NodeRuntimeHandler> = /* @__PURE__ */ builtInPart(definitions, 'NodeRuntimeHandler');

export interface NodeRuntimeHandlerFeatures {
  readonly recursiveReadOnlyMounts?: boolean | undefined;
  readonly userNamespaces?: boolean | undefined;
}
export const NodeRuntimeHandlerFeatures: BuiltInPart<NodeRuntimeHandlerFeatures> = /* @__PURE__ */ builtInPart(definitions, 'NodeRuntimeHandlerFeatures');

export interface NodeSelector {
  readonly nodeSelectorTerms: readonly NodeSelectorTerm[];
}
export const NodeSelector: BuiltInPart<NodeSelector> = /* @__PURE__ */ builtInPart(definitions, 'NodeSelector');

export interface NodeSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
}
export const NodeSelectorRequirement: BuiltInPart<NodeSelectorRequirement> = /* @__PURE__ */ builtInPart(definitions, 'NodeSelectorRequirement');

export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly NodeSelectorRequirement[] | undefined;
  readonly matchFields?: readonly NodeSelectorRequirement[] | undefined;
}
export const NodeSelectorTerm: BuiltInPart<NodeSelectorTerm> = /* @__PURE__ */ builtInPart(definitions, 'NodeSelectorTerm');

export interface NodeSpec {
  readonly configSource?: NodeConfigSource | undefined;
  readonly externalID?: string | undefined;
  readonly podCIDR?: string | undefined;
  readonly podCIDRs?: readonly string[] | undefined;
  readonly providerID?: string | undefined;
  readonly taints?: readonly Taint[] | undefined;
  readonly unschedulable?: boolean | undefined;
}
export const NodeSpec: BuiltInPart<NodeSpec> = /* @__PURE__ */ builtInPart(definitions, 'NodeSpec');

export interface NodeStatus {
  readonly addresses?: readonly NodeAddress[] | undefined;
  readonly allocatable?: Readonly<Record<string, string>> | undefined;
  readonly capacity?: Readonly<Record<string, string>> | undefined;
  readonly conditions?: readonly NodeCondition[] | undefined;
  readonly config?: NodeConfigStatus | undefined;
  readonly daemonEndpoints?: NodeDaemonEndpoints | undefined;
  readonly declaredFeatures?: readonly string[] | undefined;
  readonly features?: NodeFeatures | undefined;
  readonly images?: readonly ContainerImage[] | undefined;
  readonly nodeInfo?: NodeSystemInfo | undefined;
  readonly phase?: string | undefined;
  readonly runtimeHandlers?: readonly NodeRuntimeHandler[] | undefined;
  readonly volumesAttached?: readonly AttachedVolume[] | undefined;
  readonly volumesInUse?: readonly string[] | undefined;
}
export const NodeStatus: BuiltInPart<NodeStatus> = /* @__PURE__ */ builtInPart(definitions, 'NodeStatus');

export interface NodeSwapStatus {
  readonly capacity?: number | undefined;
}
export const NodeSwapStatus: BuiltInPart<NodeSwapStatus> = /* @__PURE__ */ builtInPart(definitions, 'NodeSwapStatus');

export interface NodeSystemInfo {
  readonly architecture: string;
  readonly bootID: string;
  readonly containerRuntimeVersion: string;
  readonly kernelVersion: string;
  readonly kubeProxyVersion: string;
  readonly kubeletVersion: string;
  readonly machineID: string;
  readonly operatingSystem: string;
  readonly osImage: string;
  readonly swap?: NodeSwapStatus | undefined;
  readonly systemUUID: string;
}
export const NodeSystemInfo: BuiltInPart<NodeSystemInfo> = /* @__PURE__ */ builtInPart(definitions, 'NodeSystemInfo');

export interface ObjectFieldSelector {
  readonly apiVersion?: string | undefined;
  readonly fieldPath: string;
}
export const ObjectFieldSelector: BuiltInPart<ObjectFieldSelector> = /* @__PURE__ */ builtInPart(definitions, 'ObjectFieldSelector');

export interface ObjectReference {
  readonly apiVersion?: string | undefined;
  readonly fieldPath?: string | undefined;
  readonly kind?: string | undefined;
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly uid?: string | undefined;
}
export const ObjectReference: BuiltInPart<ObjectReference> = /* @__PURE__ */ builtInPart(definitions, 'ObjectReference');

export interface PersistentVolume extends KubeObject {
  readonly apiVersion: 'v1';
  readonly kind: 'PersistentVolume';
  readonly spec: PersistentVolumeSpec;
  readonly status?: PersistentVolumeStatus | undefined;
}
export const PersistentVolume: BuiltInKind<PersistentVolume> = /* @__PURE__ */ builtInKind(definitions, 'PersistentVolume');

export interface PersistentVolumeClaim extends KubeObject {
  readonly apiVersion: 'v1';
  readonly kind: 'PersistentVolumeClaim';
  readonly spec: PersistentVolumeClaimSpec;
  readonly status?: PersistentVolumeClaimStatus | undefined;
}
export const PersistentVolumeClaim: BuiltInKind<PersistentVolumeClaim> = /* @__PURE__ */ builtInKind(definitions, 'PersistentVolumeClaim');
export interface EmbeddedPersistentVolumeClaim {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata?: meta_v1.ObjectMeta | undefined;
  readonly spec?: PersistentVolumeClaimSpec | undefined;
  readonly status?: PersistentVolumeClaimStatus | undefined;
}
export const EmbeddedPersistentVolumeClaim: BuiltInPart<EmbeddedPersistentVolumeClaim> = /* @__PURE__ */ builtInPart(definitions, 'PersistentVolumeClaim');

export interface PersistentVolumeClaimCondition {
  readonly lastProbeTime?: string | undefined;
  readonly lastTransitionTime?: string | undefined;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly status: string;
  readonly type: string;
}
export const PersistentVolumeClaimCondition: BuiltInPart<PersistentVolumeClaimCondition> = /* @__PURE__ */ builtInPart(definitions, 'PersistentVolumeClaimCondition');

export interface PersistentVolumeClaimSpec {
  readonly accessModes?: readonly string[] | undefined;
  readonly dataSource?: TypedLocalObjectReference | undefined;
  readonly dataSourceRef?: TypedObjectReference | undefined;
  readonly resources?: VolumeResourceRequirements | undefined;
  readonly selector?: meta_v1.LabelSelector | undefined;
  readonly storageClassName?: string | undefined;
  readonly volumeAttributesClassName?: string | undefined;
  readonly volumeMode?: string | undefined;
  readonly volumeName?: string | undefined;
}
export const PersistentVolumeClaimSpec: BuiltInPart<PersistentVolumeClaimSpec> = /* @__PURE__ */ builtInPart(definitions, 'PersistentVolumeClaimSpec');

export interface PersistentVolumeClaimStatus {
  readonly accessModes?: readonly string[] | undefined;
  readonly allocatedResourceStatuses?: Readonly<Record<string, string>> | undefined;
  readonly allocatedResources?: Readonly<Record<string, string>> | undefined;
  readonly capacity?: Readonly<Record<string, string>> | undefined;
  readonly conditions?: readonly PersistentVolumeClaimCondition[] | undefined;
  readonly currentVolumeAttributesClassName?: string | undefined;
  readonly modifyVolumeStatus?: ModifyVolumeStatus | undefined;
  readonly phase?: string | undefined;
}
export const PersistentVolumeClaimStatus: BuiltInPart<PersistentVolumeClaimStatus> = /* @__PURE__ */ builtInPart(definitions, 'PersistentVolumeClaimStatus');

export interface PersistentVolumeClaimTemplate {
  readonly metadata?: meta_v1.ObjectMeta | undefined;
  readonly spec: PersistentVolumeClaimSpec;
}
export const PersistentVolumeClaimTemplate: BuiltInPart<PersistentVolumeClaimTemplate> = /* @__PURE__ */ builtInPart(definitions, 'PersistentVolumeClaimTemplate');

export interface PersistentVolumeClaimVolumeSource {
  readonly claimName: string;
  readonly readOnly?: boolean | undefined;
}
export const PersistentVolumeClaimVolumeSource: BuiltInPart<PersistentVolumeClaimVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'PersistentVolumeClaimVolumeSource');

export interface PersistentVolumeSpec {
  readonly accessModes?: readonly string[] | undefined;
  readonly awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource | undefined;
  readonly azureDisk?: AzureDiskVolumeSource | undefined;
  readonly azureFile?: AzureFilePersistentVolumeSource | undefined;
  readonly capacity?: Readonly<Record<string, string>> | undefined;
  readonly cephfs?: CephFSPersistentVolumeSource | undefined;
  readonly cinder?: CinderPersistentVolumeSource | undefined;
  readonly claimRef?: ObjectReference | undefined;
  readonly csi?: CSIPersistentVolumeSource | undefined;
  readonly fc?: FCVolumeSource | undefined;
  readonly flexVolume?: FlexPersistentVolumeSource | undefined;
  readonly flocker?: FlockerVolumeSource | undefined;
  readonly gcePersistentDisk?: GCEPersistentDiskVolumeSource | undefined;
  readonly glusterfs?: GlusterfsPersistentVolumeSource | undefined;
  readonly hostPath?: HostPathVolumeSource | undefined;
  readonly iscsi?: ISCSIPersistentVolumeSource | undefined;
  readonly local?: LocalVolumeSource | undefined;
  readonly mountOptions?: readonly string[] | undefined;
  readonly nfs?: NFSVolumeSource | undefined;
  readonly nodeAffinity?: VolumeNodeAffinity | undefined;
  readonly persistentVolumeReclaimPolicy?: string | undefined;
  readonly photonPersistentDisk?: PhotonPersistentDiskVolumeSource | undefined;
  readonly portworxVolume?: PortworxVolumeSource | undefined;
  readonly quobyte?: QuobyteVolumeSource | undefined;
  readonly rbd?: RBDPersistentVolumeSource | undefined;
  readonly scaleIO?: ScaleIOPersistentVolumeSource | undefined;
  readonly storageClassName?: string | undefined;
  readonly storageos?: StorageOSPersistentVolumeSource | undefined;
  readonly volumeAttributesClassName?: string | undefined;
  readonly volumeMode?: string | undefined;
  readonly vsphereVolume?: VsphereVirtualDiskVolumeSource | undefined;
}
export const PersistentVolumeSpec: BuiltInPart<PersistentVolumeSpec> = /* @__PURE__ */ builtInPart(definitions, 'PersistentVolumeSpec');

export interface PersistentVolumeStatus {
  readonly lastPhaseTransitionTime?: string | undefined;
  readonly message?: string | undefined;
  readonly phase?: string | undefined;
  readonly reason?: string | undefined;
}
export const PersistentVolumeStatus: BuiltInPart<PersistentVolumeStatus> = /* @__PURE__ */ builtInPart(definitions, 'PersistentVolumeStatus');

export interface PhotonPersistentDiskVolumeSource {
  readonly fsType?: string | undefined;
  readonly pdID: string;
}
export const PhotonPersistentDiskVolumeSource: BuiltInPart<PhotonPersistentDiskVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'PhotonPersistentDiskVolumeSource');

export interface Pod extends KubeObject {
  readonly apiVersion: 'v1';
  readonly kind: 'Pod';
  readonly spec: PodSpec;
  readonly status?: PodStatus | undefined;
}
export const Pod: BuiltInKind<Pod> = /* @__PURE__ */ builtInKind(definitions, 'Pod');

export interface PodAffinity {
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly WeightedPodAffinityTerm[] | undefined;
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[] | undefined;
}
export const PodAffinity: BuiltInPart<PodAffinity> = /* @__PURE__ */ builtInPart(definitions, 'PodAffinity');

export interface PodAffinityTerm {
  readonly labelSelector?: meta_v1.LabelSelector | undefined;
  readonly matchLabelKeys?: readonly string[] | undefined;
  readonly mismatchLabelKeys?: readonly string[] | undefined;
  readonly namespaceSelector?: meta_v1.LabelSelector | undefined;
  readonly namespaces?: readonly string[] | undefined;
  readonly topologyKey: string;
}
export const PodAffinityTerm: BuiltInPart<PodAffinityTerm> = /* @__PURE__ */ builtInPart(definitions, 'PodAffinityTerm');

export interface PodAntiAffinity {
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly WeightedPodAffinityTerm[] | undefined;
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[] | undefined;
}
export const PodAntiAffinity: BuiltInPart<PodAntiAffinity> = /* @__PURE__ */ builtInPart(definitions, 'PodAntiAffinity');

export interface PodCertificateProjection {
  readonly certificateChainPath?: string | undefined;
  readonly credentialBundlePath?: string | undefined;
  readonly keyPath?: string | undefined;
  readonly keyType: string;
  readonly maxExpirationSeconds?: number | undefined;
  readonly signerName: string;
  readonly userAnnotations?: Readonly<Record<string, string>> | undefined;
}
export const PodCertificateProjection: BuiltInPart<PodCertificateProjection> = /* @__PURE__ */ builtInPart(definitions, 'PodCertificateProjection');

export interface PodCondition {
  readonly lastProbeTime?: string | undefined;
  readonly lastTransitionTime?: string | undefined;
  readonly message?: string | undefined;
  readonly observedGeneration?: number | undefined;
  readonly reason?: string | undefined;
  readonly status: string;
  readonly type: string;
}
export const PodCondition: BuiltInPart<PodCondition> = /* @__PURE__ */ builtInPart(definitions, 'PodCondition');

export interface PodDNSConfig {
  readonly nameservers?: readonly string[] | undefined;
  readonly options?: readonly PodDNSConfigOption[] | undefined;
  readonly searches?: readonly string[] | undefined;
}
export const PodDNSConfig: BuiltInPart<PodDNSConfig> = /* @__PURE__ */ builtInPart(definitions, 'PodDNSConfig');

export interface PodDNSConfigOption {
  readonly name?: string | undefined;
  readonly value?: string | undefined;
}
export const PodDNSConfigOption: BuiltInPart<PodDNSConfigOption> = /* @__PURE__ */ builtInPart(definitions, 'PodDNSConfigOption');

export interface PodExtendedResourceClaimStatus {
  readonly requestMappings: readonly ContainerExtendedResourceRequest[];
  readonly resourceClaimName: string;
}
export const PodExtendedResourceClaimStatus: BuiltInPart<PodExtendedResourceClaimStatus> = /* @__PURE__ */ builtInPart(definitions, 'PodExtendedResourceClaimStatus');

export interface PodIP {
  readonly ip: string;
}
export const PodIP: BuiltInPart<PodIP> = /* @__PURE__ */ builtInPart(definitions, 'PodIP');

export interface PodOS {
  readonly name: string;
}
export const PodOS: BuiltInPart<PodOS> = /* @__PURE__ */ builtInPart(definitions, 'PodOS');

export interface PodReadinessGate {
  readonly conditionType: string;
}
export const PodReadinessGate: BuiltInPart<PodReadinessGate> = /* @__PURE__ */ builtInPart(definitions, 'PodReadinessGate');

export interface PodResourceClaim {
  readonly name: string;
  readonly resourceClaimName?: string | undefined;
  readonly resourceClaimTemplateName?: string | undefined;
}
export const PodResourceClaim: BuiltInPart<PodResourceClaim> = /* @__PURE__ */ builtInPart(definitions, 'PodResourceClaim');

export interface PodResourceClaimStatus {
  readonly name: string;
  readonly resourceClaimName?: string | undefined;
}
export const PodResourceClaimStatus: BuiltInPart<PodResourceClaimStatus> = /* @__PURE__ */ builtInPart(definitions, 'PodResourceClaimStatus');

export interface PodSchedulingGate {
  readonly name: string;
}
export const PodSchedulingGate: BuiltInPart<PodSchedulingGate> = /* @__PURE__ */ builtInPart(definitions, 'PodSchedulingGate');

export interface PodSchedulingGroup {
  readonly podGroupName?: string | undefined;
}
export const PodSchedulingGroup: BuiltInPart<PodSchedulingGroup> = /* @__PURE__ */ builtInPart(definitions, 'PodSchedulingGroup');

export interface PodSecurityContext {
  readonly appArmorProfile?: AppArmorProfile | undefined;
  readonly fsGroup?: number | undefined;
  readonly fsGroupChangePolicy?: string | undefined;
  readonly runAsGroup?: number | undefined;
  readonly runAsNonRoot?: boolean | undefined;
  readonly runAsUser?: number | undefined;
  readonly seLinuxChangePolicy?: string | undefined;
  readonly seLinuxOptions?: SELinuxOptions | undefined;
  readonly seccompProfile?: SeccompProfile | undefined;
  readonly supplementalGroups?: readonly number[] | undefined;
  readonly supplementalGroupsPolicy?: string | undefined;
  readonly sysctls?: readonly Sysctl[] | undefined;
  readonly windowsOptions?: WindowsSecurityContextOptions | undefined;
}
export const PodSecurityContext: BuiltInPart<PodSecurityContext> = /* @__PURE__ */ builtInPart(definitions, 'PodSecurityContext');

export interface PodSpec {
  readonly activeDeadlineSeconds?: number | undefined;
  readonly affinity?: Affinity | undefined;
  readonly automountServiceAccountToken?: boolean | undefined;
  readonly containers: readonly Container[];
  readonly dnsConfig?: PodDNSConfig | undefined;
  readonly dnsPolicy?: string | undefined;
  readonly enableServiceLinks?: boolean | undefined;
  readonly ephemeralContainers?: readonly EphemeralContainer[] | undefined;
  readonly hostAliases?: readonly HostAlias[] | undefined;
  readonly hostIPC?: boolean | undefined;
  readonly hostNetwork?: boolean | undefined;
  readonly hostPID?: boolean | undefined;
  readonly hostUsers?: boolean | undefined;
  readonly hostname?: string | undefined;
  readonly hostnameOverride?: string | undefined;
  readonly imagePullSecrets?: readonly LocalObjectReference[] | undefined;
  readonly initContainers?: readonly Container[] | undefined;
  readonly nodeName?: string | undefined;
  readonly nodeSelector?: Readonly<Record<string, string>> | undefined;
  readonly os?: PodOS | undefined;
  readonly overhead?: Readonly<Record<string, string>> | undefined;
  readonly preemptionPolicy?: string | undefined;
  readonly priority?: number | undefined;
  readonly priorityClassName?: string | undefined;
  readonly readinessGates?: readonly PodReadinessGate[] | undefined;
  readonly resourceClaims?: readonly PodResourceClaim[] | undefined;
  readonly resources?: ResourceRequirements | undefined;
  readonly restartPolicy?: string | undefined;
  readonly runtimeClassName?: string | undefined;
  readonly schedulerName?: string | undefined;
  readonly schedulingGates?: readonly PodSchedulingGate[] | undefined;
  readonly schedulingGroup?: PodSchedulingGroup | undefined;
  readonly securityContext?: PodSecurityContext | undefined;
  readonly serviceAccount?: string | undefined;
  readonly serviceAccountName?: string | undefined;
  readonly setHostnameAsFQDN?: boolean | undefined;
  readonly shareProcessNamespace?: boolean | undefined;
  readonly subdomain?: string | undefined;
  readonly terminationGracePeriodSeconds?: number | undefined;
  readonly tolerations?: readonly Toleration[] | undefined;
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[] | undefined;
  readonly volumes?: readonly Volume[] | undefined;
}
export const PodSpec: BuiltInPart<PodSpec> = /* @__PURE__ */ builtInPart(definitions, 'PodSpec');

export interface PodStatus {
  readonly allocatedResources?: Readonly<Record<string, string>> | undefined;
  readonly conditions?: readonly PodCondition[] | undefined;
  readonly containerStatuses?: readonly ContainerStatus[] | undefined;
  readonly ephemeralContainerStatuses?: readonly ContainerStatus[] | undefined;
  readonly extendedResourceClaimStatus?: PodExtendedResourceClaimStatus | undefined;
  readonly hostIP?: string | undefined;
  readonly hostIPs?: readonly HostIP[] | undefined;
  readonly initContainerStatuses?: readonly ContainerStatus[] | undefined;
  readonly message?: string | undefined;
  readonly nodeAllocatableResourceClaimStatuses?: readonly NodeAllocatableResourceClaimStatus[] | undefined;
  readonly nominatedNodeName?: string | undefined;
  readonly observedGeneration?: number | undefined;
  readonly phase?: string | undefined;
  readonly podIP?: string | undefined;
  readonly podIPs?: readonly PodIP[] | undefined;
  readonly qosClass?: string | undefined;
  readonly reason?: string | undefined;
  readonly resize?: string | undefined;
  readonly resourceClaimStatuses?: readonly PodResourceClaimStatus[] | undefined;
  readonly resources?: ResourceRequirements | undefined;
  readonly startTime?: string | undefined;
}
export const PodStatus: BuiltInPart<PodStatus> = /* @__PURE__ */ builtInPart(definitions, 'PodStatus');

export interface PodTemplate extends KubeObject {
  readonly apiVersion: 'v1';
  readonly kind: 'PodTemplate';
  readonly template?: PodTemplateSpec | undefined;
}
export const PodTemplate: BuiltInKind<PodTemplate> = /* @__PURE__ */ builtInKind(definitions, 'PodTemplate');

export interface PodTemplateSpec {
  readonly metadata?: meta_v1.ObjectMeta | undefined;
  readonly spec?: PodSpec | undefined;
}
export const PodTemplateSpec: BuiltInPart<PodTemplateSpec> = /* @__PURE__ */ builtInPart(definitions, 'PodTemplateSpec');

export interface PortStatus {
  readonly error?: string | undefined;
  readonly port: number;
  readonly protocol: string;
}
export const PortStatus: BuiltInPart<PortStatus> = /* @__PURE__ */ builtInPart(definitions, 'PortStatus');

export interface PortworxVolumeSource {
  readonly fsType?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly volumeID: string;
}
export const PortworxVolumeSource: BuiltInPart<PortworxVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'PortworxVolumeSource');

export interface PreferredSchedulingTerm {
  readonly preference: NodeSelectorTerm;
  readonly weight: number;
}
export const PreferredSchedulingTerm: BuiltInPart<PreferredSchedulingTerm> = /* @__PURE__ */ builtInPart(definitions, 'PreferredSchedulingTerm');

export interface Probe {
  readonly exec?: ExecAction | undefined;
  readonly failureThreshold?: number | undefined;
  readonly grpc?: GRPCAction | undefined;
  readonly httpGet?: HTTPGetAction | undefined;
  readonly initialDelaySeconds?: number | undefined;
  readonly periodSeconds?: number | undefined;
  readonly successThreshold?: number | undefined;
  readonly tcpSocket?: TCPSocketAction | undefined;
  readonly terminationGracePeriodSeconds?: number | undefined;
  readonly timeoutSeconds?: number | undefined;
}
export const Probe: BuiltInPart<Probe> = /* @__PURE__ */ builtInPart(definitions, 'Probe');

export interface ProjectedVolumeSource {
  readonly defaultMode?: number | undefined;
  readonly sources?: readonly VolumeProjection[] | undefined;
}
export const ProjectedVolumeSource: BuiltInPart<ProjectedVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'ProjectedVolumeSource');

export interface QuobyteVolumeSource {
  readonly group?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly registry: string;
  readonly tenant?: string | undefined;
  readonly user?: string | undefined;
  readonly volume: string;
}
export const QuobyteVolumeSource: BuiltInPart<QuobyteVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'QuobyteVolumeSource');

export interface RBDPersistentVolumeSource {
  readonly fsType?: string | undefined;
  readonly image: string;
  readonly keyring?: string | undefined;
  readonly monitors: readonly string[];
  readonly pool?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly secretRef?: SecretReference | undefined;
  readonly user?: string | undefined;
}
export const RBDPersistentVolumeSource: BuiltInPart<RBDPersistentVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'RBDPersistentVolumeSource');

export interface RBDVolumeSource {
  readonly fsType?: string | undefined;
  readonly image: string;
  readonly keyring?: string | undefined;
  readonly monitors: readonly string[];
  readonly pool?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly secretRef?: LocalObjectReference | undefined;
  readonly user?: string | undefined;
}
export const RBDVolumeSource: BuiltInPart<RBDVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'RBDVolumeSource');

export interface ReplicationController extends KubeObject {
  readonly apiVersion: 'v1';
  readonly kind: 'ReplicationController';
  readonly spec: ReplicationControllerSpec;
  readonly status?: ReplicationControllerStatus | undefined;
}
export const ReplicationController: BuiltInKind<ReplicationController> = /* @__PURE__ */ builtInKind(definitions, 'ReplicationController');

export interface ReplicationControllerCondition {
  readonly lastTransitionTime?: string | undefined;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly status: string;
  readonly type: string;
}
export const ReplicationControllerCondition: BuiltInPart<ReplicationControllerCondition> = /* @__PURE__ */ builtInPart(definitions, 'ReplicationControllerCondition');

export interface ReplicationControllerSpec {
  readonly minReadySeconds?: number | undefined;
  readonly replicas?: number | undefined;
  readonly selector?: Readonly<Record<string, string>> | undefined;
  readonly template?: PodTemplateSpec | undefined;
}
export const ReplicationControllerSpec: BuiltInPart<ReplicationControllerSpec> = /* @__PURE__ */ builtInPart(definitions, 'ReplicationControllerSpec');

export interface ReplicationControllerStatus {
  readonly availableReplicas?: number | undefined;
  readonly conditions?: readonly ReplicationControllerCondition[] | undefined;
  readonly fullyLabeledReplicas?: number | undefined;
  readonly observedGeneration?: number | undefined;
  readonly readyReplicas?: number | undefined;
  readonly replicas: number;
}
export const ReplicationControllerStatus: BuiltInPart<ReplicationControllerStatus> = /* @__PURE__ */ builtInPart(definitions, 'ReplicationControllerStatus');

export interface ResourceClaim {
  readonly name: string;
  readonly request?: string | undefined;
}
export const ResourceClaim: BuiltInPart<ResourceClaim> = /* @__PURE__ */ builtInPart(definitions, 'ResourceClaim');

export interface ResourceFieldSelector {
  readonly containerName?: string | undefined;
  readonly divisor?: string | undefined;
  readonly resource: string;
}
export const ResourceFieldSelector: BuiltInPart<ResourceFieldSelector> = /* @__PURE__ */ builtInPart(definitions, 'ResourceFieldSelector');

export interface ResourceHealth {
  readonly health?: string | undefined;
  readonly message?: string | undefined;
  readonly resourceID: string;
}
export const ResourceHealth: BuiltInPart<ResourceHealth> = /* @__PURE__ */ builtInPart(definitions, 'ResourceHealth');

export interface ResourceQuota extends KubeObject {
  readonly apiVersion: 'v1';
  readonly kind: 'ResourceQuota';
  readonly spec: ResourceQuotaSpec;
  readonly status?: ResourceQuotaStatus | undefined;
}
export const ResourceQuota: BuiltInKind<ResourceQuota> = /* @__PURE__ */ builtInKind(definitions, 'ResourceQuota');

export interface ResourceQuotaSpec {
  readonly hard?: Readonly<Record<string, string>> | undefined;
  readonly scopeSelector?: ScopeSelector | undefined;
  readonly scopes?: readonly string[] | undefined;
}
export const ResourceQuotaSpec: BuiltInPart<ResourceQuotaSpec> = /* @__PURE__ */ builtInPart(definitions, 'ResourceQuotaSpec');

export interface ResourceQuotaStatus {
  readonly hard?: Readonly<Record<string, string>> | undefined;
  readonly used?: Readonly<Record<string, string>> | undefined;
}
export const ResourceQuotaStatus: BuiltInPart<ResourceQuotaStatus> = /* @__PURE__ */ builtInPart(definitions, 'ResourceQuotaStatus');

export interface ResourceRequirements {
  readonly claims?: readonly ResourceClaim[] | undefined;
  readonly limits?: Readonly<Record<string, string>> | undefined;
  readonly requests?: Readonly<Record<string, string>> | undefined;
}
export const ResourceRequirements: BuiltInPart<ResourceRequirements> = /* @__PURE__ */ builtInPart(definitions, 'ResourceRequirements');

export interface ResourceStatus {
  readonly name: string;
  readonly resources?: readonly ResourceHealth[] | undefined;
}
export const ResourceStatus: BuiltInPart<ResourceStatus> = /* @__PURE__ */ builtInPart(definitions, 'ResourceStatus');

export interface SELinuxOptions {
  readonly level?: string | undefined;
  readonly role?: string | undefined;
  readonly type?: string | undefined;
  readonly user?: string | undefined;
}
export const SELinuxOptions: BuiltInPart<SELinuxOptions> = /* @__PURE__ */ builtInPart(definitions, 'SELinuxOptions');

export interface ScaleIOPersistentVolumeSource {
  readonly fsType?: string | undefined;
  readonly gateway: string;
  readonly protectionDomain?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly secretRef: SecretReference;
  readonly sslEnabled?: boolean | undefined;
  readonly storageMode?: string | undefined;
  readonly storagePool?: string | undefined;
  readonly system: string;
  readonly volumeName?: string | undefined;
}
export const ScaleIOPersistentVolumeSource: BuiltInPart<ScaleIOPersistentVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'ScaleIOPersistentVolumeSource');

export interface ScaleIOVolumeSource {
  readonly fsType?: string | undefined;
  readonly gateway: string;
  readonly protectionDomain?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly secretRef: LocalObjectReference;
  readonly sslEnabled?: boolean | undefined;
  readonly storageMode?: string | undefined;
  readonly storagePool?: string | undefined;
  readonly system: string;
  readonly volumeName?: string | undefined;
}
export const ScaleIOVolumeSource: BuiltInPart<ScaleIOVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'ScaleIOVolumeSource');

export interface ScopeSelector {
  readonly matchExpressions?: readonly ScopedResourceSelectorRequirement[] | undefined;
}
export const ScopeSelector: BuiltInPart<ScopeSelector> = /* @__PURE__ */ builtInPart(definitions, 'ScopeSelector');

export interface ScopedResourceSelectorRequirement {
  readonly operator: string;
  readonly scopeName: string;
  readonly values?: readonly string[] | undefined;
}
export const ScopedResourceSelectorRequirement: BuiltInPart<ScopedResourceSelectorRequirement> = /* @__PURE__ */ builtInPart(definitions, 'ScopedResourceSelectorRequirement');

export interface SeccompProfile {
  readonly localhostProfile?: string | undefined;
  readonly type: string;
}
export const SeccompProfile: BuiltInPart<SeccompProfile> = /* @__PURE__ */ builtInPart(definitions, 'SeccompProfile');

export interface Secret extends KubeObject {
  readonly apiVersion: 'v1';
  readonly kind: 'Secret';
  readonly data?: Readonly<Record<string, string>> | undefined;
  readonly immutable?: boolean | undefined;
  readonly stringData?: Readonly<Record<string, string>> | undefined;
  readonly type?: string | undefined;
}
export const Secret: BuiltInKind<Secret> = /* @__PURE__ */ builtInKind(definitions, 'Secret');

export interface SecretEnvSource {
  readonly name?: string | undefined;
  readonly optional?: boolean | undefined;
}
export const SecretEnvSource: BuiltInPart<SecretEnvSource> = /* @__PURE__ */ builtInPart(definitions, 'SecretEnvSource');

export interface SecretKeySelector {
  readonly key: string;
  readonly name?: string | undefined;
  readonly optional?: boolean | undefined;
}
export const SecretKeySelector: BuiltInPart<SecretKeySelector> = /* @__PURE__ */ builtInPart(definitions, 'SecretKeySelector');

export interface SecretProjection {
  readonly items?: readonly KeyToPath[] | undefined;
  readonly name?: string | undefined;
  readonly optional?: boolean | undefined;
}
export const SecretProjection: BuiltInPart<SecretProjection> = /* @__PURE__ */ builtInPart(definitions, 'SecretProjection');

export interface SecretReference {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
}
export const SecretReference: BuiltInPart<SecretReference> = /* @__PURE__ */ builtInPart(definitions, 'SecretReference');

export interface SecretVolumeSource {
  readonly defaultMode?: number | undefined;
  readonly items?: readonly KeyToPath[] | undefined;
  readonly optional?: boolean | undefined;
  readonly secretName?: string | undefined;
}
export const SecretVolumeSource: BuiltInPart<SecretVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'SecretVolumeSource');

export interface SecurityContext {
  readonly allowPrivilegeEscalation?: boolean | undefined;
  readonly appArmorProfile?: AppArmorProfile | undefined;
  readonly capabilities?: Capabilities | undefined;
  readonly privileged?: boolean | undefined;
  readonly procMount?: string | undefined;
  readonly readOnlyRootFilesystem?: boolean | undefined;
  readonly runAsGroup?: number | undefined;
  readonly runAsNonRoot?: boolean | undefined;
  readonly runAsUser?: number | undefined;
  readonly seLinuxOptions?: SELinuxOptions | undefined;
  readonly seccompProfile?: SeccompProfile | undefined;
  readonly windowsOptions?: WindowsSecurityContextOptions | undefined;
}
export const SecurityContext: BuiltInPart<SecurityContext> = /* @__PURE__ */ builtInPart(definitions, 'SecurityContext');

export interface Service extends KubeObject {
  readonly apiVersion: 'v1';
  readonly kind: 'Service';
  readonly spec: ServiceSpec;
  readonly status?: ServiceStatus | undefined;
}
export const Service: BuiltInKind<Service> = /* @__PURE__ */ builtInKind(definitions, 'Service');

export interface ServiceAccount extends KubeObject {
  readonly apiVersion: 'v1';
  readonly kind: 'ServiceAccount';
  readonly automountServiceAccountToken?: boolean | undefined;
  readonly imagePullSecrets?: readonly LocalObjectReference[] | undefined;
  readonly secrets?: readonly ObjectReference[] | undefined;
}
export const ServiceAccount: BuiltInKind<ServiceAccount> = /* @__PURE__ */ builtInKind(definitions, 'ServiceAccount');

export interface ServiceAccountTokenProjection {
  readonly audience?: string | undefined;
  readonly expirationSeconds?: number | undefined;
  readonly path: string;
}
export const ServiceAccountTokenProjection: BuiltInPart<ServiceAccountTokenProjection> = /* @__PURE__ */ builtInPart(definitions, 'ServiceAccountTokenProjection');

export interface ServicePort {
  readonly appProtocol?: string | undefined;
  readonly name?: string | undefined;
  readonly nodePort?: number | undefined;
  readonly port: number;
  readonly protocol?: string | undefined;
  readonly targetPort?: number | string | undefined;
}
export const ServicePort: BuiltInPart<ServicePort> = /* @__PURE__ */ builtInPart(definitions, 'ServicePort');

export interface ServiceSpec {
  readonly allocateLoadBalancerNodePorts?: boolean | undefined;
  readonly clusterIP?: string | undefined;
  readonly clusterIPs?: readonly string[] | undefined;
  readonly externalIPs?: readonly string[] | undefined;
  readonly externalName?: string | undefined;
  readonly externalTrafficPolicy?: string | undefined;
  readonly healthCheckNodePort?: number | undefined;
  readonly internalTrafficPolicy?: string | undefined;
  readonly ipFamilies?: readonly string[] | undefined;
  readonly ipFamilyPolicy?: string | undefined;
  readonly loadBalancerClass?: string | undefined;
  readonly loadBalancerIP?: string | undefined;
  readonly loadBalancerSourceRanges?: readonly string[] | undefined;
  readonly ports?: readonly ServicePort[] | undefined;
  readonly publishNotReadyAddresses?: boolean | undefined;
  readonly selector?: Readonly<Record<string, string>> | undefined;
  readonly sessionAffinity?: string | undefined;
  readonly sessionAffinityConfig?: SessionAffinityConfig | undefined;
  readonly trafficDistribution?: string | undefined;
  readonly type?: string | undefined;
}
export const ServiceSpec: BuiltInPart<ServiceSpec> = /* @__PURE__ */ builtInPart(definitions, 'ServiceSpec');

export interface ServiceStatus {
  readonly conditions?: readonly meta_v1.Condition[] | undefined;
  readonly loadBalancer?: LoadBalancerStatus | undefined;
}
export const ServiceStatus: BuiltInPart<ServiceStatus> = /* @__PURE__ */ builtInPart(definitions, 'ServiceStatus');

export interface SessionAffinityConfig {
  readonly clientIP?: ClientIPConfig | undefined;
}
export const SessionAffinityConfig: BuiltInPart<SessionAffinityConfig> = /* @__PURE__ */ builtInPart(definitions, 'SessionAffinityConfig');

export interface SleepAction {
  readonly seconds: number;
}
export const SleepAction: BuiltInPart<SleepAction> = /* @__PURE__ */ builtInPart(definitions, 'SleepAction');

export interface StorageOSPersistentVolumeSource {
  readonly fsType?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly secretRef?: ObjectReference | undefined;
  readonly volumeName?: string | undefined;
  readonly volumeNamespace?: string | undefined;
}
export const StorageOSPersistentVolumeSource: BuiltInPart<StorageOSPersistentVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'StorageOSPersistentVolumeSource');

export interface StorageOSVolumeSource {
  readonly fsType?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly secretRef?: LocalObjectReference | undefined;
  readonly volumeName?: string | undefined;
  readonly volumeNamespace?: string | undefined;
}
export const StorageOSVolumeSource: BuiltInPart<StorageOSVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'StorageOSVolumeSource');

export interface Sysctl {
  readonly name: string;
  readonly value: string;
}
export const Sysctl: BuiltInPart<Sysctl> = /* @__PURE__ */ builtInPart(definitions, 'Sysctl');

export interface TCPSocketAction {
  readonly host?: string | undefined;
  readonly port: number | string;
}
export const TCPSocketAction: BuiltInPart<TCPSocketAction> = /* @__PURE__ */ builtInPart(definitions, 'TCPSocketAction');

export interface Taint {
  readonly effect: string;
  readonly key: string;
  readonly timeAdded?: string | undefined;
  readonly value?: string | undefined;
}
export const Taint: BuiltInPart<Taint> = /* @__PURE__ */ builtInPart(definitions, 'Taint');

export interface Toleration {
  readonly effect?: string | undefined;
  readonly key?: string | undefined;
  readonly operator?: string | undefined;
  readonly tolerationSeconds?: number | undefined;
  readonly value?: string | undefined;
}
export const Toleration: BuiltInPart<Toleration> = /* @__PURE__ */ builtInPart(definitions, 'Toleration');

export interface TopologySelectorLabelRequirement {
  readonly key: string;
  readonly values: readonly string[];
}
export const TopologySelectorLabelRequirement: BuiltInPart<TopologySelectorLabelRequirement> = /* @__PURE__ */ builtInPart(definitions, 'TopologySelectorLabelRequirement');

export interface TopologySelectorTerm {
  readonly matchLabelExpressions?: readonly TopologySelectorLabelRequirement[] | undefined;
}
export const TopologySelectorTerm: BuiltInPart<TopologySelectorTerm> = /* @__PURE__ */ builtInPart(definitions, 'TopologySelectorTerm');

export interface TopologySpreadConstraint {
  readonly labelSelector?: meta_v1.LabelSelector | undefined;
  readonly matchLabelKeys?: readonly string[] | undefined;
  readonly maxSkew: number;
  readonly minDomains?: number | undefined;
  readonly nodeAffinityPolicy?: string | undefined;
  readonly nodeTaintsPolicy?: string | undefined;
  readonly topologyKey: string;
  readonly whenUnsatisfiable: string;
}
export const TopologySpreadConstraint: BuiltInPart<TopologySpreadConstraint> = /* @__PURE__ */ builtInPart(definitions, 'TopologySpreadConstraint');

export interface TypedLocalObjectReference {
  readonly apiGroup?: string | undefined;
  readonly kind: string;
  readonly name: string;
}
export const TypedLocalObjectReference: BuiltInPart<TypedLocalObjectReference> = /* @__PURE__ */ builtInPart(definitions, 'TypedLocalObjectReference');

export interface TypedObjectReference {
  readonly apiGroup?: string | undefined;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string | undefined;
}
export const TypedObjectReference: BuiltInPart<TypedObjectReference> = /* @__PURE__ */ builtInPart(definitions, 'TypedObjectReference');

export interface Volume {
  readonly awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource | undefined;
  readonly azureDisk?: AzureDiskVolumeSource | undefined;
  readonly azureFile?: AzureFileVolumeSource | undefined;
  readonly cephfs?: CephFSVolumeSource | undefined;
  readonly cinder?: CinderVolumeSource | undefined;
  readonly configMap?: ConfigMapVolumeSource | undefined;
  readonly csi?: CSIVolumeSource | undefined;
  readonly downwardAPI?: DownwardAPIVolumeSource | undefined;
  readonly emptyDir?: EmptyDirVolumeSource | undefined;
  readonly ephemeral?: EphemeralVolumeSource | undefined;
  readonly fc?: FCVolumeSource | undefined;
  readonly flexVolume?: FlexVolumeSource | undefined;
  readonly flocker?: FlockerVolumeSource | undefined;
  readonly gcePersistentDisk?: GCEPersistentDiskVolumeSource | undefined;
  readonly gitRepo?: GitRepoVolumeSource | undefined;
  readonly glusterfs?: GlusterfsVolumeSource | undefined;
  readonly hostPath?: HostPathVolumeSource | undefined;
  readonly image?: ImageVolumeSource | undefined;
  readonly iscsi?: ISCSIVolumeSource | undefined;
  readonly name: string;
  readonly nfs?: NFSVolumeSource | undefined;
  readonly persistentVolumeClaim?: PersistentVolumeClaimVolumeSource | undefined;
  readonly photonPersistentDisk?: PhotonPersistentDiskVolumeSource | undefined;
  readonly portworxVolume?: PortworxVolumeSource | undefined;
  readonly projected?: ProjectedVolumeSource | undefined;
  readonly quobyte?: QuobyteVolumeSource | undefined;
  readonly rbd?: RBDVolumeSource | undefined;
  readonly scaleIO?: ScaleIOVolumeSource | undefined;
  readonly secret?: SecretVolumeSource | undefined;
  readonly storageos?: StorageOSVolumeSource | undefined;
  readonly vsphereVolume?: VsphereVirtualDiskVolumeSource | undefined;
}
export const Volume: BuiltInPart<Volume> = /* @__PURE__ */ builtInPart(definitions, 'Volume');

export interface VolumeDevice {
  readonly devicePath: string;
  readonly name: string;
}
export const VolumeDevice: BuiltInPart<VolumeDevice> = /* @__PURE__ */ builtInPart(definitions, 'VolumeDevice');

export interface VolumeMount {
  readonly mountPath: string;
  readonly mountPropagation?: string | undefined;
  readonly name: string;
  readonly readOnly?: boolean | undefined;
  readonly recursiveReadOnly?: string | undefined;
  readonly subPath?: string | undefined;
  readonly subPathExpr?: string | undefined;
}
export const VolumeMount: BuiltInPart<VolumeMount> = /* @__PURE__ */ builtInPart(definitions, 'VolumeMount');

export interface VolumeMountStatus {
  readonly mountPath: string;
  readonly name: string;
  readonly readOnly?: boolean | undefined;
  readonly recursiveReadOnly?: string | undefined;
  readonly volumeStatus?: VolumeStatus | undefined;
}
export const VolumeMountStatus: BuiltInPart<VolumeMountStatus> = /* @__PURE__ */ builtInPart(definitions, 'VolumeMountStatus');

export interface VolumeNodeAffinity {
  readonly required?: NodeSelector | undefined;
}
export const VolumeNodeAffinity: BuiltInPart<VolumeNodeAffinity> = /* @__PURE__ */ builtInPart(definitions, 'VolumeNodeAffinity');

export interface VolumeProjection {
  readonly clusterTrustBundle?: ClusterTrustBundleProjection | undefined;
  readonly configMap?: ConfigMapProjection | undefined;
  readonly downwardAPI?: DownwardAPIProjection | undefined;
  readonly podCertificate?: PodCertificateProjection | undefined;
  readonly secret?: SecretProjection | undefined;
  readonly serviceAccountToken?: ServiceAccountTokenProjection | undefined;
}
export const VolumeProjection: BuiltInPart<VolumeProjection> = /* @__PURE__ */ builtInPart(definitions, 'VolumeProjection');

export interface VolumeResourceRequirements {
  readonly limits?: Readonly<Record<string, string>> | undefined;
  readonly requests?: Readonly<Record<string, string>> | undefined;
}
export const VolumeResourceRequirements: BuiltInPart<VolumeResourceRequirements> = /* @__PURE__ */ builtInPart(definitions, 'VolumeResourceRequirements');

export interface VolumeStatus {
  readonly image?: ImageVolumeStatus | undefined;
}
export const VolumeStatus: BuiltInPart<VolumeStatus> = /* @__PURE__ */ builtInPart(definitions, 'VolumeStatus');

export interface VsphereVirtualDiskVolumeSource {
  readonly fsType?: string | undefined;
  readonly storagePolicyID?: string | undefined;
  readonly storagePolicyName?: string | undefined;
  readonly volumePath: string;
}
export const VsphereVirtualDiskVolumeSource: BuiltInPart<VsphereVirtualDiskVolumeSource> = /* @__PURE__ */ builtInPart(definitions, 'VsphereVirtualDiskVolumeSource');

export interface WeightedPodAffinityTerm {
  readonly podAffinityTerm: PodAffinityTerm;
  readonly weight: number;
}
export const WeightedPodAffinityTerm: BuiltInPart<WeightedPodAffinityTerm> = /* @__PURE__ */ builtInPart(definitions, 'WeightedPodAffinityTerm');

export interface WindowsSecurityContextOptions {
  readonly gmsaCredentialSpec?: string | undefined;
  readonly gmsaCredentialSpecName?: string | undefined;
  readonly hostProcess?: boolean | undefined;
  readonly runAsUserName?: string | undefined;
}
export const WindowsSecurityContextOptions: BuiltInPart<WindowsSecurityContextOptions> = /* @__PURE__ */ builtInPart(definitions, 'WindowsSecurityContextOptions');
