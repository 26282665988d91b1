import type { KubeObject } from '@kubewright/api';
import type { ExternalSystem, FaultKind, Oracle } from '@kubewright/testing';
import type { Bug } from './bug.js';

/** A bug that `explore` finds only with certain faults. */
export interface FaultBug extends Omit<Bug, 'violates'> {
  /** The kinds of faults that reveal the bug. */
  readonly faults: readonly FaultKind[];
  /** The rules that the bug also violates without faults. @default none */
  readonly alsoViolates?: readonly Oracle[];
  /** The objects that exist before a trial starts. @default none */
  readonly objects?: readonly KubeObject[];
  /** @default no external system */
  readonly external?: () => readonly ExternalSystem[];
}
