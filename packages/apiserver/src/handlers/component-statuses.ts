import type { ApiObject } from '../registry/objects/api-object.js';
import { compileSelection } from '../registry/listing/selection.js';
import { notFound } from '../registry/requests/status-errors.js';
import type { Answer } from './answers/answer.js';
import { listOptions } from './query-options.js';
import type { ResourceRequest } from './verbs.js';

/** The components of a control plane. All of them run in this process. */
const components = ['controller-manager', 'etcd-0', 'scheduler'].map(
  (name): ApiObject => ({
    apiVersion: 'v1',
    kind: 'ComponentStatus',
    metadata: { name } as ApiObject['metadata'],
    conditions: [{ type: 'Healthy', status: 'True', message: 'ok' }],
  }),
);

/** Handles GET of ComponentStatuses. */
export function componentStatusAnswer({ request, info, resource, presenter }: ResourceRequest): Answer {
  const { definition } = resource;
  if (info.name === undefined) {
    const items = components.filter(compileSelection(definition, listOptions(request, info)));
    return presenter.listAnswer({ items, metadata: {} });
  }
  const found = components.find(({ metadata }) => metadata.name === info.name);
  if (found === undefined) throw notFound({ ...definition, plural: 'componentstatus' }, info.name);
  return presenter.answer(found);
}
