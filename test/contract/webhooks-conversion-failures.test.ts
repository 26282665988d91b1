import { servingCertificate } from '@kubewright/apiserver/internal';
import type { ContractApi } from './contract-api.js';
import { contract } from './contract.js';
import { type Conversion, convert, converting, widget } from './conversion.js';
import { change, widgetsOf } from './custom-kinds.js';
import type { Json } from './json.js';
import { base64 } from './webhook-replies.js';
import type { WebhookReply } from './webhook-server.js';

const shown = { only: ['apiVersion', 'kind', 'metadata', 'spec', 'status', 'message', 'reason', 'code', 'details'] };
const brief = { only: ['spec', 'message', 'reason', 'code'] };
const v1beta1 = 'v1beta1';

const fixed =
  (body: unknown, status = 200, type = 'application/json'): WebhookReply =>
  () => ({ status, headers: { 'content-type': type }, body });
const review = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview' };

/** Returns a reply with other fields of the response. */
const responding = (fields: object): WebhookReply => convert(undefined, () => fields);
/** Returns a reply with other fields of the metadata of each converted object. */
const withMetadata = (fields: object): WebhookReply =>
  convert((object) => ({ ...object, metadata: { ...object.metadata, ...fields } }));
/** Returns a reply with other fields of each converted object. */
const having = (fields: object): WebhookReply => convert((object) => ({ ...object, ...fields }));
/** Returns a reply whose review has other fields. */
const reviewing =
  (fields: object): WebhookReply =>
  async (given) => {
    const { body } = (await convert()(given)) as { body: object };
    return { body: { ...body, ...fields } };
  };

/** Reads a stored object in another version, and creates an object in this version, while the webhook gives a reply. */
async function failing(api: ContractApi, conversion: Conversion, reply: WebhookReply): Promise<void> {
  await conversion.stored();
  conversion.reply(reply);
  await api.get(`${widgetsOf(api, v1beta1)}/w`, shown);
  await api.post(widgetsOf(api, v1beta1), widget(api, v1beta1, { name: 'x' }), shown);
  conversion.reply(convert());
}

const failures: Readonly<Record<string, WebhookReply>> = {
  'reports a response 500': fixed('broken', 500, 'text/plain'),
  'reports a response 404': fixed('not here', 404, 'text/plain'),
  'reports the message of a response 403': fixed(
    { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'own', code: 403 },
    403,
  ),
  'reports an empty body': fixed(''),
  'reports a body that is not JSON': fixed('<html></html>', 200, 'text/html'),
  'reports incomplete JSON': fixed('{"apiVersion":'),
  'reports a review without a response': fixed(review),
  'reports an empty object': fixed({}),
  'reports a review whose response is null': fixed({ ...review, response: null }),
  'reports a wrong uid': responding({ uid: 'other' }),
  'reports an absent uid': responding({ uid: undefined }),
  'reports a wrong kind of the review': reviewing({ kind: 'Review' }),
  'reports a wrong apiVersion of the review': reviewing({ apiVersion: 'apiextensions.k8s.io/v1beta1' }),
  'reports an unknown apiVersion of the review': reviewing({ apiVersion: 'apiextensions.k8s.io/v9' }),
  'reports an absent apiVersion and kind of the review': reviewing({ apiVersion: undefined, kind: undefined }),
  'accepts a review with the request': async (given) => {
    const { body } = (await convert()(given)) as { body: object };
    return { body: { ...given, ...body } };
  },
  'reports the message of a failed result': responding({ result: { status: 'Failure', message: 'cannot convert' } }),
  'reports a failed result without a message': responding({ result: { status: 'Failure' } }),
  'reports the status of a failed result with a reason': responding({
    result: { status: 'Failure', reason: 'Invalid', code: 422, details: { causes: [{ message: 'a' }] } },
  }),
  'reports an absent result': responding({ result: undefined }),
  'reports an unknown status of the result': responding({ result: { status: 'Done' } }),
  'reports a response without objects': responding({ convertedObjects: [] }),
  'reports a response with null objects': responding({ convertedObjects: null }),
  'reports a response with more objects': convert(undefined, (objects) => ({
    convertedObjects: [...objects, ...objects],
  })),
  'reports an object that is null': convert(() => null),
  'reports an object that is a text': convert(() => 'text'),
  'reports an object without an apiVersion': having({ apiVersion: undefined }),
  'reports an object of an unknown version': convert((object) => ({ ...object, apiVersion: `${object.apiVersion}0` })),
  'reports an object of another group': having({ apiVersion: 'example.org/v1' }),
  'reports an object of another kind': having({ kind: 'Gadget' }),
  'reports an object without a kind': convert(({ apiVersion }) => ({ apiVersion })),
  'reports an object without metadata': having({ metadata: undefined }),
  'reports metadata of the wrong type': having({ metadata: 'text' }),
  'reports a changed name': withMetadata({ name: 'other' }),
  'reports a changed namespace': withMetadata({ namespace: 'default' }),
  'reports a changed uid': withMetadata({ uid: 'other' }),
  'reports an absent uid of an object': withMetadata({ uid: undefined }),
  'accepts changed labels': withMetadata({ labels: { by: 'conversion' } }),
  'accepts changed annotations': withMetadata({ annotations: { by: 'conversion' } }),
  'reports labels that are not valid': withMetadata({ labels: { by: 'not valid' } }),
  'reports a key of a label that is not valid': withMetadata({ labels: { 'not valid': 'a' } }),
  'reports labels of the wrong type': withMetadata({ labels: 'text' }),
  'reports a label of the wrong type': withMetadata({ labels: { by: 5 } }),
  'reports annotations of the wrong type': withMetadata({ annotations: ['a'] }),
  'ignores changed finalizers': withMetadata({ finalizers: ['example.com/f'] }),
  'ignores changed owners': withMetadata({ ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' }] }),
  'ignores a changed resourceVersion and generation': withMetadata({ resourceVersion: '1', generation: 77 }),
  'ignores a changed creation time': withMetadata({ creationTimestamp: '2001-01-01T00:00:00Z' }),
  'ignores a deletion time': withMetadata({ deletionTimestamp: '2001-01-01T00:00:00Z' }),
  'ignores removed managed fields': withMetadata({ managedFields: undefined }),
  'ignores unknown metadata': withMetadata({ unknown: 'x' }),
  'prunes unknown fields of a converted object': having({ unknown: 1, spec: { unknown: 2, extent: '4', size: 4 } }),
  'returns a converted object that is not valid': convert((object) =>
    object.apiVersion.endsWith('/v1') ? object : { ...object, spec: { extent: 'much too long' } },
  ),
  'returns a converted object with a field of the wrong type': having({ spec: { colour: 5 } }),
  'reports a closed connection': () => 'cut',
};

contract(
  'webhooks-conversion-failures',
  { webhooks: true },
  {
    ...Object.fromEntries(
      Object.entries(failures).map(([title, reply]) => [
        title,
        converting((api, conversion) => failing(api, conversion, reply)),
      ]),
    ),
    'serves the stored version while the webhook fails': converting(async (api, conversion) => {
      await conversion.stored();
      conversion.reply(fixed('broken', 500, 'text/plain'));
      await api.get(`${widgetsOf(api)}/w`, brief);
      await api.patch(`${widgetsOf(api)}/w`, { spec: { size: 5 } }, brief);
      await api.get(widgetsOf(api), { only: ['items.*.spec'] });
      await api.post(widgetsOf(api), widget(api, 'v1', { name: 'x' }), brief);
      await api.delete(`${widgetsOf(api)}/x`, undefined, { only: ['status'] });
    }),
    'rejects writes in another version while the webhook fails': converting(async (api, conversion) => {
      await conversion.stored();
      const { body } = await api.get(`${widgetsOf(api, v1beta1)}/w`, { quiet: true });
      conversion.reply(fixed('broken', 500, 'text/plain'));
      // The message depends on whether the server has a converted object in its cache.
      const only = ['code'];
      await api.put(`${widgetsOf(api, v1beta1)}/w`, { ...body, spec: { extent: '9' } }, { only });
      await api.patch(`${widgetsOf(api, v1beta1)}/w`, { spec: { extent: '9' } }, { only });
      await api.post(`${widgetsOf(api, v1beta1)}?dryRun=All`, widget(api, v1beta1, { name: 'x' }), brief);
      await api.get(`${widgetsOf(api)}/w`, brief);
    }),
    'recovers after the webhook works again': converting(async (api, conversion) => {
      await conversion.stored();
      conversion.reply(fixed('broken', 500, 'text/plain'));
      await api.get(`${widgetsOf(api, v1beta1)}/w`, brief);
      conversion.reply(convert());
      await api.get(`${widgetsOf(api, v1beta1)}/w`, brief);
      await api.patch(`${widgetsOf(api, v1beta1)}/w`, { spec: { extent: '9' } }, brief);
    }),
    'rejects an update in another version if the conversion back fails': converting(async (api, conversion) => {
      await conversion.stored();
      const oneWay: WebhookReply = (given) =>
        given.request.desiredAPIVersion.endsWith('/v1')
          ? responding({ result: { status: 'Failure', message: 'one way only' } })(given)
          : convert()(given);
      conversion.reply(oneWay);
      await api.get(`${widgetsOf(api, v1beta1)}/w`, brief);
      await api.patch(`${widgetsOf(api, v1beta1)}/w`, { spec: { extent: '9' } }, brief);
      await api.get(`${widgetsOf(api)}/w`, brief);
    }),
    'reports a refused connection': converting(async (api, conversion) => {
      await conversion.stored();
      const broken: Json = conversion.webhook();
      // Servers do not listen on port 1.
      broken.webhook.clientConfig.url = 'https://127.0.0.1:1/convert';
      await changed(api, broken);
      await api.get(`${widgetsOf(api, v1beta1)}/w`);
    }),
    'reports an absent authority': converting(async (api, conversion) => {
      await conversion.stored();
      const broken: Json = conversion.webhook();
      delete broken.webhook.clientConfig.caBundle;
      await changed(api, broken);
      await api.get(`${widgetsOf(api, v1beta1)}/w`);
    }),
    'reports an authority that did not sign the certificate': converting(async (api, conversion) => {
      await conversion.stored();
      const { certificateAuthority } = await servingCertificate('other.example.com');
      const broken: Json = conversion.webhook();
      broken.webhook.clientConfig.caBundle = base64(certificateAuthority);
      api.mask(base64(certificateAuthority), '<other ca>');
      await changed(api, broken);
      await api.get(`${widgetsOf(api, v1beta1)}/w`, { only: ['code', 'reason'] });
    }),
    'reports a Service that does not exist': converting(async (api, conversion) => {
      await conversion.stored();
      const broken: Json = conversion.webhook();
      const { caBundle } = broken.webhook.clientConfig;
      broken.webhook.clientConfig = { caBundle, service: { namespace: api.namespace, name: 'none', path: '/convert' } };
      await changed(api, broken);
      await api.get(`${widgetsOf(api, v1beta1)}/w`);
    }),
    'does not convert objects that are not stored while the webhook fails': converting(async (api, conversion) => {
      await conversion.install();
      conversion.reply(fixed('broken', 500, 'text/plain'));
      await api.get(widgetsOf(api, v1beta1), { only: ['kind', 'items'] });
      await api.get(`${widgetsOf(api, v1beta1)}/none`, brief);
      await api.delete(`${widgetsOf(api, v1beta1)}/none`, undefined, brief);
      conversion.reviews();
    }),
  },
);

/** Replaces the conversion with one that fails, and waits until the server uses it. */
async function changed(api: ContractApi, conversion: Json): Promise<void> {
  await change(api, { conversion }, { quiet: true });
  await api.until(`${widgetsOf(api, v1beta1)}/w`, ({ status }) => status !== 200);
}
