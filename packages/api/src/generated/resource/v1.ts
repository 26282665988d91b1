// Made by scripts/generate-built-ins.mjs from the schemas of Kubernetes v1.36.3. Do not edit.
import { type BuiltInKind, builtInKind, type BuiltInPart, builtInPart } from '../../built-in/built-in-kind.js';
import type { KubeObject } from '../../objects/kube-object.js';
import type * as core_v1 from '../core/v1.js';
import type * as meta_v1 from '../meta/v1.js';
import { definitions } from './v1-definitions.js';

export interface AllocatedDeviceStatus {
  readonly conditions?: readonly meta_v1.Condition[] | undefined;
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  readonly device: string;
  readonly driver: string;
  readonly networkData?: NetworkDeviceData | undefined;
  readonly pool: string;
  readonly shareID?: string | undefined;
}
export const AllocatedDeviceStatus: BuiltInPart<AllocatedDeviceStatus> = /* @__PURE__ */ builtInPart(definitions, 'AllocatedDeviceStatus');

export interface AllocationResult {
  readonly allocationTimestamp?: string | undefined;
  readonly devices?: DeviceAllocationResult | undefined;
  readonly nodeSelector?: core_v1.NodeSelector | undefined;
}
export const AllocationResult: BuiltInPart<AllocationResult> = /* @__PURE__ */ builtInPart(definitions, 'AllocationResult');

export interface CELDeviceSelector {
  readonly expression: string;
}
export const CELDeviceSelector: BuiltInPart<CELDeviceSelector> = /* @__PURE__ */ builtInPart(definitions, 'CELDeviceSelector');

export interface CapacityRequestPolicy {
  readonly default?: string | undefined;
  readonly validRange?: CapacityRequestPolicyRange | undefined;
  readonly validValues?: readonly string[] | undefined;
}
export const CapacityRequestPolicy: BuiltInPart<CapacityRequestPolicy> = /* @__PURE__ */ builtInPart(definitions, 'CapacityRequestPolicy');

export interface CapacityRequestPolicyRange {
  readonly max?: string | undefined;
  readonly min: string;
  readonly step?: string | undefined;
}
export const CapacityRequestPolicyRange: BuiltInPart<CapacityRequestPolicyRange> = /* @__PURE__ */ builtInPart(definitions, 'CapacityRequestPolicyRange');

export interface CapacityRequirements {
  readonly requests?: Readonly<Record<string, string>> | undefined;
}
export const CapacityRequirements: BuiltInPart<CapacityRequirements> = /* @__PURE__ */ builtInPart(definitions, 'CapacityRequirements');

export interface Counter {
  readonly value: string;
}
export const Counter: BuiltInPart<Counter> = /* @__PURE__ */ builtInPart(definitions, 'Counter');

export interface CounterSet {
  readonly counters: Readonly<Record<string, Counter>>;
  readonly name: string;
}
export const CounterSet: BuiltInPart<CounterSet> = /* @__PURE__ */ builtInPart(definitions, 'CounterSet');

export interface Device {
  readonly allNodes?: boolean | undefined;
  readonly allowMultipleAllocations?: boolean | undefined;
  readonly attributes?: Readonly<Record<string, DeviceAttribute>> | undefined;
  readonly bindingConditions?: readonly string[] | undefined;
  readonly bindingFailureConditions?: readonly string[] | undefined;
  readonly bindsToNode?: boolean | undefined;
  readonly capacity?: Readonly<Record<string, DeviceCapacity>> | undefined;
  readonly consumesCounters?: readonly DeviceCounterConsumption[] | undefined;
  readonly name: string;
  readonly nodeAllocatableResourceMappings?: Readonly<Record<string, NodeAllocatableResourceMapping>> | undefined;
  readonly nodeName?: string | undefined;
  readonly nodeSelector?: core_v1.NodeSelector | undefined;
  readonly taints?: readonly DeviceTaint[] | undefined;
}
export const Device: BuiltInPart<Device> = /* @__PURE__ */ builtInPart(definitions, 'Device');

export interface DeviceAllocationConfiguration {
  readonly opaque?: OpaqueDeviceConfiguration | undefined;
  readonly requests?: readonly string[] | undefined;
  readonly source: string;
}
export const DeviceAllocationConfiguration: BuiltInPart<DeviceAllocationConfiguration> = /* @__PURE__ */ builtInPart(definitions, 'DeviceAllocationConfiguration');

export interface DeviceAllocationResult {
  readonly config?: readonly DeviceAllocationConfiguration[] | undefined;
  readonly results?: readonly DeviceRequestAllocationResult[] | undefined;
}
export const DeviceAllocationResult: BuiltInPart<DeviceAllocationResult> = /* @__PURE__ */ builtInPart(definitions, 'DeviceAllocationResult');

export interface DeviceAttribute {
  readonly bool?: boolean | undefined;
  readonly bools?: readonly boolean[] | undefined;
  readonly int?: number | undefined;
  readonly ints?: readonly number[] | undefined;
  readonly string?: string | undefined;
  readonly strings?: readonly string[] | undefined;
  readonly version?: string | undefined;
  readonly versions?: readonly string[] | undefined;
}
export const DeviceAttribute: BuiltInPart<DeviceAttribute> = /* @__PURE__ */ builtInPart(definitions, 'DeviceAttribute');

export interface DeviceCapacity {
  readonly requestPolicy?: CapacityRequestPolicy | undefined;
  readonly value: string;
}
export const DeviceCapacity: BuiltInPart<DeviceCapacity> = /* @__PURE__ */ builtInPart(definitions, 'DeviceCapacity');

export interface DeviceClaim {
  readonly config?: readonly DeviceClaimConfiguration[] | undefined;
  readonly constraints?: readonly DeviceConstraint[] | undefined;
  readonly requests?: readonly DeviceRequest[] | undefined;
}
export const DeviceClaim: BuiltInPart<DeviceClaim> = /* @__PURE__ */ builtInPart(definitions, 'DeviceClaim');

export interface DeviceClaimConfiguration {
  readonly opaque?: OpaqueDeviceConfiguration | undefined;
  readonly requests?: readonly string[] | undefined;
}
export const DeviceClaimConfiguration: BuiltInPart<DeviceClaimConfiguration> = /* @__PURE__ */ builtInPart(definitions, 'DeviceClaimConfiguration');

export interface DeviceClass extends KubeObject {
  readonly apiVersion: 'resource.k8s.io/v1';
  readonly kind: 'DeviceClass';
  readonly spec: DeviceClassSpec;
}
export const DeviceClass: BuiltInKind<DeviceClass> = /* @__PURE__ */ builtInKind(definitions, 'DeviceClass');

export interface DeviceClassConfiguration {
  readonly opaque?: OpaqueDeviceConfiguration | undefined;
}
export const DeviceClassConfiguration: BuiltInPart<DeviceClassConfiguration> = /* @__PURE__ */ builtInPart(definitions, 'DeviceClassConfiguration');

export interface DeviceClassSpec {
  readonly config?: readonly DeviceClassConfiguration[] | undefined;
  readonly extendedResourceName?: string | undefined;
  readonly selectors?: readonly DeviceSelector[] | undefined;
}
export const DeviceClassSpec: BuiltInPart<DeviceClassSpec> = /* @__PURE__ */ builtInPart(definitions, 'DeviceClassSpec');

export interface DeviceConstraint {
  readonly distinctAttribute?: string | undefined;
  readonly matchAttribute?: string | undefined;
  readonly requests?: readonly string[] | undefined;
}
export const DeviceConstraint: BuiltInPart<DeviceConstraint> = /* @__PURE__ */ builtInPart(definitions, 'DeviceConstraint');

export interface DeviceCounterConsumption {
  readonly counterSet: string;
  readonly counters: Readonly<Record<string, Counter>>;
}
export const DeviceCounterConsumption: BuiltInPart<DeviceCounterConsumption> = /* @__PURE__ */ builtInPart(definitions, 'DeviceCounterConsumption');

export interface DeviceRequest {
  readonly exactly?: ExactDeviceRequest | undefined;
  readonly firstAvailable?: readonly DeviceSubRequest[] | undefined;
  readonly name: string;
}
export const DeviceRequest: BuiltInPart<DeviceRequest> = /* @__PURE__ */ builtInPart(definitions, 'DeviceRequest');

export interface DeviceRequestAllocationResult {
  readonly adminAccess?: boolean | undefined;
  readonly bindingConditions?: readonly string[] | undefined;
  readonly bindingFailureConditions?: readonly string[] | undefined;
  readonly consumedCapacity?: Readonly<Record<string, string>> | undefined;
  readonly device: string;
  readonly driver: string;
  readonly pool: string;
  readonly request: string;
  readonly shareID?: string | undefined;
  readonly tolerations?: readonly DeviceToleration[] | undefined;
}
export const DeviceRequestAllocationResult: BuiltInPart<DeviceRequestAllocationResult> = /* @__PURE__ */ builtInPart(definitions, 'DeviceRequestAllocationResult');

export interface DeviceSelector {
  readonly cel?: CELDeviceSelector | undefined;
}
export const DeviceSelector: BuiltInPart<DeviceSelector> = /* @__PURE__ */ builtInPart(definitions, 'DeviceSelector');

export interface DeviceSubRequest {
  readonly allocationMode?: string | undefined;
  readonly capacity?: CapacityRequirements | undefined;
  readonly count?: number | undefined;
  readonly deviceClassName: string;
  readonly name: string;
  readonly selectors?: readonly DeviceSelector[] | undefined;
  readonly tolerations?: readonly DeviceToleration[] | undefined;
}
export const DeviceSubRequest: BuiltInPart<DeviceSubRequest> = /* @__PURE__ */ builtInPart(definitions, 'DeviceSubRequest');

export interface DeviceTaint {
  readonly effect: string;
  readonly key: string;
  readonly timeAdded?: string | undefined;
  readonly value?: string | undefined;
}
export const DeviceTaint: BuiltInPart<DeviceTaint> = /* @__PURE__ */ builtInPart(definitions, 'DeviceTaint');

export interface DeviceToleration {
  readonly effect?: string | undefined;
  readonly key?: string | undefined;
  readonly operator?: string | undefined;
  readonly tolerationSeconds?: number | undefined;
  readonly value?: string | undefined;
}
export const DeviceToleration: BuiltInPart<DeviceToleration> = /* @__PURE__ */ builtInPart(definitions, 'DeviceToleration');

export interface ExactDeviceRequest {
  readonly adminAccess?: boolean | undefined;
  readonly allocationMode?: string | undefined;
  readonly capacity?: CapacityRequirements | undefined;
  readonly count?: number | undefined;
  readonly deviceClassName: string;
  readonly selectors?: readonly DeviceSelector[] | undefined;
  readonly tolerations?: readonly DeviceToleration[] | undefined;
}
export const ExactDeviceRequest: BuiltInPart<ExactDeviceRequest> = /* @__PURE__ */ builtInPart(definitions, 'ExactDeviceRequest');

export interface NetworkDeviceData {
  readonly hardwareAddress?: string | undefined;
  readonly interfaceName?: string | undefined;
  readonly ips?: readonly string[] | undefined;
}
export const NetworkDeviceData: BuiltInPart<NetworkDeviceData> = /* @__PURE__ */ builtInPart(definitions, 'NetworkDeviceData');

export interface NodeAllocatableResourceMapping {
  readonly allocationMultiplier?: string | undefined;
  readonly capacityKey?: string | undefined;
}
export const NodeAllocatableResourceMapping: BuiltInPart<NodeAllocatableResourceMapping> = /* @__PURE__ */ builtInPart(definitions, 'NodeAllocatableResourceMapping');

export interface OpaqueDeviceConfiguration {
  readonly driver: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}
export const OpaqueDeviceConfiguration: BuiltInPart<OpaqueDeviceConfiguration> = /* @__PURE__ */ builtInPart(definitions, 'OpaqueDeviceConfiguration');

export interface ResourceClaim extends KubeObject {
  readonly apiVersion: 'resource.k8s.io/v1';
  readonly kind: 'ResourceClaim';
  readonly spec: ResourceClaimSpec;
  readonly status?: ResourceClaimStatus | undefined;
}
export const ResourceClaim: BuiltInKind<ResourceClaim> = /* @__PURE__ */ builtInKind(definitions, 'ResourceClaim');

export interface ResourceClaimConsumerReference {
  readonly apiGroup?: string | undefined;
  readonly name: string;
  readonly resource: string;
  readonly uid: string;
}
export const ResourceClaimConsumerReference: BuiltInPart<ResourceClaimConsumerReference> = /* @__PURE__ */ builtInPart(definitions, 'ResourceClaimConsumerReference');

export interface ResourceClaimSpec {
  readonly devices?: DeviceClaim | undefined;
}
export const ResourceClaimSpec: BuiltInPart<ResourceClaimSpec> = /* @__PURE__ */ builtInPart(definitions, 'ResourceClaimSpec');

export interface ResourceClaimStatus {
  readonly allocation?: AllocationResult | undefined;
  readonly devices?: readonly AllocatedDeviceStatus[] | undefined;
  readonly reservedFor?: readonly ResourceClaimConsumerReference[] | undefined;
}
export const ResourceClaimStatus: BuiltInPart<ResourceClaimStatus> = /* @__PURE__ */ builtInPart(definitions, 'ResourceClaimStatus');

export interface ResourceClaimTemplate extends KubeObject {
  readonly apiVersion: 'resource.k8s.io/v1';
  readonly kind: 'ResourceClaimTemplate';
  readonly spec: ResourceClaimTemplateSpec;
}
export const ResourceClaimTemplate: BuiltInKind<ResourceClaimTemplate> = /* @__PURE__ */ builtInKind(definitions, 'ResourceClaimTemplate');

export interface ResourceClaimTemplateSpec {
  readonly metadata?: meta_v1.ObjectMeta | undefined;
  readonly spec: ResourceClaimSpec;
}
export const ResourceClaimTemplateSpec: BuiltInPart<ResourceClaimTemplateSpec> = /* @__PURE__ */ builtInPart(definitions, 'ResourceClaimTemplateSpec');

export interface ResourcePool {
  readonly generation: number;
  readonly name: string;
  readonly resourceSliceCount: number;
}
export const ResourcePool: BuiltInPart<ResourcePool> = /* @__PURE__ */ builtInPart(definitions, 'ResourcePool');

export interface ResourceSlice extends KubeObject {
  readonly apiVersion: 'resource.k8s.io/v1';
  readonly kind: 'ResourceSlice';
  readonly spec: ResourceSliceSpec;
}
export const ResourceSlice: BuiltInKind<ResourceSlice> = /* @__PURE__ */ builtInKind(definitions, 'ResourceSlice');

export interface ResourceSliceSpec {
  readonly allNodes?: boolean | undefined;
  readonly devices?: readonly Device[] | undefined;
  readonly driver: string;
  readonly nodeName?: string | undefined;
  readonly nodeSelector?: core_v1.NodeSelector | undefined;
  readonly perDeviceNodeSelection?: boolean | undefined;
  readonly pool: ResourcePool;
  readonly sharedCounters?: readonly CounterSet[] | undefined;
}
export const ResourceSliceSpec: BuiltInPart<ResourceSliceSpec> = /* @__PURE__ */ builtInPart(definitions, 'ResourceSliceSpec');
