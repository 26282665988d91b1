import { contract } from './contract.js';
import { convert, converting, schemaOf, twoVersions, widget } from './conversion.js';
import { change, definitionOf, version, widgetsOf } from './custom-kinds.js';
import { configurations } from './hooks.js';
import { allow } from './webhook-replies.js';

const quiet = { quiet: true };
const apply = 'application/apply-patch+yaml';
const shown = {
  only: ['apiVersion', 'kind', 'metadata.name', 'metadata.generation', 'spec', 'status', 'message', 'code', 'details'],
};
const events = ['type', 'object.apiVersion', 'object.metadata.name', 'object.spec'];
const v1beta1 = 'v1beta1';

contract(
  'webhooks-conversion-requests',
  { webhooks: true },
  {
    'reads an object in the stored version without a conversion': converting(async (api, conversion) => {
      await conversion.stored();
      await api.get(`${widgetsOf(api)}/w`);
      conversion.reviews();
    }),
    'reads an object in another version': converting(async (api, conversion) => {
      await conversion.stored();
      await api.get(`${widgetsOf(api, v1beta1)}/w`);
      conversion.reviews();
    }),
    'sends a v1beta1 ConversionReview': converting(async (api, conversion) => {
      await conversion.stored({ conversion: conversion.webhook({ conversionReviewVersions: ['v1beta1'] }) });
      await api.get(`${widgetsOf(api, v1beta1)}/w`, shown);
      conversion.reviews();
    }),
    'sends a ConversionReview in the first known version of conversionReviewVersions': converting(
      async (api, conversion) => {
        await conversion.stored({
          conversion: conversion.webhook({ conversionReviewVersions: ['v9', 'v1', 'v1beta1'] }),
        });
        await api.get(`${widgetsOf(api, v1beta1)}/w`, shown);
        conversion.reviews(['apiVersion']);
      },
    ),
    'does not convert an absent object': converting(async (api, conversion) => {
      await conversion.stored();
      await api.get(`${widgetsOf(api, v1beta1)}/none`);
      conversion.reviews();
    }),
    'creates an object in the stored version': converting(async (api, conversion) => {
      await conversion.install();
      await api.post(widgetsOf(api), widget(api));
      await api.get(`${widgetsOf(api, v1beta1)}/w`, shown);
    }),
    'creates an object in another version': converting(async (api, conversion) => {
      await conversion.install();
      await api.post(widgetsOf(api, v1beta1), widget(api, v1beta1));
      await api.get(`${widgetsOf(api)}/w`);
    }),
    'creates an object with a generated name in another version': converting(async (api, conversion) => {
      await conversion.install();
      const { metadata: _, ...rest } = widget(api, v1beta1) as { metadata: object };
      await api.post(widgetsOf(api, v1beta1), { ...rest, metadata: { generateName: 'made-' } });
    }),
    'does not store an object of a dry run in another version': converting(async (api, conversion) => {
      await conversion.install();
      await api.post(`${widgetsOf(api, v1beta1)}?dryRun=All`, widget(api, v1beta1));
      await api.get(`${widgetsOf(api)}/w`);
    }),
    'converts a created object to the stored version': converting(async (api, conversion) => {
      await conversion.install();
      await conversion.settle();
      await api.post(`${widgetsOf(api, v1beta1)}?dryRun=All`, widget(api, v1beta1), quiet);
      const targets = conversion.server.takeCalls().map(({ review }) => String(review.request.desiredAPIVersion));
      api.received('versions to which the object is converted', [...new Set(targets)].toSorted());
    }),
    'lists objects in both versions': converting(async (api, conversion) => {
      await conversion.stored();
      await api.post(widgetsOf(api, v1beta1), widget(api, v1beta1, { name: 'x' }), quiet);
      await api.get(widgetsOf(api), {
        only: ['apiVersion', 'kind', 'items.*.apiVersion', 'items.*.kind', 'items.*.spec'],
      });
      await api.get(widgetsOf(api, v1beta1));
    }),
    'lists objects of all namespaces in another version': converting(async (api, conversion) => {
      await conversion.stored();
      await api.get(`/apis/${api.group}/v1beta1/widgets`, {
        only: ['apiVersion', 'items.*.apiVersion', 'items.*.spec'],
      });
    }),
    'lists pages of objects in another version': converting(async (api, conversion) => {
      await conversion.stored();
      for (const name of ['x', 'y']) await api.post(widgetsOf(api), widget(api, 'v1', { name }), quiet);
      const only = ['items.*.metadata.name', 'items.*.spec', 'metadata.remainingItemCount'];
      const { body } = await api.get(`${widgetsOf(api, v1beta1)}?limit=2`, { only });
      await api.get(`${widgetsOf(api, v1beta1)}?limit=2&continue=${body.metadata.continue}`, { only });
    }),
    'lists selected objects in another version': converting(async (api, conversion) => {
      await conversion.stored();
      const metadata = { name: 'x', labels: { l: 'x' } };
      await api.post(widgetsOf(api), { ...widget(api), metadata }, quiet);
      const only = ['items.*.metadata.name', 'items.*.spec'];
      await api.get(`${widgetsOf(api, v1beta1)}?labelSelector=l`, { only });
      await api.get(`${widgetsOf(api, v1beta1)}?fieldSelector=metadata.name=w`, { only });
    }),
    'evaluates the label selector of a list after the conversion adds a label': converting(async (api, conversion) => {
      await conversion.stored();
      conversion.reply(
        convert((object) => ({
          ...object,
          metadata: { ...object.metadata, labels: { by: object.apiVersion.split('/')[1] } },
        })),
      );
      await api.post(widgetsOf(api), widget(api, 'v1', { name: 'x' }), quiet);
      const only = ['items.*.metadata.name', 'items.*.metadata.labels'];
      await api.get(`${widgetsOf(api, v1beta1)}?labelSelector=by=v1beta1`, { only });
    }),
    'watches objects in another version': converting(async (api, conversion) => {
      await conversion.stored();
      await api.watch(`${widgetsOf(api, v1beta1)}?watch=1`, {
        during: async () => {
          await api.patch(`${widgetsOf(api)}/w`, { spec: { size: 4 } }, quiet);
          await api.post(widgetsOf(api, v1beta1), widget(api, v1beta1, { name: 'x' }), quiet);
          await api.delete(`${widgetsOf(api)}/w`, undefined, quiet);
        },
        until: (seen) => seen.length === 4,
        only: events,
      });
    }),
    'watches objects in the stored version': converting(async (api, conversion) => {
      await conversion.install();
      await api.watch(`${widgetsOf(api)}?watch=1`, {
        during: async () => {
          await api.post(widgetsOf(api, v1beta1), widget(api, v1beta1), quiet);
          await api.patch(`${widgetsOf(api, v1beta1)}/w`, { spec: { extent: '4' } }, quiet);
          await api.delete(`${widgetsOf(api, v1beta1)}/w`, undefined, quiet);
        },
        until: (seen) => seen.length === 3,
        only: events,
      });
    }),
    'watches objects from a resourceVersion in another version': converting(async (api, conversion) => {
      await conversion.stored();
      const { body } = await api.get(`${widgetsOf(api)}/w`, quiet);
      await api.patch(`${widgetsOf(api)}/w`, { spec: { size: 4 } }, quiet);
      const from = `${widgetsOf(api, v1beta1)}?watch=1&resourceVersion=${body.metadata.resourceVersion}`;
      await api.watch(from, { until: (seen) => seen.length === 1, only: events });
    }),
    'updates an object in another version': converting(async (api, conversion) => {
      await conversion.stored();
      const { body } = await api.get(`${widgetsOf(api, v1beta1)}/w`, quiet);
      await api.put(`${widgetsOf(api, v1beta1)}/w`, { ...body, spec: { extent: '7', colour: 'red' } });
      await api.get(`${widgetsOf(api)}/w`);
    }),
    'rejects an outdated update in another version': converting(async (api, conversion) => {
      await conversion.stored();
      const { body } = await api.get(`${widgetsOf(api, v1beta1)}/w`, quiet);
      await api.patch(`${widgetsOf(api)}/w`, { spec: { size: 4 } }, quiet);
      await api.put(`${widgetsOf(api, v1beta1)}/w`, { ...body, spec: { extent: '7' } });
    }),
    'does not write an object that an update in another version does not change': converting(
      async (api, conversion) => {
        await conversion.stored();
        const { body } = await api.get(`${widgetsOf(api, v1beta1)}/w`, quiet);
        const { body: after } = await api.put(`${widgetsOf(api, v1beta1)}/w`, body, quiet);
        const isSame = after.metadata.resourceVersion === body.metadata.resourceVersion;
        api.received('whether the resourceVersion is unchanged', isSame);
      },
    ),
    'rejects a body of another version': converting(async (api, conversion) => {
      await conversion.stored();
      await api.post(widgetsOf(api, v1beta1), widget(api, 'v1', { name: 'x' }));
      await api.put(`${widgetsOf(api)}/w`, widget(api, v1beta1));
    }),
    'merges a patch in another version': converting(async (api, conversion) => {
      await conversion.stored();
      await api.patch(`${widgetsOf(api, v1beta1)}/w`, { spec: { extent: '5' } });
      await api.get(`${widgetsOf(api)}/w`, shown);
    }),
    'applies a JSON patch in another version': converting(async (api, conversion) => {
      await conversion.stored();
      const type = 'application/json-patch+json';
      await api.patch(`${widgetsOf(api, v1beta1)}/w`, [{ op: 'replace', path: '/spec/extent', value: '5' }], {
        ...shown,
        type,
      });
      await api.patch(`${widgetsOf(api, v1beta1)}/w`, [{ op: 'test', path: '/spec/size', value: 5 }], {
        ...shown,
        type,
      });
      await api.get(`${widgetsOf(api)}/w`, shown);
    }),
    'applies an object in another version': converting(async (api, conversion) => {
      await conversion.install();
      const path = `${widgetsOf(api, v1beta1)}/w?fieldManager=me`;
      await api.patch(path, widget(api, v1beta1), { type: apply });
      await api.patch(path, widget(api, v1beta1, { spec: { extent: '5', colour: 'red' } }), { type: apply });
      await api.get(`${widgetsOf(api)}/w`);
    }),
    'applies an object in two versions, one after the other': converting(async (api, conversion) => {
      await conversion.install();
      await api.patch(`${widgetsOf(api)}/w?fieldManager=me`, widget(api, 'v1', { spec: { size: 1, colour: 'red' } }), {
        type: apply,
      });
      await api.patch(`${widgetsOf(api, v1beta1)}/w?fieldManager=me`, widget(api, v1beta1, { spec: { extent: '2' } }), {
        type: apply,
      });
      await api.get(`${widgetsOf(api)}/w`);
    }),
    'reports conflicts of an apply in another version': converting(async (api, conversion) => {
      await conversion.install();
      await api.patch(`${widgetsOf(api)}/w?fieldManager=one`, widget(api, 'v1', { spec: { size: 1 } }), {
        ...quiet,
        type: apply,
      });
      const other = widget(api, v1beta1, { spec: { extent: '2' } });
      await api.patch(`${widgetsOf(api, v1beta1)}/w?fieldManager=two`, other, { type: apply });
      await api.patch(`${widgetsOf(api, v1beta1)}/w?fieldManager=two&force=true`, other, { type: apply });
    }),
    'records in managed fields the version in which each manager wrote': converting(async (api, conversion) => {
      await conversion.stored();
      await api.patch(`${widgetsOf(api, v1beta1)}/w?fieldManager=other`, { spec: { colour: 'red' } }, quiet);
      await api.patch(`${widgetsOf(api, v1beta1)}/w?fieldManager=other`, { spec: { extent: '8' } }, quiet);
      await api.get(`${widgetsOf(api)}/w`, { only: ['metadata.managedFields'] });
    }),
    'deletes an object in another version': converting(async (api, conversion) => {
      await conversion.stored();
      await api.delete(`${widgetsOf(api, v1beta1)}/w`);
      await api.get(`${widgetsOf(api)}/w`, shown);
    }),
    'returns an object with a finalizer in the requested version when the object is deleted': converting(
      async (api, conversion) => {
        await conversion.install();
        const metadata = { name: 'w', finalizers: ['example.com/f'] };
        await api.post(widgetsOf(api), { ...widget(api), metadata }, quiet);
        await api.delete(`${widgetsOf(api, v1beta1)}/w`);
        await api.patch(`${widgetsOf(api, v1beta1)}/w`, { metadata: { finalizers: null } }, shown);
        await api.get(`${widgetsOf(api)}/w`, shown);
      },
    ),
    'deletes a collection in another version': converting(async (api, conversion) => {
      await conversion.stored();
      await api.delete(widgetsOf(api, v1beta1), undefined, {
        only: ['apiVersion', 'kind', 'items.*.apiVersion', 'items.*.spec'],
      });
      await api.get(widgetsOf(api), { only: ['items.*.metadata.name'] });
    }),
    'changes the status of an object in another version': converting(async (api, conversion) => {
      await conversion.stored({ versions: twoVersions({ subresources: { status: {} } }) });
      await api.patch(`${widgetsOf(api, v1beta1)}/w/status`, { status: { extent: '9' }, spec: { extent: '8' } });
      await api.get(`${widgetsOf(api)}/w`, shown);
      await api.get(`${widgetsOf(api, v1beta1)}/w/status`, shown);
    }),
    'changes the scale of an object in another version': converting(async (api, conversion) => {
      const counted = (name: string, field: string): object => {
        const part = { type: 'object', properties: { [field]: { type: 'integer' } } };
        const scale = { specReplicasPath: `.spec.${field}`, statusReplicasPath: `.status.${field}` };
        return version(name, {
          storage: name === 'v1',
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: part, status: part } } },
          subresources: { scale },
        });
      };
      conversion.reply(({ apiVersion, request }) => {
        const isStored = request.desiredAPIVersion.endsWith('/v1');
        const convertedObjects = request.objects.map(
          ({ spec, ...object }: { spec: { size?: number; count?: number } }) => {
            const replicas = spec.size ?? spec.count;
            return {
              ...object,
              apiVersion: request.desiredAPIVersion,
              spec: isStored ? { size: replicas } : { count: replicas },
            };
          },
        );
        const response = { uid: request.uid, result: { status: 'Success' }, convertedObjects };
        return { body: { apiVersion, kind: 'ConversionReview', response } };
      });
      await conversion.stored({ versions: [counted('v1', 'size'), counted(v1beta1, 'count')] });
      await api.get(`${widgetsOf(api, v1beta1)}/w/scale`);
      await api.patch(`${widgetsOf(api, v1beta1)}/w/scale`, { spec: { replicas: 6 } });
      await api.get(`${widgetsOf(api)}/w`, shown);
    }),
    'sets the defaults of the requested version': converting(async (api, conversion) => {
      const withDefault = (name: string, value: string): object =>
        version(name, { ...schemaOf(name, { colour: { type: 'string', default: value } }), storage: name === 'v1' });
      await conversion.install({ versions: [withDefault('v1', 'stored'), withDefault(v1beta1, 'served')] });
      await api.post(widgetsOf(api), widget(api, 'v1', { name: 'a' }), shown);
      await api.post(widgetsOf(api, v1beta1), widget(api, v1beta1, { name: 'b' }), shown);
      for (const name of ['a', 'b']) {
        await api.get(`${widgetsOf(api)}/${name}`, shown);
        await api.get(`${widgetsOf(api, v1beta1)}/${name}`, shown);
      }
    }),
    'does not set the defaults of the requested version for an object that the webhook has converted': converting(
      async (api, conversion) => {
        const colour = { colour: { type: 'string', default: 'grey' } };
        const versions = [
          version('v1', schemaOf('v1')),
          version(v1beta1, { ...schemaOf(v1beta1, colour), storage: false }),
        ];
        await conversion.stored({ versions });
        await api.get(`${widgetsOf(api, v1beta1)}/w`, shown);
        await api.get(widgetsOf(api, v1beta1), { only: ['items.*.spec'] });
      },
    ),
    'prunes fields that the requested version does not define': converting(async (api, conversion) => {
      const extra = { extra: { type: 'string' } };
      const versions = [
        version('v1', schemaOf('v1', extra)),
        version(v1beta1, { ...schemaOf(v1beta1), storage: false }),
      ];
      await conversion.install({ versions });
      await api.post(widgetsOf(api), widget(api, 'v1', { spec: { size: 3, extra: 'x' } }), shown);
      await api.get(`${widgetsOf(api, v1beta1)}/w`, shown);
      await api.patch(`${widgetsOf(api, v1beta1)}/w`, { spec: { extent: '4' } }, shown);
      await api.get(`${widgetsOf(api)}/w`, shown);
    }),
    'validates the requested version': converting(async (api, conversion) => {
      await conversion.stored();
      await api.post(widgetsOf(api), widget(api, 'v1', { name: 'x', spec: { size: 0 } }), shown);
      await api.post(widgetsOf(api, v1beta1), widget(api, v1beta1, { name: 'x', spec: { extent: '1234567' } }), shown);
      await api.patch(`${widgetsOf(api, v1beta1)}/w`, { spec: { extent: '1234567' } }, shown);
    }),
    'does not validate the stored version of an object that is written in another version': converting(
      async (api, conversion) => {
        await conversion.install();
        await api.post(widgetsOf(api, v1beta1), widget(api, v1beta1, { spec: { extent: '0' } }), shown);
        await api.get(`${widgetsOf(api)}/w`, shown);
        await api.patch(`${widgetsOf(api)}/w`, { spec: { colour: 'red' } }, shown);
      },
    ),
    'evaluates the CEL rules of the requested version': converting(async (api, conversion) => {
      const ruled = (name: string, rule: string): object => {
        const { schema } = schemaOf(name) as { schema: { openAPIV3Schema: { properties: { spec: object } } } };
        const { properties } = schema.openAPIV3Schema;
        const spec = { ...properties.spec, 'x-kubernetes-validations': [{ rule }] };
        return version(name, {
          storage: name === 'v1',
          schema: { openAPIV3Schema: { type: 'object', properties: { ...properties, spec } } },
        });
      };
      const versions = [ruled('v1', 'self.size >= oldSelf.size'), ruled(v1beta1, 'self.extent != oldSelf.extent')];
      await conversion.stored({ versions });
      await api.patch(`${widgetsOf(api, v1beta1)}/w`, { spec: { extent: '2' } }, shown);
      await api.patch(`${widgetsOf(api)}/w`, { spec: { size: 1 } }, shown);
      await api.patch(`${widgetsOf(api, v1beta1)}/w`, { spec: { colour: 'red' } }, shown);
    }),
    'rejects unknown fields of the requested version': converting(async (api, conversion) => {
      await conversion.install();
      const given = widget(api, v1beta1, { spec: { size: 3 } });
      await api.post(`${widgetsOf(api, v1beta1)}?fieldValidation=Strict`, given);
      await api.post(`${widgetsOf(api, v1beta1)}?fieldValidation=Warn`, given, shown);
    }),
    'increments the generation after a change in another version': converting(async (api, conversion) => {
      await conversion.stored();
      const only = ['metadata.generation'];
      await api.patch(`${widgetsOf(api, v1beta1)}/w`, { metadata: { labels: { l: 'x' } } }, { only });
      await api.patch(`${widgetsOf(api, v1beta1)}/w`, { spec: { extent: '3' } }, { only });
      await api.patch(`${widgetsOf(api, v1beta1)}/w`, { spec: { extent: '4' } }, { only });
      await api.get(`${widgetsOf(api)}/w`, { only });
    }),
    'returns a table of the requested version': converting(async (api, conversion) => {
      const column = (name: string, jsonPath: string): object => ({
        additionalPrinterColumns: [{ name, type: 'string', jsonPath }],
      });
      const versions = [
        version('v1', { ...schemaOf('v1'), ...column('Size', '.spec.size') }),
        version(v1beta1, { ...schemaOf(v1beta1), storage: false, ...column('Extent', '.spec.extent') }),
      ];
      await conversion.stored({ versions });
      const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
      const only = ['columnDefinitions.*.name', 'rows.*.cells', 'rows.*.object.apiVersion'];
      await api.get(widgetsOf(api, v1beta1), { headers, only });
      await api.get(`${widgetsOf(api)}/w`, { headers, only });
    }),
    'warns about a deprecated version': converting(async (api, conversion) => {
      const versions = [
        version('v1', schemaOf('v1')),
        version(v1beta1, { ...schemaOf(v1beta1), storage: false, deprecated: true, deprecationWarning: 'use v1' }),
      ];
      await conversion.stored({ versions });
      await api.get(`${widgetsOf(api, v1beta1)}/w`, shown);
      await api.get(`${widgetsOf(api)}/w`, shown);
    }),
    'converts objects of a cluster-scoped kind': converting(async (api, conversion) => {
      await conversion.install({ scope: 'Cluster' });
      await api.post(`/apis/${api.group}/v1/widgets`, widget(api), quiet);
      await api.get(`/apis/${api.group}/v1beta1/widgets/w`);
    }),
    'converts between two versions that are not stored': converting(async (api, conversion) => {
      const versions = [...twoVersions(), version('v1alpha1', { ...schemaOf('v1alpha1'), storage: false })];
      await conversion.install({ versions });
      await api.post(widgetsOf(api, v1beta1), widget(api, v1beta1), shown);
      await api.get(`${widgetsOf(api, 'v1alpha1')}/w`, shown);
      await conversion.settle('v1', v1beta1, 'v1alpha1');
      await api.get(`${widgetsOf(api, 'v1alpha1')}/w`, shown);
      conversion.reviews(['request.desiredAPIVersion', 'request.objects.*.apiVersion']);
    }),
    'converts the objects of an admission review': converting(async (api, conversion) => {
      await conversion.stored();
      conversion.server.reply('/admit', allow());
      const webhook = {
        name: 'admit.example.com',
        clientConfig: { url: conversion.server.url('/admit'), caBundle: conversion.server.caBundle },
        rules: [{ operations: ['UPDATE'], apiGroups: [api.group], apiVersions: ['v1beta1'], resources: ['widgets'] }],
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
      };
      await api.post(
        configurations('validating'),
        { metadata: { name: api.name('hooks') }, webhooks: [webhook] },
        quiet,
      );
      const isAdmitted = (): boolean => conversion.server.takeCalls().some(({ target }) => target.startsWith('/admit'));
      await api.eventually(
        'the webhook configuration',
        () => api.patch(`${widgetsOf(api)}/w?dryRun=All`, { spec: { size: 8 } }, quiet),
        isAdmitted,
      );
      await api.patch(`${widgetsOf(api)}/w`, { spec: { size: 9 } }, quiet);
      for (const { target, review } of conversion.server.takeCalls()) {
        const only = [
          'request.kind',
          'request.requestKind',
          'request.object.apiVersion',
          'request.object.spec',
          'request.oldObject.spec',
        ];
        if (target.startsWith('/admit')) api.received('POST <webhook>/admit', review, { only });
      }
    }),
    'stops converting after the strategy changes to None': converting(async (api, conversion) => {
      await conversion.stored();
      await change(api, { conversion: { strategy: 'None' } }, quiet);
      await api.until(`${widgetsOf(api, v1beta1)}/w`, ({ body }) => body.spec?.extent === undefined);
      await api.get(`${widgetsOf(api, v1beta1)}/w`, shown);
      await api.get(definitionOf(api), { only: ['spec.conversion'] });
    }),
    'starts converting after the strategy changes to Webhook': converting(async (api, conversion) => {
      await conversion.stored({ conversion: { strategy: 'None' } });
      await api.get(`${widgetsOf(api, v1beta1)}/w`, shown);
      await change(api, { conversion: conversion.webhook() }, quiet);
      await api.until(`${widgetsOf(api, v1beta1)}/w`, ({ body }) => body.spec?.extent !== undefined);
      await api.get(`${widgetsOf(api, v1beta1)}/w`, shown);
    }),
  },
);
