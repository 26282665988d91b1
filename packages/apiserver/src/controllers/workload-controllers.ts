import type { Controller, ControllerSetting } from './work/controller.js';
import type { WorkloadName } from './workload-names.js';
import { AutoscalerController } from './workloads/autoscaling/autoscaler-controller.js';
import { BootstrapTokenCleaner } from './workloads/secrets/bootstrap-token-cleaner.js';
import { BootstrapTokenSigner } from './workloads/secrets/bootstrap-token-signer.js';
import { CertificateApprover } from './workloads/certificates/certificate-approver.js';
import { CertificateCleaner } from './workloads/certificates/certificate-cleaner.js';
import { CertificateSigner } from './workloads/certificates/certificate-signer.js';
import { CronJobController } from './workloads/jobs/cron-job-controller.js';
import { DaemonSetController } from './workloads/daemon-sets/daemon-set-controller.js';
import { registerStorageClass } from './workloads/volumes/default-storage-class.js';
import { DeploymentController } from './workloads/deployments/deployment-controller.js';
import { NodeLeases } from './workloads/nodes/node-leases.js';
import { registerNodes } from './workloads/nodes/simulated-node.js';
import { EndpointSliceController } from './workloads/services/endpoint-slice-controller.js';
import { EndpointSliceMirroring } from './workloads/services/endpoint-slice-mirroring.js';
import { EndpointsController } from './workloads/services/endpoints-controller.js';
import { JobController, JobTtlController } from './workloads/jobs/job-controller.js';
import { Kubelet } from './workloads/nodes/kubelet.js';
import { NodeTaints } from './workloads/node-rules/node-taints.js';
import { NodeTtl } from './workloads/node-rules/node-ttl.js';
import { PodGarbageCollector } from './workloads/node-rules/pod-garbage-collector.js';
import { TaintEviction } from './workloads/node-rules/taint-eviction.js';
import { ReplicaSetController, ReplicationManager } from './workloads/replica-sets/replica-set-controller.js';
import { Scheduler } from './workloads/scheduling/scheduler.js';
import { StatefulSetController } from './workloads/stateful-sets/stateful-set-controller.js';
import { VolumeBinder } from './workloads/volumes/volume-binder.js';

type ControllerClass = new (setting: ControllerSetting) => Controller;

/**
 * The functions that create initial objects, such as the embedded node. `Controllers` calls the function of a name before the controllers
 * of this name start.
 */
export const workloadInitializers: Partial<
  Readonly<Record<WorkloadName, (setting: Pick<ControllerSetting, 'registry' | 'simulated'>) => void>>
> = {
  pods: registerNodes,
  persistentvolumeclaims: ({ registry }) => registerStorageClass(registry),
};

/** The workload controllers by the name that enables them. `workloadNames` defines the order of the names. */
export const workloadControllers: Readonly<Record<WorkloadName, readonly ControllerClass[]>> = {
  pods: [NodeTaints, Scheduler, Kubelet, NodeLeases, PodGarbageCollector],
  replicasets: [ReplicaSetController],
  replicationcontrollers: [ReplicationManager],
  statefulsets: [StatefulSetController],
  daemonsets: [DaemonSetController],
  jobs: [JobController, JobTtlController],
  deployments: [DeploymentController],
  cronjobs: [CronJobController],
  persistentvolumeclaims: [VolumeBinder],
  certificatesigningrequests: [CertificateApprover, CertificateSigner, CertificateCleaner],
  secrets: [BootstrapTokenSigner, BootstrapTokenCleaner],
  nodes: [NodeTtl, TaintEviction],
  services: [EndpointSliceController, EndpointsController, EndpointSliceMirroring],
  horizontalpodautoscalers: [AutoscalerController],
};
