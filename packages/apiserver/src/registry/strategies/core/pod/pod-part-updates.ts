import { append } from '@kubewright/api/json';
import { deepEqual } from '@kubewright/api/patch';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { ApiObject, DraftObject, JsonDraft } from '../../../objects/api-object.js';
import { copyJson, isObject, madeAt, objectAt, objectsAt, stringAt } from '../../../objects/json-object.js';
import { firstByName } from '../../rules/field-checks.js';
import { isMirrorPod } from '../../rules/mirror-pod.js';
import { podQosClass } from './pod-qos-class.js';
import { allContainers } from '../pod-spec/pod-spec-defaults.js';

const resizable = ['cpu', 'memory'];

/**
 * Restricts an update to its subresource: `ephemeralcontainers` takes only the ephemeral containers from the request, and `resize` takes
 * only the resources and the resize policies. If a resize changes the list of containers, the draft stays unchanged, so that validation
 * reports the change. Otherwise, also restores the labels, annotations, finalizers and ownerReferences.
 */
export function keepPart(draft: DraftObject, old: ApiObject, subresource: string): void {
  const requested = objectAt(draft, 'spec');
  const spec = copyJson(objectAt(old, 'spec'));
  if (subresource === 'ephemeralcontainers') {
    if (requested['ephemeralContainers'] === undefined) delete spec['ephemeralContainers'];
    else spec['ephemeralContainers'] = copyJson(requested['ephemeralContainers']);
  } else {
    if (!sameContainers(requested, spec)) return;
    if (isObject(requested['resources'])) spec['resources'] = copyJson(requested['resources']);
    const desiredContainers = allContainers(requested);
    for (const [index, container] of allContainers(spec).entries()) {
      const desired = desiredContainers[index] ?? {};
      for (const field of ['resources', 'resizePolicy']) {
        if (desired[field] === undefined) delete container[field];
        else container[field] = copyJson(desired[field]);
      }
    }
  }
  draft['spec'] = spec;
  for (const field of ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const) {
    const value = old.metadata[field];
    if (value === undefined) delete draft.metadata[field];
    else Object.assign(madeAt(draft, 'metadata'), { [field]: copyJson(value) });
  }
}

function sameContainers(left: JsonDraft, right: JsonDraft): boolean {
  return ['containers', 'initContainers'].every((field) =>
    deepEqual(
      objectsAt(left, field).map((container) => stringAt(container, 'name')),
      objectsAt(right, field).map((container) => stringAt(container, 'name')),
    ),
  );
}

/**
 * Returns the errors of an update of ephemeral containers. Existing ephemeral containers cannot be removed or changed, and static Pods
 * cannot have ephemeral containers.
 */
export function ephemeralUpdateErrors(next: ApiObject, old: ApiObject): readonly FieldError[] {
  if (isMirrorPod(old)) {
    // As in kube-apiserver, this error does not name the field.
    return [fieldErrors.forbidden('[]', 'static pods do not support ephemeral containers')];
  }
  const path = 'spec.ephemeralContainers';
  const after = firstByName(objectsAt(next, 'spec', 'ephemeralContainers'));
  return errorsOfEach(objectsAt(old, 'spec', 'ephemeralContainers'), (before) => {
    const name = stringAt(before, 'name');
    const found = after.get(name);
    const shown = `existing ephemeral containers ${JSON.stringify(name)}`;
    if (found === undefined) return [fieldErrors.forbidden(path, `${shown} may not be removed\n`)];
    return deepEqual(found, before) ? [] : [fieldErrors.forbidden(path, `${shown} may not be changed\n`)];
  });
}

/**
 * Returns the errors of a resize. A resize must not change the QoS class, the list of containers, the resize policies or other fields, and
 * must not remove an amount. Static Pods do not support a resize.
 */
export function resizeErrors(next: ApiObject, old: ApiObject): readonly FieldError[] {
  if (isMirrorPod(old)) {
    return [fieldErrors.forbidden('', 'static pods cannot be resized')];
  }
  const [after, before] = [objectAt(next, 'spec'), objectAt(old, 'spec')];
  const errors: FieldError[] = [];
  const qosClass = stringAt(old, 'status', 'qosClass') || podQosClass(before);
  if (podQosClass(after) !== qosClass) {
    const why = 'Pod QOS Class may not change as a result of resizing';
    errors.push(fieldErrors.invalid('spec', stringAt(next, 'status', 'qosClass'), why));
  }
  const order = orderErrors(after, before);
  if (order.length > 0) return [...errors, ...order];
  for (const field of ['initContainers', 'containers']) {
    const desiredContainers = objectsAt(after, field);
    for (const [index, container] of objectsAt(before, field).entries()) {
      if (field === 'initContainers' && container['restartPolicy'] !== 'Always') continue;
      const desired = objectAt(desiredContainers[index], 'resources');
      append(errors, removedErrors(desired, objectAt(container, 'resources'), `spec.${field}[${index}].resources`));
    }
  }
  if (!deepEqual(withoutAmounts(after), withoutAmounts(before))) {
    errors.push(fieldErrors.forbidden('spec', 'only cpu and memory resources are mutable'));
  }
  return errors;
}

function orderErrors(after: JsonDraft, before: JsonDraft): readonly FieldError[] {
  return ['containers', 'initContainers'].flatMap((field) => {
    const names = objectsAt(after, field).map((container) => stringAt(container, 'name'));
    const known = objectsAt(before, field).map((container) => stringAt(container, 'name'));
    const kind = field === 'containers' ? 'containers' : 'initContainers';
    if (names.length !== known.length) {
      return [fieldErrors.forbidden(`spec.${field}`, `${kind} may not be added or removed on resize`)];
    }
    return errorsOfEach(names, (name, index) =>
      name === known[index]
        ? []
        : [fieldErrors.forbidden(`spec.${field}[${index}].name`, `${kind} may not be renamed or reordered on resize`)],
    );
  });
}

function removedErrors(desired: JsonDraft, known: JsonDraft, path: string): readonly FieldError[] {
  return ['requests', 'limits'].flatMap((field) => {
    const names = objectAt(desired, field);
    const lost = Object.keys(objectAt(known, field)).some((name) => names[name] === undefined);
    return lost ? [fieldErrors.forbidden(`${path}.${field}`, `resource ${field} cannot be removed`)] : [];
  });
}

/** Returns the spec without the cpu and memory amounts of the containers, which a resize can change. */
function withoutAmounts(spec: JsonDraft): JsonDraft {
  const rest = copyJson(spec);
  for (const container of allContainers(rest)) {
    for (const field of ['requests', 'limits']) {
      const amounts = madeAt(container, 'resources', field);
      for (const name of resizable) delete amounts[name];
    }
  }
  return rest;
}
