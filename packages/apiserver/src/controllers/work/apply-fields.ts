import { applyServerSideSteps, type Steps, withBreak } from '@kubewright/api/apply';
import { timestamp } from '../../registry/metadata/metadata-rules.js';
import type { ApiObject } from '../../registry/objects/api-object.js';
import type { Registry } from '../../registry/registry.js';
import type { RequestContext } from '../../registry/requests/request-context.js';
import type { Resource } from '../../registry/resource.js';
import { resetFields } from '../../registry/writing/update-rules.js';

/** Applies fields of an object with server-side apply, as the field manager of the context. Takes the fields from other managers. */
export function* applyFields(
  { clock }: Registry,
  resource: Resource,
  { live, fields, context }: { readonly live: ApiObject; readonly fields: object; readonly context: RequestContext },
): Steps<void> {
  const { apiVersion, kind, schema } = resource.definition;
  const { subresource, fieldManager: manager } = context;
  const { name } = live.metadata;
  const applied = yield* applyServerSideSteps({
    live,
    applied: { apiVersion, kind, metadata: { name }, ...fields },
    schema,
    manager,
    ...(subresource === undefined ? {} : { subresource }),
    force: true,
    resetFields: subresource === undefined ? [] : resetFields(resource.definition, subresource),
    now: timestamp(clock.now()),
  });
  const change = withBreak(() => applied.object);
  yield* resource.updateSteps(live.metadata, change, { ...context, operation: 'Apply' });
}
