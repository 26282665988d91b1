import { contract } from './contract.js';
import {
  change,
  definitionOf,
  definitions,
  has,
  install,
  served,
  statusAndScale,
  version,
  widgetSchema,
  widgets,
  widgetsOf,
} from './custom-kinds.js';

/** Returns a schema with other fields in the spec. */
const withSpec = (properties: object): object => ({
  schema: {
    openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } },
  },
});
const named = (names: object): object => ({ names: { plural: 'widgets', kind: 'Widget', ...names } });
const conditions = ['status'];

contract(
  'crds',
  {},
  {
    'returns a new definition before its names are accepted': async (api) => {
      await api.post(definitions, widgets(api));
    },
    'sets the conditions of an accepted definition': async (api) => {
      await api.post(definitions, widgets(api), { quiet: true });
      await api.until(definitionOf(api), has('Established', 'True'));
      await api.get(definitionOf(api));
    },
    'reports the creation, acceptance, and establishment of a definition in a watch': async (api) => {
      await api.watch(`${definitions}?watch=1&fieldSelector=metadata.name=widgets.${api.group}`, {
        during: () => api.post(definitions, widgets(api), { quiet: true }),
        until: (events) => events.length === 3,
        only: ['type', 'object.status', 'object.metadata.generation'],
      });
    },
    'defaults names from the kind': async (api) => {
      await api.post(definitions, widgets(api, named({ shortNames: ['wd'], categories: ['all'] })), {
        only: ['spec.names', 'status'],
      });
      await api.until(definitionOf(api), has('Established', 'True'));
      await api.get(definitionOf(api), { only: ['status.acceptedNames'] });
    },
    'does not accept a kind that another definition of the group uses': async (api) => {
      await install(api, widgets(api));
      const other = widgets(api, { names: { plural: 'gadgets', kind: 'Widget' } }, { name: `gadgets.${api.group}` });
      await api.post(definitions, other, { quiet: true });
      await api.until(definitionOf(api, 'gadgets'), has('NamesAccepted', 'False'));
      await api.get(definitionOf(api, 'gadgets'), { only: conditions });
      await api.get(`/apis/${api.group}/v1/gadgets`);
    },
    'does not accept a singular that another definition uses': async (api) => {
      await install(api, widgets(api));
      const names = { plural: 'gadgets', singular: 'widget', kind: 'Gadget' };
      await api.post(definitions, widgets(api, { names }, { name: `gadgets.${api.group}` }), { quiet: true });
      await api.until(definitionOf(api, 'gadgets'), has('NamesAccepted', 'False'));
      await api.get(definitionOf(api, 'gadgets'), { only: conditions });
    },
    'does not accept a plural that is the singular of another definition': async (api) => {
      await install(api, widgets(api));
      const names = { plural: 'widget', singular: 'gadget', kind: 'Gadget' };
      await api.post(definitions, widgets(api, { names }, { name: `widget.${api.group}` }), { quiet: true });
      await api.until(definitionOf(api, 'widget'), has('NamesAccepted', 'False'));
      await api.get(definitionOf(api, 'widget'), { only: conditions });
    },
    'does not accept a list kind that another definition uses': async (api) => {
      await install(api, widgets(api));
      const names = { plural: 'gadgets', kind: 'Gadget', listKind: 'WidgetList' };
      await api.post(definitions, widgets(api, { names }, { name: `gadgets.${api.group}` }), { quiet: true });
      await api.until(definitionOf(api, 'gadgets'), has('NamesAccepted', 'False'));
      await api.get(definitionOf(api, 'gadgets'), { only: conditions });
    },
    'lists in the condition NamesAccepted all short names that other definitions use': async (api) => {
      await install(api, widgets(api, named({ shortNames: ['wa', 'wb'] })));
      const names = { plural: 'gadgets', kind: 'Gadget', shortNames: ['wa', 'wb', 'wc'] };
      await api.post(definitions, widgets(api, { names }, { name: `gadgets.${api.group}` }), { quiet: true });
      await api.until(definitionOf(api, 'gadgets'), has('NamesAccepted', 'False'));
      await api.get(definitionOf(api, 'gadgets'), { only: conditions });
    },
    'accepts names after the conflicting definition is deleted': async (api) => {
      await install(api, widgets(api));
      const names = { plural: 'gadgets', kind: 'Widget' };
      await api.post(definitions, widgets(api, { names }, { name: `gadgets.${api.group}` }), { quiet: true });
      await api.until(definitionOf(api, 'gadgets'), has('NamesAccepted', 'False'));
      await api.delete(definitionOf(api), undefined, { quiet: true });
      await api.until(definitionOf(api, 'gadgets'), has('Established', 'True'));
      await api.get(definitionOf(api, 'gadgets'), { only: conditions });
    },
    'keeps a definition established when an added short name conflicts': async (api) => {
      await install(api, widgets(api, named({ shortNames: ['wa'] })));
      const names = { plural: 'gadgets', kind: 'Gadget', singular: 'gadget', listKind: 'GadgetList' };
      await install(api, widgets(api, { names }, { name: `gadgets.${api.group}` }));
      await api.patch(definitionOf(api, 'gadgets'), { spec: { names: { shortNames: ['wa'] } } }, { only: ['status'] });
      await api.until(definitionOf(api, 'gadgets'), has('NamesAccepted', 'False'));
      await api.get(definitionOf(api, 'gadgets'), { only: conditions });
      await api.until(widgetsOf(api, 'v1', 'gadgets'), ({ status }) => status === 200);
    },
    'accepts equal names in different groups': async (api) => {
      await install(api, widgets(api));
      const other = { ...widgets(api, { group: `x.${api.group}` }), metadata: { name: `widgets.x.${api.group}` } };
      await api.post(definitions, other, { quiet: true });
      await api.until(`${definitions}/widgets.x.${api.group}`, has('Established', 'True'));
    },
    'accepts a new short name after an update': async (api) => {
      await install(api, widgets(api));
      await change(
        api,
        {
          names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList', shortNames: ['wd'] },
        },
        { quiet: true },
      );
      await api.until(definitionOf(api), ({ body }) => body.status.acceptedNames.shortNames !== undefined);
      await api.get(definitionOf(api), { only: ['status', 'metadata.generation', 'spec.names'] });
    },
    'ignores the status of a new definition': async (api) => {
      const status = { storedVersions: ['v9'], acceptedNames: { plural: 'x', kind: 'X' }, conditions: [] };
      await api.post(definitions, { ...widgets(api), status }, { only: ['status'] });
    },
    'rejects a definition that exists': async (api) => {
      await install(api, widgets(api));
      await api.post(definitions, widgets(api));
    },
    'does not create a definition in a dry run': async (api) => {
      await api.post(`${definitions}?dryRun=All`, widgets(api), { only: ['status', 'metadata'] });
      await api.get(definitionOf(api));
    },
    'returns 404 for objects of an unknown group': async (api) => {
      await api.get(widgetsOf(api));
      await api.post(widgetsOf(api), {});
    },
    'returns 404 for an unknown version or plural': async (api) => {
      await install(api, widgets(api));
      await api.get(widgetsOf(api, 'v2'));
      await api.get(widgetsOf(api, 'v1', 'gadgets'));
    },
    'returns 404 for a namespaced kind without a namespace, and for a cluster-scoped kind with a namespace': async (
      api,
    ) => {
      await install(api, widgets(api));
      await api.post(`/apis/${api.group}/v1/widgets`, { metadata: { name: 'a' } });
      await api.get(`/apis/${api.group}/v1/widgets/a`);
      const names = { plural: 'worlds', kind: 'World' };
      await install(api, widgets(api, { names, scope: 'Cluster' }, { name: `worlds.${api.group}` }));
      await api.get(widgetsOf(api, 'v1', 'worlds'));
      await api.post(widgetsOf(api, 'v1', 'worlds'), { metadata: { name: 'a' } });
      await api.get(`/apis/${api.group}/v1/worlds`);
    },
    'creates, reads, and deletes a custom object': async (api) => {
      await install(api, widgets(api));
      await api.post(widgetsOf(api), {
        apiVersion: `${api.group}/v1`,
        kind: 'Widget',
        metadata: { name: 'a' },
        spec: { size: 2 },
      });
      await api.get(widgetsOf(api));
      await api.delete(`${widgetsOf(api)}/a`);
      await api.get(`${widgetsOf(api)}/a`);
    },
    'rejects a custom object without kind or apiVersion, or with a wrong kind or apiVersion': async (api) => {
      await install(api, widgets(api));
      await api.post(widgetsOf(api), { metadata: { name: 'a' } });
      await api.post(widgetsOf(api), { apiVersion: `${api.group}/v2`, kind: 'Widget', metadata: { name: 'a' } });
      await api.post(widgetsOf(api), { apiVersion: `${api.group}/v1`, kind: 'Gadget', metadata: { name: 'a' } });
    },
    'returns 404 for a version that is not served': async (api) => {
      const versions = [version('v1'), version('v2', { served: false, storage: false })];
      await install(api, widgets(api, { versions }));
      await api.get(widgetsOf(api, 'v2'));
      await api.get(`/apis/${api.group}`, { only: ['versions', 'preferredVersion'] });
    },
    'returns an object in every served version': async (api) => {
      const versions = [version('v1'), version('v2', { storage: false })];
      await install(api, widgets(api, { versions }));
      await api.post(widgetsOf(api), {
        apiVersion: `${api.group}/v1`,
        kind: 'Widget',
        metadata: { name: 'a' },
        spec: { size: 2 },
      });
      await api.get(`${widgetsOf(api, 'v2')}/a`);
      await api.get(widgetsOf(api, 'v2'), { only: ['apiVersion', 'kind', 'items.*.apiVersion'] });
      await api.patch(
        `${widgetsOf(api, 'v2')}/a`,
        { spec: { size: 3 } },
        { only: ['apiVersion', 'spec', 'metadata.generation', 'metadata.managedFields'] },
      );
    },
    'prunes fields that the requested version does not declare': async (api) => {
      const versions = [
        version('v1', withSpec({ size: { type: 'integer' }, old: { type: 'string' } })),
        version('v2', { storage: false, ...withSpec({ size: { type: 'integer' } }) }),
      ];
      await install(api, widgets(api, { versions }));
      await api.post(
        widgetsOf(api),
        { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'a' }, spec: { size: 2, old: 'x' } },
        { quiet: true },
      );
      await api.get(`${widgetsOf(api, 'v2')}/a`, { only: ['spec'] });
      await api.patch(`${widgetsOf(api, 'v2')}/a`, { spec: { size: 3 } }, { only: ['spec'] });
      await api.get(`${widgetsOf(api, 'v1')}/a`, { only: ['spec'] });
    },
    'changes the storage version, and rejects the removal of a version that is stored': async (api) => {
      const versions = [version('v1'), version('v2', { storage: false })];
      await install(api, widgets(api, { versions }));
      await change(api, { versions: [version('v1', { storage: false }), version('v2')] }, { quiet: true });
      await api.get(definitionOf(api), { only: ['status.storedVersions', 'metadata.generation'] });
      await change(api, { versions: [version('v2')] });
    },
    'accepts the removal of a version that is no longer in status.storedVersions': async (api) => {
      const versions = [version('v1'), version('v2', { storage: false })];
      await install(api, widgets(api, { versions }));
      await change(api, { versions: [version('v1', { storage: false }), version('v2')] }, { quiet: true });
      const { body } = await api.get(definitionOf(api), { quiet: true });
      await api.put(
        `${definitionOf(api)}/status`,
        { ...body, status: { ...body.status, storedVersions: ['v2'] } },
        { only: ['status.storedVersions'] },
      );
      await change(api, { versions: [version('v2')] }, { quiet: true });
      await api.get(definitionOf(api), { only: ['status.storedVersions', 'spec.versions.*.name'] });
    },
    'warns about a deprecated version with a custom or a default message': async (api) => {
      const versions = [
        version('v1', { deprecated: true }),
        version('v2', { storage: false, deprecated: true, deprecationWarning: 'v2 is old; use v3' }),
        version('v3', { storage: false }),
      ];
      await install(api, widgets(api, { versions }));
      for (const name of ['v1', 'v2', 'v3']) await api.get(widgetsOf(api, name), { only: ['kind'] });
    },
    'names the replacement in the warning about a deprecated version': async (api) => {
      const versions = [version('v1beta1', { deprecated: true }), version('v1', { storage: false })];
      await install(api, widgets(api, { versions }));
      await api.get(widgetsOf(api, 'v1beta1'), { only: ['kind'] });
      await api.post(
        widgetsOf(api, 'v1beta1'),
        { apiVersion: `${api.group}/v1beta1`, kind: 'Widget', metadata: { name: 'a' } },
        { only: ['kind'] },
      );
    },
    'rejects changes of the group and the plural': async (api) => {
      await install(api, widgets(api));
      await change(api, { group: 'other.example.com' });
      await change(api, { names: { plural: 'gadgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' } });
    },
    'rejects changes of the scope and the kind of an established definition': async (api) => {
      await install(api, widgets(api));
      await change(api, { scope: 'Cluster' });
      await change(api, { names: { plural: 'widgets', singular: 'widget', kind: 'Gadget', listKind: 'WidgetList' } });
    },
    'rejects an update of a definition without a resourceVersion': async (api) => {
      await install(api, widgets(api));
      await api.put(definitionOf(api), widgets(api));
    },
    'changes only the status through the status subresource': async (api) => {
      await install(api, widgets(api));
      const { body } = await api.get(definitionOf(api), { quiet: true });
      const changed = {
        ...body,
        spec: { ...body.spec, scope: 'Cluster' },
        metadata: { ...body.metadata, labels: { a: 'b' } },
      };
      await api.put(
        `${definitionOf(api)}/status`,
        { ...changed, status: { ...body.status, storedVersions: ['v1', 'v0'] } },
        { only: ['spec.scope', 'metadata.labels', 'status.storedVersions', 'metadata.generation'] },
      );
    },
    'deletes a definition without objects through its finalizer': async (api) => {
      await install(api, widgets(api));
      await api.delete(definitionOf(api), undefined, { only: ['metadata.finalizers', 'status', 'kind'] });
      await api.until(definitionOf(api), ({ status }) => status === 404);
      await api.get(definitionOf(api));
    },
    'deletes the objects of a deleted definition': async (api) => {
      await install(api, widgets(api));
      await api.post(
        widgetsOf(api),
        { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'a' } },
        { quiet: true },
      );
      await api.delete(definitionOf(api), undefined, { quiet: true });
      await api.until(definitionOf(api), ({ status }) => status === 404);
      // A real server still serves the kind for a short time, but reports that its objects do not exist.
      await api.until(`${widgetsOf(api)}/a`, ({ body }) => typeof body === 'string');
      await api.get(`${widgetsOf(api)}/a`);
      await install(api, widgets(api));
      await api.get(widgetsOf(api), { only: ['items'] });
    },
    'reports the deletion of objects with their definition in a watch': async (api) => {
      await install(api, widgets(api));
      await api.post(
        widgetsOf(api),
        { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'a' } },
        { quiet: true },
      );
      await api.watch(`${widgetsOf(api)}?watch=1`, {
        during: () => api.delete(definitionOf(api), undefined, { quiet: true }),
        until: (events) => events.some(({ type }) => type === 'DELETED'),
      });
    },
    'continues a watch when an update of the definition does not change the served kind': async (api) => {
      await install(api, widgets(api));
      await api.watch(`${widgetsOf(api)}?watch=1`, {
        during: async () => {
          await api.patch(definitionOf(api), { metadata: { labels: { tier: 'front' } } }, { quiet: true });
          await api.post(
            widgetsOf(api),
            { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'a' } },
            { quiet: true },
          );
        },
        until: (events) => events.length === 1,
      });
    },
    'keeps a deleted definition while its objects have finalizers, and rejects new objects': async (api) => {
      await install(api, widgets(api));
      await api.post(
        widgetsOf(api),
        { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'a', finalizers: ['example.com/keep'] } },
        { quiet: true },
      );
      await api.delete(definitionOf(api), undefined, { quiet: true });
      await api.until(`${widgetsOf(api)}/a`, ({ body }) => body.metadata.deletionTimestamp !== undefined);
      await api.get(definitionOf(api), { only: ['status', 'metadata.finalizers'] });
      await api.post(widgetsOf(api), { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'b' } });
      await api.until(`/apis/${api.group}/v1`, ({ body }) => body.resources?.[0].verbs.length === 5);
      await api.get(`/apis/${api.group}/v1`, { only: ['resources.*.verbs', 'resources.*.name'] });
      await api.patch(`${widgetsOf(api)}/a`, { metadata: { finalizers: null } }, { only: ['metadata.name'] });
      await api.until(definitionOf(api), ({ status }) => status === 404);
    },
    'returns the terminating definition for a second deletion': async (api) => {
      await install(api, widgets(api));
      await api.post(
        widgetsOf(api),
        { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'a', finalizers: ['example.com/keep'] } },
        { quiet: true },
      );
      await api.delete(definitionOf(api), undefined, { quiet: true });
      await api.until(definitionOf(api), ({ body }) => JSON.stringify(body).includes('InProgress'));
      await api.delete(definitionOf(api), undefined, { only: ['status.conditions.*.reason', 'kind'] });
      await api.patch(`${widgetsOf(api)}/a`, { metadata: { finalizers: null } }, { quiet: true });
    },
    'rejects the deletion of a definition with another uid': async (api) => {
      await install(api, widgets(api));
      const preconditions = { uid: '00000000-0000-0000-0000-000000000000' };
      await api.delete(definitionOf(api), { apiVersion: 'v1', kind: 'DeleteOptions', preconditions });
    },
    'returns 404 for subresources that are not declared': async (api) => {
      await install(api, widgets(api));
      await api.post(
        widgetsOf(api),
        { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'a' }, status: { size: 1 } },
        { only: ['status'] },
      );
      await api.get(`${widgetsOf(api)}/a/status`);
      await api.patch(`${widgetsOf(api)}/a/status`, { status: { size: 2 } });
      await api.get(`${widgetsOf(api)}/a/scale`);
    },
    'separates writes of the spec and of the status if a version has the status subresource': async (api) => {
      await install(api, widgets(api, { versions: [version('v1', { subresources: { status: {} } })] }));
      const object = { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'a' } };
      await api.post(widgetsOf(api), { ...object, spec: { size: 1 }, status: { size: 1 } });
      await api.patch(`${widgetsOf(api)}/a/status`, {
        spec: { size: 9 },
        status: { size: 2 },
        metadata: { labels: { a: 'b' } },
      });
      await api.patch(
        `${widgetsOf(api)}/a`,
        { spec: { size: 3 }, status: { size: 9 } },
        { only: ['spec', 'status', 'metadata.generation'] },
      );
      await api.get(`${widgetsOf(api)}/a/status`, { only: ['spec', 'status'] });
    },
    'reads and writes a declared scale subresource': async (api) => {
      await install(api, widgets(api, { versions: [version('v1', { subresources: statusAndScale })] }));
      await api.post(
        widgetsOf(api),
        { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'a' }, spec: { size: 1 } },
        { quiet: true },
      );
      await api.get(`${widgetsOf(api)}/a/scale`);
      await api.patch(`${widgetsOf(api)}/a/status`, { status: { size: 4, selector: 'a=b' } }, { quiet: true });
      await api.patch(`${widgetsOf(api)}/a/scale`, { spec: { replicas: 5 } });
      await api.get(`${widgetsOf(api)}/a`, {
        only: ['spec', 'status', 'metadata.generation'],
      });
    },
    'rejects a scale update with a stale resourceVersion': async (api) => {
      await install(api, widgets(api, { versions: [version('v1', { subresources: statusAndScale })] }));
      await api.post(
        widgetsOf(api),
        { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'a' }, spec: { size: 1 } },
        { quiet: true },
      );
      const { body } = await api.get(`${widgetsOf(api)}/a/scale`, { quiet: true });
      await api.put(`${widgetsOf(api)}/a/scale`, { ...body, spec: { replicas: 2 } });
      await api.put(`${widgetsOf(api)}/a/scale`, { ...body, spec: { replicas: 3 } });
    },
    'rejects a negative scale and a scale with another name': async (api) => {
      await install(api, widgets(api, { versions: [version('v1', { subresources: statusAndScale })] }));
      await api.post(
        widgetsOf(api),
        { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'a' }, spec: { size: 1 } },
        { quiet: true },
      );
      await api.patch(`${widgetsOf(api)}/a/scale`, { spec: { replicas: -1 } });
      const scale = {
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { name: 'b', namespace: api.namespace },
        spec: { replicas: 2 },
      };
      await api.put(`${widgetsOf(api)}/a/scale`, scale);
    },
    'returns an error for the scale of an object without replicas': async (api) => {
      await install(api, widgets(api, { versions: [version('v1', { subresources: statusAndScale })] }));
      await api.post(
        widgetsOf(api),
        { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'a' } },
        { quiet: true },
      );
      await api.get(`${widgetsOf(api)}/a/scale`);
      await api.get(`${widgetsOf(api)}/b/scale`);
    },
    'selects objects of a list by selectable fields': async (api) => {
      const more = { selectableFields: [{ jsonPath: '.spec.colour' }, { jsonPath: '.spec.size' }] };
      await install(api, widgets(api, { versions: [version('v1', more)] }));
      for (const [name, colour] of [
        ['a', 'red'],
        ['b', 'blue'],
        ['c', 'red'],
      ] as const)
        await api.post(
          widgetsOf(api),
          { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name }, spec: { colour, size: 1 } },
          { quiet: true },
        );
      await api.get(`${widgetsOf(api)}?fieldSelector=spec.colour=red`, { only: ['items.*.metadata.name'] });
      await api.get(`${widgetsOf(api)}?fieldSelector=spec.colour!=red,spec.size=1`, {
        only: ['items.*.metadata.name'],
      });
      await api.get(`${widgetsOf(api)}?fieldSelector=spec.size=2`, { only: ['items'] });
      await api.delete(`${widgetsOf(api)}?fieldSelector=spec.colour=red`, undefined, {
        only: ['kind', 'items.*.metadata.name'],
      });
      await api.get(widgetsOf(api), { only: ['items.*.metadata.name'] });
    },
    'rejects a field selector on fields that are not selectable': async (api) => {
      await install(api, widgets(api));
      await api.get(`${widgetsOf(api)}?fieldSelector=spec.colour=red`);
      await api.get(`${widgetsOf(api)}?fieldSelector=metadata.name=red`, { only: ['items'] });
    },
    'selects objects of a watch by selectable fields': async (api) => {
      const more = { selectableFields: [{ jsonPath: '.spec.colour' }] };
      await install(api, widgets(api, { versions: [version('v1', more)] }));
      await api.post(
        widgetsOf(api),
        { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'a' }, spec: { colour: 'red' } },
        { quiet: true },
      );
      await api.watch(`${widgetsOf(api)}?watch=1&fieldSelector=spec.colour=blue`, {
        during: async () => {
          await api.patch(`${widgetsOf(api)}/a`, { spec: { colour: 'blue' } }, { quiet: true });
          await api.patch(`${widgetsOf(api)}/a`, { spec: { size: 4 } }, { quiet: true });
          await api.patch(`${widgetsOf(api)}/a`, { spec: { colour: 'green' } }, { quiet: true });
        },
        until: (events) => events.length === 3,
        only: ['type', 'object.spec'],
      });
    },
    'applies defaults to written and to stored objects': async (api) => {
      await install(api, widgets(api));
      await api.post(
        widgetsOf(api),
        { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'a' }, spec: { size: 1 } },
        { quiet: true },
      );
      const spec = { size: { type: 'integer' }, colour: { type: 'string', default: 'red' } };
      await change(api, { versions: [version('v1', withSpec(spec))] }, { quiet: true });
      await api.until(`${widgetsOf(api)}/a`, ({ body }) => body.spec.colour !== undefined);
      await api.get(`${widgetsOf(api)}/a`, { only: ['spec', 'metadata.generation', 'metadata.managedFields'] });
      await api.get(widgetsOf(api), { only: ['items.*.spec'] });
      await api.post(
        widgetsOf(api),
        { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'b' }, spec: {} },
        { only: ['spec', 'metadata.managedFields'] },
      );
    },
    'applies the new defaults of a definition to the objects of a watch': async (api) => {
      await install(api, widgets(api));
      await api.post(
        widgetsOf(api),
        { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'a' }, spec: { size: 1 } },
        { quiet: true },
      );
      const spec = { size: { type: 'integer' }, colour: { type: 'string', default: 'red' } };
      await change(api, { versions: [version('v1', withSpec(spec))] }, { quiet: true });
      await api.until(`${widgetsOf(api)}/a`, ({ body }) => body.spec.colour !== undefined);
      await api.watch(`${widgetsOf(api)}?watch=1`, {
        until: (events) => events.length === 1,
        only: ['type', 'object.spec'],
      });
    },
    'applies a default to null only if the field is not nullable': async (api) => {
      const spec = {
        a: { type: 'string', default: 'x' },
        b: { type: 'string', default: 'y', nullable: true },
        c: { type: 'string' },
      };
      await install(api, widgets(api, { versions: [version('v1', withSpec(spec))] }));
      await api.post(
        widgetsOf(api),
        { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'a' }, spec: { a: null, b: null, c: null } },
        { only: ['spec'] },
      );
    },
    'applies defaults of nested objects, items, and maps': async (api) => {
      const leaf = {
        type: 'object',
        properties: { on: { type: 'boolean', default: true }, n: { type: 'integer', default: 7 } },
      };
      const spec = {
        one: leaf,
        made: { ...leaf, default: {} },
        many: { type: 'array', items: leaf },
        by: { type: 'object', additionalProperties: leaf },
      };
      await install(api, widgets(api, { versions: [version('v1', withSpec(spec))] }));
      await api.post(
        widgetsOf(api),
        {
          apiVersion: `${api.group}/v1`,
          kind: 'Widget',
          metadata: { name: 'a' },
          spec: { one: {}, many: [{}, { n: 1 }], by: { x: { on: false } } },
        },
        { only: ['spec'] },
      );
    },
    'applies defaults of the whole spec and status': async (api) => {
      const properties = {
        spec: {
          type: 'object',
          default: { size: 1 },
          properties: { size: { type: 'integer' }, on: { type: 'boolean', default: true } },
        },
        status: {
          type: 'object',
          default: { seen: -1 },
          properties: { seen: { type: 'integer' }, phase: { type: 'string' } },
        },
      };
      const schema = { openAPIV3Schema: { type: 'object', required: ['spec'], properties } };
      await install(api, widgets(api, { versions: [version('v1', { schema, subresources: { status: {} } })] }));
      const widget = { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'a' } };
      await api.post(widgetsOf(api), widget, { only: ['spec', 'status'] });
      await api.post(
        widgetsOf(api),
        { ...widget, metadata: { name: 'b' }, spec: {}, status: { seen: 3 } },
        { only: ['spec', 'status'] },
      );
      await api.get(`${widgetsOf(api)}/b`, { only: ['spec', 'status'] });
      await api.patch(
        `${widgetsOf(api)}/b/status`,
        { status: { seen: null, phase: 'On' } },
        { only: ['spec', 'status'] },
      );
      await api.patch(`${widgetsOf(api)}/b/status`, { status: null }, { only: ['spec', 'status'] });
      await api.patch(`${widgetsOf(api)}/b`, { spec: null }, { only: ['spec', 'status'] });
    },
    'prunes unknown fields': async (api) => {
      await install(api, widgets(api));
      const object = {
        apiVersion: `${api.group}/v1`,
        kind: 'Widget',
        metadata: { name: 'a', colour: 'x' },
        spec: { size: 1, wheels: 4 },
        more: {},
      };
      await api.post(widgetsOf(api), object, { only: ['spec', 'more', 'metadata.colour'] });
      await api.post(`${widgetsOf(api)}?fieldValidation=Strict`, { ...object, metadata: { name: 'b' } });
      await api.post(
        `${widgetsOf(api)}?fieldValidation=Ignore`,
        { ...object, metadata: { name: 'c' } },
        { only: ['spec'] },
      );
    },
    'prunes fields of stored objects that the schema no longer declares': async (api) => {
      await install(api, widgets(api));
      await api.post(
        widgetsOf(api),
        { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'a' }, spec: { size: 1, colour: 'red' } },
        { quiet: true },
      );
      await change(api, { versions: [version('v1', withSpec({ size: { type: 'integer' } }))] }, { quiet: true });
      await api.until(`${widgetsOf(api)}/a`, ({ body }) => body.spec.colour === undefined);
      await api.get(`${widgetsOf(api)}/a`, { only: ['spec', 'metadata.generation'] });
      await change(api, { versions: [version('v1')] }, { quiet: true });
      await api.until(`${widgetsOf(api)}/a`, ({ body }) => body.spec.colour !== undefined);
      await api.get(`${widgetsOf(api)}/a`, { only: ['spec'] });
    },
    'returns a stored object that violates the schema, and rejects updates of the object': async (api) => {
      await install(api, widgets(api));
      await api.post(
        widgetsOf(api),
        { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'a' }, spec: { size: 1 } },
        { quiet: true },
      );
      await change(
        api,
        { versions: [version('v1', withSpec({ size: { type: 'integer', minimum: 5 }, colour: { type: 'string' } }))] },
        { quiet: true },
      );
      // The server changes the definition before it replaces the handlers of the kind.
      const probe = { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'probe' }, spec: { size: 1 } };
      const ask = () => api.post(`${widgetsOf(api)}?dryRun=All`, probe, { quiet: true });
      await api.eventually('the changed schema', ask, ({ status }) => status === 422);
      await api.get(`${widgetsOf(api)}/a`, { only: ['spec'] });
      await api.patch(`${widgetsOf(api)}/a`, { spec: { size: 2 } });
    },
    'keeps unknown fields with x-kubernetes-preserve-unknown-fields': async (api) => {
      const spec = {
        free: {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          properties: { known: { type: 'object', properties: { a: { type: 'string' } } } },
        },
      };
      await install(api, widgets(api, { versions: [version('v1', withSpec(spec))] }));
      await api.post(
        widgetsOf(api),
        {
          apiVersion: `${api.group}/v1`,
          kind: 'Widget',
          metadata: { name: 'a' },
          spec: { free: { x: { y: [1] }, known: { a: 'b', c: 'd' } } },
        },
        { only: ['spec'] },
      );
    },
    'keeps all fields of an object without declared fields': async (api) => {
      const free = { schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } };
      await install(api, widgets(api, { versions: [version('v1', free)] }));
      await api.post(widgetsOf(api), {
        apiVersion: `${api.group}/v1`,
        kind: 'Widget',
        metadata: { name: 'a' },
        anything: { goes: [1, 'a', null] },
      });
    },
    'decodes the metadata of an embedded resource like the metadata of an object': async (api) => {
      const embedded = { 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true };
      const items = { type: 'array', items: { type: 'object', ...embedded } };
      const openAPIV3Schema = { type: 'object', properties: { a: { type: 'object', ...embedded }, items } };
      await install(api, widgets(api, { versions: [version('v1', { schema: { openAPIV3Schema } })] }));
      const widget = (more: object): object => ({
        apiVersion: `${api.group}/v1`,
        kind: 'Widget',
        metadata: { name: 'w' },
        ...more,
      });
      const inner = (metadata: unknown, more: object = {}): object => ({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata,
        ...more,
      });
      const only = ['message', 'code', 'reason', 'a', 'items'];
      for (const metadata of [5, [], null, { name: 5 }, { labels: { a: 5 } }, { creationTimestamp: 'x' }]) {
        await api.post(`${widgetsOf(api)}?dryRun=All`, widget({ a: inner(metadata) }), { only });
      }
      await api.post(`${widgetsOf(api)}?dryRun=All`, widget({ a: inner({}, { kind: 5 }) }), { only });
      await api.post(`${widgetsOf(api)}?dryRun=All`, widget({ items: [inner({}), inner({ finalizers: 'x' })] }), {
        only,
      });
    },
    'validates apiVersion, kind, and metadata of an embedded resource': async (api) => {
      const spec = {
        object: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
        },
      };
      await install(api, widgets(api, { versions: [version('v1', withSpec(spec))] }));
      const write = (name: string, object: object): Promise<unknown> =>
        api.post(
          widgetsOf(api),
          { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name }, spec: { object } },
          { only: ['spec', 'message', 'details', 'reason'] },
        );
      await write('a', {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'x', labels: { a: 'b' }, unknown: 1 },
        data: { a: 'b' },
      });
      await write('b', { metadata: { name: 'x' } });
      await write('c', { apiVersion: 'a/b/c', kind: 'Secret' });
      await write('d', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x', labels: { a: '-' } } });
    },
    'validates an int-or-string field': async (api) => {
      const spec = { port: { 'x-kubernetes-int-or-string': true } };
      await install(api, widgets(api, { versions: [version('v1', withSpec(spec))] }));
      for (const [name, port] of [
        ['a', 1],
        ['b', 'x'],
        ['c', 1.5],
        ['d', true],
        ['e', null],
      ] as const)
        await api.post(
          widgetsOf(api),
          { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name }, spec: { port } },
          { only: ['spec', 'message', 'details', 'reason'] },
        );
    },
    'reports all schema violations of an object': async (api) => {
      const spec = {
        size: { type: 'integer', minimum: 1 },
        name: { type: 'string', pattern: '^a' },
        kind: { type: 'string', enum: ['x', 'y'] },
        list: { type: 'array', items: { type: 'string' }, maxItems: 1 },
      };
      await install(api, widgets(api, { versions: [version('v1', withSpec(spec))] }));
      const write = (body: object): Promise<unknown> =>
        api.post(widgetsOf(api), {
          apiVersion: `${api.group}/v1`,
          kind: 'Widget',
          metadata: { name: 'a' },
          spec: body,
        });
      await write({ size: 0 });
      await write({ size: 'x' });
      await write({ name: 'b' });
      await write({ kind: 'z' });
      await write({ list: ['a', 'b'] });
      await write({ list: [1] });
    },
    'enforces schema restrictions of the name': async (api) => {
      const schema = {
        ...widgetSchema,
        properties: {
          ...widgetSchema.properties,
          metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 3 } } },
        },
      };
      await install(api, widgets(api, { versions: [version('v1', { schema: { openAPIV3Schema: schema } })] }));
      await api.post(widgetsOf(api), { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'long' } });
      await api.post(
        widgetsOf(api),
        { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'ok' } },
        { only: ['metadata.name'] },
      );
    },
    'rejects strategic merge patches of custom objects': async (api) => {
      await install(api, widgets(api));
      await api.post(
        widgetsOf(api),
        { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'a' } },
        { quiet: true },
      );
      await api.patch(`${widgetsOf(api)}/a`, { spec: { size: 2 } }, { type: 'application/strategic-merge-patch+json' });
    },
    'rejects an update of a custom object without a resourceVersion': async (api) => {
      await install(api, widgets(api));
      const object = { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'a' } };
      await api.post(widgetsOf(api), object, { quiet: true });
      await api.put(`${widgetsOf(api)}/a`, object);
      await api.put(`${widgetsOf(api)}/b`, { ...object, metadata: { name: 'b' } });
    },
    'does not change a definition that is applied again': async (api) => {
      const apply = (): Promise<unknown> =>
        api.patch(`${definitionOf(api)}?fieldManager=me`, widgets(api), {
          type: 'application/apply-patch+yaml',
          only: ['metadata.managedFields.*.manager', 'metadata.generation', 'kind'],
        });
      await apply();
      await served(api, widgets(api));
      await apply();
      await api.delete(definitionOf(api), undefined, { quiet: true });
    },
    'returns definitions as a table': async (api) => {
      await install(api, widgets(api));
      await api.get(definitionOf(api), {
        headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
        only: ['kind', 'columnDefinitions', 'rows.*.object.metadata.name'],
      });
    },
    'validates the types of metadata of custom objects': async (api) => {
      await install(api, widgets(api));
      const widget = (metadata: object): object => ({ apiVersion: `${api.group}/v1`, kind: 'Widget', metadata });
      const options = { only: ['code', 'reason', 'message', 'details'] };
      await api.post(widgetsOf(api), widget({ name: 'w' }), { quiet: true });
      for (const metadata of [
        { labels: { a: 1 } },
        { labels: [] },
        { annotations: { a: true } },
        { finalizers: 'x' },
        { finalizers: [1] },
        { ownerReferences: ['x'] },
        { ownerReferences: [{ uid: 1 }] },
        { ownerReferences: [{ controller: 'yes' }] },
        { generation: 'x' },
        { deletionTimestamp: 'x' },
      ]) {
        await api.post(widgetsOf(api), widget({ name: 'v', ...metadata }), options);
        await api.patch(`${widgetsOf(api)}/w`, { metadata }, options);
      }
    },
    'validates the types of metadata of ConfigMaps': async (api) => {
      const path = `/api/v1/namespaces/${api.namespace}/configmaps`;
      const options = { only: ['code', 'reason', 'message'] };
      for (const metadata of [{ labels: [] }, { labels: '' }, { finalizers: {} }, { generation: '' }, { name: 0 }]) {
        await api.post(path, { metadata: { name: 'v', ...metadata } }, options);
      }
    },
  },
);
