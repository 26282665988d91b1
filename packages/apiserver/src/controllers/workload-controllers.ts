import type { Controller, ControllerSetting } from './controller.js';
import type { WorkloadName } from './workload-names.js';
import { DeploymentController } from './workloads/deployment-controller.js';
import { Kubelet } from './workloads/kubelet.js';
import { ReplicaSetController } from './workloads/replica-set-controller.js';
import { Scheduler } from './workloads/scheduler.js';

type ControllerClass = new (setting: ControllerSetting) => Controller;

/** The controllers that make workloads run, each under the name by which it is switched on. */
export const workloadControllers: Readonly<Record<WorkloadName, readonly ControllerClass[]>> = {
  deployments: [DeploymentController],
  replicasets: [ReplicaSetController],
  pods: [Scheduler, Kubelet],
};
