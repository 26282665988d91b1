// Made by scripts/generate-built-ins.mjs from the schemas of Kubernetes v1.36.3. Do not edit.
import type { Definitions } from '../built-in/definitions.js';
import { definitions as admissionregistration_v1 } from './admissionregistration/v1-definitions.js';
import { definitions as apiextensions_v1 } from './apiextensions/v1-definitions.js';
import { definitions as apiregistration_v1 } from './apiregistration/v1-definitions.js';
import { definitions as apps_v1 } from './apps/v1-definitions.js';
import { definitions as authentication_v1 } from './authentication/v1-definitions.js';
import { definitions as authorization_v1 } from './authorization/v1-definitions.js';
import { definitions as autoscaling_v1 } from './autoscaling/v1-definitions.js';
import { definitions as autoscaling_v2 } from './autoscaling/v2-definitions.js';
import { definitions as batch_v1 } from './batch/v1-definitions.js';
import { definitions as certificates_v1 } from './certificates/v1-definitions.js';
import { definitions as coordination_v1 } from './coordination/v1-definitions.js';
import { definitions as core_v1 } from './core/v1-definitions.js';
import { definitions as discovery_v1 } from './discovery/v1-definitions.js';
import { definitions as events_v1 } from './events/v1-definitions.js';
import { definitions as flowcontrol_v1 } from './flowcontrol/v1-definitions.js';
import { definitions as meta_v1 } from './meta/v1-definitions.js';
import { definitions as networking_v1 } from './networking/v1-definitions.js';
import { definitions as node_v1 } from './node/v1-definitions.js';
import { definitions as policy_v1 } from './policy/v1-definitions.js';
import { definitions as rbac_v1 } from './rbac/v1-definitions.js';
import { definitions as resource_v1 } from './resource/v1-definitions.js';
import { definitions as scheduling_v1 } from './scheduling/v1-definitions.js';
import { definitions as storage_v1 } from './storage/v1-definitions.js';

/** The schemas of every built-in group-version. */
export const allDefinitions: readonly Definitions[] = [
  admissionregistration_v1,
  apiextensions_v1,
  apiregistration_v1,
  apps_v1,
  authentication_v1,
  authorization_v1,
  autoscaling_v1,
  autoscaling_v2,
  batch_v1,
  certificates_v1,
  coordination_v1,
  core_v1,
  discovery_v1,
  events_v1,
  flowcontrol_v1,
  meta_v1,
  networking_v1,
  node_v1,
  policy_v1,
  rbac_v1,
  resource_v1,
  scheduling_v1,
  storage_v1,
];
