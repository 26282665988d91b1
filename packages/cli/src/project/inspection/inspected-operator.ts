import { kindOf } from '@kubewright/api/metadata';
import type { KindRef } from '@kubewright/api';
import type {
  ControllerDescription,
  DescribedKind,
  DescribedPolicy,
  DescribedWebhooks,
  OperatorDescription,
} from '@kubewright/runtime';
import { policySchemas } from '@kubewright/runtime/internal';
import type {
  InspectedController,
  InspectedKindName,
  InspectedOperator,
  InspectedPolicy,
  InspectedUse,
  InspectedWebhooks,
} from '../inspected-project.js';

/** Replaces the classes in a description with names, so that the description can be sent to another process. */
export function inspectedOperator({
  rules: _rules,
  controllers,
  webhooks,
  policies,
  ...description
}: OperatorDescription): InspectedOperator {
  return {
    ...description,
    controllers: controllers.map(inspectedController),
    ...(webhooks !== undefined && { webhooks: inspectedWebhooks(webhooks) }),
    ...(policies !== undefined && { policies: policies.map(inspectedPolicy) }),
  };
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
function inspectedUse({ kind, ...use }: DescribedKind): InspectedUse {
  return { ...use, kind: inspectedName(kind) };
}
function inspectedWebhooks({ admission, conversions, ...webhooks }: DescribedWebhooks): InspectedWebhooks {
  return {
    ...webhooks,
    admission: admission.map((webhook) => ({ ...webhook, kind: inspectedName(webhook.kind) })),
    conversions: conversions.map(({ hub, spokes, path }) => ({
      hub: inspectedName(hub),
      spokes: spokes.map(inspectedName),
      path,
    })),
  };
}
function inspectedPolicy({ kind, params, ...policy }: DescribedPolicy): InspectedPolicy {
  return {
    ...policy,
    kind: inspectedName(kind),
    ...(params !== undefined && { params: inspectedName(params) }),
    schemas: policySchemas({ ...policy, kind, ...(params !== undefined && { params }) }),
  };
}
function inspectedName(ref: KindRef): InspectedKindName {
  const { group, version, kind, plural, namespaced } = kindOf(ref);
  const known = { ...(plural !== undefined && { plural }), ...(namespaced !== undefined && { namespaced }) };
  return { group, version, kind, ...known };
}
