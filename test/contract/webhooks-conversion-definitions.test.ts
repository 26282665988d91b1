import type { ContractApi } from './contract-api.js';
import { contract } from './contract.js';
import { convert, converting, schemaOf, twoVersions, widget } from './conversion.js';
import { change, definitionOf, definitions, install, served, version, widgets, widgetsOf } from './custom-kinds.js';
import { base64 } from './webhook-replies.js';

const quiet = { quiet: true };
const brief = { only: ['spec.conversion', 'spec.preserveUnknownFields', 'message', 'code', 'details.causes'] };
const v1beta1 = 'v1beta1';
const url = 'https://hook.example.com/convert';

const webhook = (clientConfig: object | undefined, more: object = {}): object => ({
  strategy: 'Webhook',
  webhook: { clientConfig, conversionReviewVersions: ['v1'], ...more },
});
const service = (more: object = {}): object => webhook({ service: { namespace: 'n', name: 's', ...more } });

/** Conversions of a definition, most of them not valid. */
const conversions: Readonly<Record<string, object | undefined>> = {
  'defaults the strategy': undefined,
  'rejects a conversion without a strategy': {},
  'rejects an unknown strategy': { strategy: 'Copy' },
  'rejects the strategy Webhook without a webhook': { strategy: 'Webhook' },
  'rejects the strategy None with a webhook': { ...webhook({ url }), strategy: 'None' },
  'rejects the strategy None with review versions': { strategy: 'None', webhook: { conversionReviewVersions: ['v1'] } },
  'rejects a webhook without a clientConfig': webhook(undefined),
  'rejects an empty clientConfig': webhook({}),
  'rejects a clientConfig with url and service': webhook({ url, service: { namespace: 'n', name: 's' } }),
  'accepts a url': webhook({ url }),
  'rejects a url without TLS': webhook({ url: 'http://hook.example.com' }),
  'rejects a url without a host': webhook({ url: 'https:///convert' }),
  'rejects a url with a query': webhook({ url: `${url}?a=b` }),
  'rejects a url with a fragment': webhook({ url: `${url}#a` }),
  'rejects a url with a user': webhook({ url: 'https://u:p@hook.example.com' }),
  'rejects an empty url': webhook({ url: '' }),
  'defaults the port of a service': service(),
  'rejects a service without a name': service({ name: '' }),
  'rejects a service without a namespace': service({ namespace: '' }),
  'rejects a port of 0': service({ port: 0 }),
  'rejects a port that is too large': service({ port: 70_000 }),
  'rejects a path without a slash at the start': service({ path: 'convert' }),
  'rejects a path with an empty segment': service({ path: '/a//b' }),
  'rejects a webhook without review versions': webhook({ url }, { conversionReviewVersions: undefined }),
  'rejects empty review versions': webhook({ url }, { conversionReviewVersions: [] }),
  'rejects review versions without a known version': webhook({ url }, { conversionReviewVersions: ['v2'] }),
  'rejects repeated review versions': webhook({ url }, { conversionReviewVersions: ['v1', 'v1'] }),
  'rejects review versions that are not labels': webhook({ url }, { conversionReviewVersions: ['v1', 'V_1'] }),
  'accepts an unknown review version next to a known version': webhook(
    { url },
    { conversionReviewVersions: ['v2', 'v1'] },
  ),
  'rejects a caBundle that is not base64': webhook({ url, caBundle: '%%%' }),
  'accepts a caBundle that is not PEM in a new definition': webhook({ url, caBundle: base64('not PEM') }),
  'accepts an empty caBundle': webhook({ url, caBundle: '' }),
  'accepts a caBundle of white space': webhook({ url, caBundle: base64(' \n') }),
};

const defined = (api: ContractApi, conversion: object | undefined, more: object = {}): object =>
  widgets(api, { versions: twoVersions(), ...(conversion && { conversion }), ...more });

contract(
  'webhooks-conversion-definitions',
  { webhooks: true },
  {
    ...Object.fromEntries(
      Object.entries(conversions).map(([title, conversion]) => [
        title,
        async (api: ContractApi) => {
          await api.post(`${definitions}?dryRun=All`, defined(api, conversion), brief);
        },
      ]),
    ),
    'accepts a webhook for a single version': async (api) => {
      const spec = { versions: [version('v1')], conversion: webhook({ url }) };
      await api.post(`${definitions}?dryRun=All`, widgets(api, spec), brief);
    },
    'rejects an update with a conversion that is not valid': async (api) => {
      await install(api, defined(api, undefined));
      await change(api, { conversion: webhook({}) });
      await change(api, {
        conversion: { strategy: 'None', webhook: { clientConfig: { url }, conversionReviewVersions: ['v1'] } },
      });
    },
    'rejects an update that sets a caBundle that is not PEM': async (api) => {
      await install(api, defined(api, webhook({ url })));
      await api.patch(
        definitionOf(api),
        { spec: { conversion: { webhook: { clientConfig: { caBundle: base64('x') } } } } },
        brief,
      );
      await api.patch(definitionOf(api), { metadata: { labels: { a: 'b' } } }, brief);
    },
    'changes the conversion with a patch': async (api) => {
      await install(api, defined(api, webhook({ url })));
      await api.patch(
        definitionOf(api),
        { spec: { conversion: { webhook: { conversionReviewVersions: ['v1beta1'] } } } },
        brief,
      );
      await api.patch(definitionOf(api), { spec: { conversion: { strategy: 'None', webhook: null } } }, brief);
      await api.patch(definitionOf(api), { spec: { conversion: null } }, brief);
    },
    'keeps objects in the version in which they are stored': converting(async (api, conversion) => {
      await conversion.stored();
      const versions = [version('v1', { ...schemaOf('v1'), storage: false }), version(v1beta1, schemaOf(v1beta1))];
      await change(api, { versions }, quiet);
      await api.until(definitionOf(api), ({ body }) => body.status.storedVersions.length === 2);
      await api.get(definitionOf(api), { only: ['status.storedVersions'] });
      await api.get(`${widgetsOf(api)}/w`, { only: ['apiVersion', 'spec'] });
      await api.get(`${widgetsOf(api, v1beta1)}/w`, { only: ['apiVersion', 'spec'] });
    }),
    'stores new objects in the new stored version': converting(async (api, conversion) => {
      await conversion.stored();
      const versions = [version('v1', { ...schemaOf('v1'), storage: false }), version(v1beta1, schemaOf(v1beta1))];
      await change(api, { versions }, quiet);
      await api.until(definitionOf(api), ({ body }) => body.status.storedVersions.length === 2);
      await served(api, conversion.definition({ versions }));
      await api.post(widgetsOf(api), widget(api, 'v1', { name: 'x' }), { only: ['apiVersion', 'spec', 'message'] });
      await api.get(`${widgetsOf(api, v1beta1)}/x`, { only: ['apiVersion', 'spec'] });
      await api.get(widgetsOf(api), { only: ['items.*.metadata.name', 'items.*.spec'] });
      await api.get(widgetsOf(api, v1beta1), { only: ['items.*.metadata.name', 'items.*.spec'] });
    }),
    'removes a stored version from the status after it is not stored': converting(async (api, conversion) => {
      await conversion.install();
      const versions = [version('v1', { ...schemaOf('v1'), storage: false }), version(v1beta1, schemaOf(v1beta1))];
      await change(api, { versions }, quiet);
      await api.until(definitionOf(api), ({ body }) => body.status.storedVersions.length === 2);
      await api.patch(definitionOf(api), { spec: { versions: [versions[1]] } }, brief);
      await api.patch(
        `${definitionOf(api)}/status`,
        { status: { storedVersions: [v1beta1] } },
        { only: ['status.storedVersions'] },
      );
      await api.patch(
        definitionOf(api),
        { spec: { versions: [versions[1]] } },
        { only: ['spec.versions.*.name', 'message'] },
      );
    }),
    'returns 404 for a version that is not served': converting(async (api, conversion) => {
      const versions = [
        version('v1', schemaOf('v1')),
        version(v1beta1, { ...schemaOf(v1beta1), storage: false, served: false }),
      ];
      await conversion.stored({ versions });
      await api.get(`${widgetsOf(api, v1beta1)}/w`);
    }),
    'uses a changed url for the next conversion': converting(async (api, conversion) => {
      await conversion.stored();
      conversion.server.reply(
        '/other',
        convert((object) => ({ ...object, metadata: { ...object.metadata, labels: { by: 'other' } } })),
      );
      const clientConfig = { url: conversion.server.url('/other'), caBundle: conversion.server.caBundle };
      await change(api, { conversion: conversion.webhook({ clientConfig }) }, quiet);
      await api.until(`${widgetsOf(api, v1beta1)}/w`, ({ body }) => body.metadata?.labels?.by === 'other');
      await api.get(`${widgetsOf(api, v1beta1)}/w`, { only: ['apiVersion', 'spec', 'metadata.labels'] });
    }),
    'deletes converted objects with their definition': converting(async (api, conversion) => {
      await conversion.stored();
      await api.delete(definitionOf(api), undefined, quiet);
      await api.until(definitionOf(api), ({ status }) => status === 404);
      await conversion.install();
      await api.get(widgetsOf(api, v1beta1), { only: ['items'] });
    }),
  },
);
