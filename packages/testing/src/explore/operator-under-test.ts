import type { KindRef, KubeObject } from '@kubewright/api';
import type { Component, Constructor, Manager, ManagerOptions } from '@kubewright/runtime';
import type { ExternalSystem } from './external-system.js';

/** The operator that `explore` tests. */
export interface OperatorUnderTest {
  /** The classes whose CRDs are generated and installed. */
  readonly kinds: readonly KindRef[];
  /** The components that run in the manager of the operator. */
  readonly controllers: readonly (Constructor<Component> | Component)[];
  /** Objects that exist before a trial starts, such as a Secret that all objects refer to. @default none */
  readonly objects?: readonly KubeObject[];
  /** Creates the external systems of the operator. Called for each trial. @default none */
  readonly external?: () => readonly ExternalSystem[];
  /**
   * The options of the manager, such as `namespaces`. The trial overrides the logger, the grace period, the leader election, the clock and
   * the connection. @default the defaults of a manager
   */
  readonly manager?: ManagerOptions;
  /**
   * Prepares each manager before it starts, for example with `manager.provide(…)` or `manager.control(…)`. Called again after each restart
   * of the operator. @default nothing
   */
  readonly prepare?: (manager: Manager) => void;
}
