import { dns1123LabelErrors } from '@kubewright/api/names';
import { deepEqual } from '@kubewright/api/patch';
import type { ApiObject, JsonDraft } from '../../objects/api-object.js';
import { objectAt } from '../../objects/json-object.js';
import { podSpecWarnings } from '../core/pod-spec/pod-spec-warnings.js';

/** Returns the warnings about the Pod template of a workload and, for a new workload, about the name of the workload. */
export function workloadWarnings(workload: ApiObject, old: ApiObject | undefined): readonly string[] {
  return [
    ...(old === undefined ? podNameWarnings(workload) : []),
    ...templateWarnings(objectAt(workload, 'spec'), old && objectAt(old, 'spec'), 'spec'),
  ];
}

/** Returns a warning if the name of a workload is not a DNS label, because the names and host names of Pods contain this name. */
export function podNameWarnings({ metadata }: ApiObject): readonly string[] {
  const reasons = dns1123LabelErrors(metadata.name);
  if (reasons.length === 0) return [];
  const advice = 'this is used in Pod names and hostnames, which can result in surprising behavior';
  return [`metadata.name: ${advice}; a DNS label is recommended: [${reasons.join(' ')}]`];
}

/** Returns the warnings about the Pod template in the spec at `path`. Returns no warnings if an update does not change the spec. */
export function templateWarnings(spec: JsonDraft, old: JsonDraft | undefined, path: string): readonly string[] {
  const template = objectAt(spec, 'template');
  if (old !== undefined && deepEqual(spec, old)) return [];
  return podSpecWarnings(objectAt(template, 'spec'), objectAt(template, 'metadata'), `${path}.template.`);
}
