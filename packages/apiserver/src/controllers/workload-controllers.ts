import type { Registry } from '../registry/registry.js';
import type { Controller, ControllerSetting } from './controller.js';
import type { WorkloadName } from './workload-names.js';
import { CronJobController } from './workloads/cron-job-controller.js';
import { DaemonSetController } from './workloads/daemon-set-controller.js';
import { registerStorageClass } from './workloads/default-storage-class.js';
import { DeploymentController } from './workloads/deployment-controller.js';
import { registerNode } from './workloads/embedded-node.js';
import { EndpointSliceController } from './workloads/endpoint-slice-controller.js';
import { EndpointsController } from './workloads/endpoints-controller.js';
import { JobController, JobTtlController } from './workloads/job-controller.js';
import { Kubelet } from './workloads/kubelet.js';
import { ReplicaSetController } from './workloads/replica-set-controller.js';
import { Scheduler } from './workloads/scheduler.js';
import { StatefulSetController } from './workloads/stateful-set-controller.js';
import { VolumeBinder } from './workloads/volume-binder.js';

type ControllerClass = new (setting: ControllerSetting) => Controller;

/** The functions that create initial objects, such as the embedded node, before the controllers of a workload name start. */
export const workloadBeginnings: Partial<Readonly<Record<WorkloadName, (registry: Registry) => void>>> = {
  pods: registerNode,
  persistentvolumeclaims: registerStorageClass,
};

/**
 * The workload controllers by the name that enables them. The controllers run in this order, so that a controller that summarizes the
 * results of other controllers runs after them.
 */
export const workloadControllers: Readonly<Record<WorkloadName, readonly ControllerClass[]>> = {
  pods: [Scheduler, Kubelet],
  replicasets: [ReplicaSetController],
  statefulsets: [StatefulSetController],
  daemonsets: [DaemonSetController],
  jobs: [JobController, JobTtlController],
  deployments: [DeploymentController],
  cronjobs: [CronJobController],
  persistentvolumeclaims: [VolumeBinder],
  services: [EndpointSliceController, EndpointsController],
};
