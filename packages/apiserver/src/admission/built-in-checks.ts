import type { AdmissionCheck } from '../registry/admission-check.js';
import { namespaceLifecycle } from './namespace-lifecycle.js';
import { podDefaults } from './pod-defaults.js';

/** The checks that every write of a server passes, in order. */
export const builtInChecks: readonly AdmissionCheck[] = [namespaceLifecycle, podDefaults];
