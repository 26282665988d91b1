import type { Duration } from '@kubewright/api/clock';

/** The reasons with which a container can wait forever instead of starting. */
export const waitingReasons = [
  'ContainerCreating',
  'CreateContainerConfigError',
  'CreateContainerError',
  'ErrImageNeverPull',
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'RunContainerError',
] as const;

/** The reasons with which a container can end. */
export const exitReasons = ['Completed', 'ContainerCannotRun', 'Error', 'OOMKilled', 'StartError'] as const;

/** What a simulated container does. The server runs no programs: these fields determine what the kubelet reports. */
export interface ContainerBehaviour {
  /**
   * The exit code of every run, a list with the exit codes of the first runs, or 'none'. With 'none', and after the last run of a list, the
   * container keeps running. @default see the guide to testing: `exit N`, `true` and `false` in the command end the container
   */
  readonly exitCode?: number | readonly number[] | 'none';
  /** The time from the start of a run to its exit. @default '0s' */
  readonly runFor?: Duration;
  /** The reason of an exit, such as 'OOMKilled'. @default 'Completed' for the exit code 0, and otherwise 'Error' */
  readonly exitReason?: (typeof exitReasons)[number];
  /** The termination message of an exit. @default none */
  readonly exitMessage?: string;
  /**
   * The time from an exit to the next run, if the restart policy restarts the container. At least 1 s for an `exitCode` that is not a list,
   * because such a container restarts without end. @default the back-off of the kubelet: 0 s, then 10 s, 20 s, 40 s, up to 300 s
   */
  readonly restartAfter?: Duration;
  /** The reason why the container does not start, such as 'ImagePullBackOff', or 'none'. @default 'none' */
  readonly waiting?: (typeof waitingReasons)[number] | 'none';
  /** The time until the container starts for the first time, for example to pull the image. @default '0s' */
  readonly startAfter?: Duration;
  /** The time from the start of a run until the startup probe succeeds, or 'never'. @default '0s' */
  readonly startedAfter?: Duration | 'never';
  /** The time from the start of a run until the readiness probe succeeds, or 'never'. @default '0s' */
  readonly readyAfter?: Duration | 'never';
  /**
   * The time from the start of a run until the liveness probe fails, or 'never'. The kubelet then ends the run with the exit code 137.
   * @default 'never'
   */
  readonly livenessFailsAfter?: Duration | 'never';
  /**
   * The time from the deletion of the Pod until the container has ended, or 'never' for a container that ignores signals. The kubelet
   * removes the Pod after its grace period at the latest. @default '0s'
   */
  readonly stopAfter?: Duration | 'never';
  /** The log of every run, or a list with the logs of consecutive runs, whose last entry is also the log of later runs. @default '' */
  readonly logs?: string | readonly string[];
  /** The CPU usage that the HorizontalPodAutoscaler controller reads, such as '250m'. @default no metric */
  readonly cpu?: string;
  /** The memory usage that the HorizontalPodAutoscaler controller reads, such as '64Mi'. @default no metric */
  readonly memory?: string;
}

/**
 * What the containers of a Pod do. The fields at the top apply to all `containers` of the Pod, but not to its init containers. `containers`
 * states what single containers do, including init containers and sidecars, by their names.
 *
 * @example
 * const behaviour: PodBehaviour = { readyAfter: '5s', containers: { migrate: { exitCode: [1, 0] } } };
 */
export interface PodBehaviour extends ContainerBehaviour {
  readonly containers?: Readonly<Record<string, ContainerBehaviour>>;
}

/**
 * The Pods to which a behavior applies: a label selector such as 'app=web', or the name, namespace and labels that a Pod must have. An
 * empty object selects all Pods.
 */
export type PodSelector =
  | string
  | {
      /** @default Pods in all namespaces */
      readonly namespace?: string;
      /** @default Pods with any name */
      readonly name?: string;
      /** The labels and their values, or a label selector. @default Pods with any labels */
      readonly labels?: Readonly<Record<string, string>> | string;
    };

/** A behavior and the Pods to which the behavior applies. */
export interface PodRule {
  /** @default all Pods */
  readonly selector?: PodSelector;
  readonly behaviour: PodBehaviour;
}
