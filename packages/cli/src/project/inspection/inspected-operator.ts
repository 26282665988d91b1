import { kindOf } from '@kubewright/api/metadata';
import type { ControllerDescription, DescribedKind, OperatorDescription } from '@kubewright/runtime';
import type { InspectedController, InspectedOperator, InspectedUse } from '../inspected-project.js';

/** Replaces the classes in a description with names, so that the description can be sent to another process. */
export function inspectedOperator({
  rules: _rules,
  controllers,
  ...description
}: OperatorDescription): InspectedOperator {
  return { ...description, controllers: controllers.map(inspectedController) };
}

function inspectedController({
  for: reconciled,
  rules: _rules,
  ...controller
}: ControllerDescription): InspectedController {
  return {
    ...controller,
    ...(reconciled !== undefined && { for: inspectedUse(reconciled) }),
    owns: controller.owns.map(inspectedUse),
    watches: controller.watches.map(inspectedUse),
    reads: controller.reads.map(inspectedUse),
  };
}
function inspectedUse({ kind: ref, ...use }: DescribedKind): InspectedUse {
  const { group, version, kind, plural, namespaced } = kindOf(ref);
  const known = { ...(plural !== undefined && { plural }), ...(namespaced !== undefined && { namespaced }) };
  return { ...use, kind: { group, version, kind, ...known } };
}
