import { valueText } from '@kubewright/api/errors';
import type { ApiObject } from '../../registry/objects/api-object.js';
import { objectsAt, stringAt } from '../../registry/objects/json-object.js';
import { behaviourFields } from './behaviour-fields.js';
import type { ContainerBehaviour, PodBehaviour } from './pod-behaviour.js';

/** The prefix of the annotations that state the behavior of a Pod, such as `pod.kubewright.dev/exit-code`. */
export const POD_ANNOTATION_PREFIX = 'pod.kubewright.dev/';

/** The behavior that the annotations of a Pod state, and the errors in these annotations. */
export interface AnnotatedBehaviour {
  readonly behaviour: PodBehaviour;
  readonly problems: readonly string[];
}

type Draft = { -readonly [K in keyof ContainerBehaviour]?: unknown };

const fieldOf: ReadonlyMap<string, keyof ContainerBehaviour> = new Map(
  (Object.keys(behaviourFields) as (keyof ContainerBehaviour)[]).map((name) => [
    behaviourFields[name].annotation,
    name,
  ]),
);

/**
 * Reads the annotations of a Pod with `POD_ANNOTATION_PREFIX`. An annotation with the name of a field applies to all containers. If a dot
 * and the name of a container follow, the annotation applies to this container. Returns undefined for a Pod without such annotations.
 */
export function annotatedBehaviour(pod: ApiObject): AnnotatedBehaviour | undefined {
  const { annotations } = pod.metadata;
  if (annotations === undefined) return undefined;
  const found = Object.entries(annotations).filter(([name]) => name.startsWith(POD_ANNOTATION_PREFIX));
  if (found.length === 0) return undefined;
  const top: Draft = {};
  // A container can have the name of an inherited property, such as `constructor`.
  const containers = Object.create(null) as Record<string, Draft>;
  const problems: string[] = [];
  for (const [name, text] of found) {
    const [annotation = '', ...rest] = name.slice(POD_ANNOTATION_PREFIX.length).split('.');
    const container = rest.join('.');
    const field = fieldOf.get(annotation);
    if (field === undefined) {
      problems.push(unknownAnnotation(name));
      continue;
    }
    const { fromText, isValid, choices } = behaviourFields[field];
    const value = fromText(text);
    const problem =
      containerProblem(pod, name, container) ??
      (isValid(value) ? undefined : `annotation ${name} is ${valueText(text)}; use ${choices}`);
    if (problem !== undefined) problems.push(problem);
    else if (container === '') top[field] = value;
    else (containers[container] ??= {})[field] = value;
  }
  return { behaviour: { ...top, containers } as PodBehaviour, problems };
}

function unknownAnnotation(name: string): string {
  return `unknown annotation ${name}; use ${POD_ANNOTATION_PREFIX} with ${[...fieldOf.keys()].join(', ')}`;
}

function containerProblem(pod: ApiObject, name: string, container: string): string | undefined {
  const names = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((field) =>
    objectsAt(pod, 'spec', field).map((each) => stringAt(each, 'name')),
  );
  if (container === '' || names.includes(container)) return undefined;
  return `annotation ${name} names an unknown container; use ${names.join(', ')}`;
}
