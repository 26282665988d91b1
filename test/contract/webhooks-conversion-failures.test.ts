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
  'reports status 500 of the conversion webhook': fixed('broken', 500, 'text/plain'),
  'reports status 404 of the conversion webhook': fixed('not here', 404, 'text/plain'),
  'reports the message of a response with status 403': fixed(
    { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'own', code: 403 },
    403,
  ),
  'reports an empty body of the response': fixed(''),
  'reports a response that is not JSON': fixed('<html></html>', 200, 'text/html'),
  'reports a response with incomplete JSON': fixed('{"apiVersion":'),
  'reports a ConversionReview without a response': fixed(review),
  'reports a response that is an empty object': fixed({}),
  'reports a ConversionReview whose response is null': fixed({ ...review, response: null }),
  'reports a wrong uid of the response': responding({ uid: 'other' }),
  'reports an absent uid of the response': responding({ uid: undefined }),
  'reports a wrong kind of the returned review': reviewing({ kind: 'Review' }),
  'reports a wrong apiVersion of the returned review': reviewing({ apiVersion: 'apiextensions.k8s.io/v1beta1' }),
  'reports an unknown apiVersion of the returned review': reviewing({ apiVersion: 'apiextensions.k8s.io/v9' }),
  'reports an absent apiVersion and kind of the returned review': reviewing({ apiVersion: undefined, kind: undefined }),
  'accepts a returned review that also contains the request': async (given) => {
    const { body } = (await convert()(given)) as { body: object };
    return { body: { ...given, ...body } };
  },
  'reports the message of a failed result': responding({ result: { status: 'Failure', message: 'cannot convert' } }),
  'reports a failed result without a message': responding({ result: { status: 'Failure' } }),
  'reports only the status of a failed result without a message, and not its reason': responding({
    result: { status: 'Failure', reason: 'Invalid', code: 422, details: { causes: [{ message: 'a' }] } },
  }),
  'reports an absent result of the conversion': responding({ result: undefined }),
  'reports an unknown status of the conversion result': responding({ result: { status: 'Done' } }),
  'reports a response without converted objects': responding({ convertedObjects: [] }),
  'reports a response whose list of converted objects is null': responding({ convertedObjects: null }),
  'reports a response with more objects than the request': convert(undefined, (objects) => ({
    convertedObjects: [...objects, ...objects],
  })),
  'reports a converted object that is null': convert(() => null),
  'reports a converted object that is a string': convert(() => 'text'),
  'reports a converted object without an apiVersion': having({ apiVersion: undefined }),
  'reports a converted object of an unknown version': convert((object) => ({
    ...object,
    apiVersion: `${object.apiVersion}0`,
  })),
  'reports a converted object of another group': having({ apiVersion: 'example.org/v1' }),
  'reports a converted object of another kind': having({ kind: 'Gadget' }),
  'reports a converted object without a kind': convert(({ apiVersion }) => ({ apiVersion })),
  'reports a converted object without metadata': having({ metadata: undefined }),
  'reports a converted object whose metadata is a string': having({ metadata: 'text' }),
  'reports a converted object with a changed name': withMetadata({ name: 'other' }),
  'reports a converted object with a changed namespace': withMetadata({ namespace: 'default' }),
  'reports a converted object with a changed uid': withMetadata({ uid: 'other' }),
  'reports a converted object without a uid': withMetadata({ uid: undefined }),
  'accepts a converted object with changed labels': withMetadata({ labels: { by: 'conversion' } }),
  'accepts a converted object with changed annotations': withMetadata({ annotations: { by: 'conversion' } }),
  'reports a converted object with an invalid label value': withMetadata({ labels: { by: 'not valid' } }),
  'reports a converted object with an invalid label key': withMetadata({ labels: { 'not valid': 'a' } }),
  'reports a converted object whose labels are a string': withMetadata({ labels: 'text' }),
  'reports a converted object with a label value that is a number': withMetadata({ labels: { by: 5 } }),
  'reports a converted object whose annotations are a list': withMetadata({ annotations: ['a'] }),
  'ignores changed finalizers of a converted object': withMetadata({ finalizers: ['example.com/f'] }),
  'ignores changed owner references of a converted object': withMetadata({
    ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' }],
  }),
  'ignores a changed resourceVersion and generation of a converted object': withMetadata({
    resourceVersion: '1',
    generation: 77,
  }),
  'ignores a changed creation time of a converted object': withMetadata({ creationTimestamp: '2001-01-01T00:00:00Z' }),
  'ignores a deletion time that the webhook adds to a converted object': withMetadata({
    deletionTimestamp: '2001-01-01T00:00:00Z',
  }),
  'ignores the removal of managed fields from a converted object': withMetadata({ managedFields: undefined }),
  'ignores unknown metadata of a converted object': withMetadata({ unknown: 'x' }),
  'prunes unknown fields of a converted object': having({ unknown: 1, spec: { unknown: 2, extent: '4', size: 4 } }),
  'returns a converted object that violates the schema': convert((object) =>
    object.apiVersion.endsWith('/v1') ? object : { ...object, spec: { extent: 'much too long' } },
  ),
  'returns a converted object with a field of the wrong type': having({ spec: { colour: 5 } }),
  'reports a connection that the conversion webhook closes': () => 'cut',
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
    'serves objects in the stored version while the conversion webhook fails': converting(async (api, conversion) => {
      await conversion.stored();
      conversion.reply(fixed('broken', 500, 'text/plain'));
      await api.get(`${widgetsOf(api)}/w`, brief);
      await api.patch(`${widgetsOf(api)}/w`, { spec: { size: 5 } }, brief);
      await api.get(widgetsOf(api), { only: ['items.*.spec'] });
      await api.post(widgetsOf(api), widget(api, 'v1', { name: 'x' }), brief);
      await api.delete(`${widgetsOf(api)}/x`, undefined, { only: ['status'] });
    }),
    'rejects writes in another version while the conversion webhook fails': converting(async (api, conversion) => {
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
    'serves objects in another version after the conversion webhook works again': converting(
      async (api, conversion) => {
        await conversion.stored();
        conversion.reply(fixed('broken', 500, 'text/plain'));
        await api.get(`${widgetsOf(api, v1beta1)}/w`, brief);
        conversion.reply(convert());
        await api.get(`${widgetsOf(api, v1beta1)}/w`, brief);
        await api.patch(`${widgetsOf(api, v1beta1)}/w`, { spec: { extent: '9' } }, brief);
      },
    ),
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
    'reports a refused connection to the conversion webhook': converting(async (api, conversion) => {
      await conversion.stored();
      const broken: Json = conversion.webhook();
      // Servers do not listen on port 1.
      broken.webhook.clientConfig.url = 'https://127.0.0.1:1/convert';
      await changed(api, broken);
      await api.get(`${widgetsOf(api, v1beta1)}/w`);
    }),
    'reports a conversion webhook without a configured certificate authority': converting(async (api, conversion) => {
      await conversion.stored();
      const broken: Json = conversion.webhook();
      delete broken.webhook.clientConfig.caBundle;
      await changed(api, broken);
      await api.get(`${widgetsOf(api, v1beta1)}/w`);
    }),
    'reports a certificate of the conversion webhook that the authority in caBundle did not sign': converting(
      async (api, conversion) => {
        await conversion.stored();
        const { certificateAuthority } = servingCertificate('other.example.com');
        const broken: Json = conversion.webhook();
        broken.webhook.clientConfig.caBundle = base64(certificateAuthority);
        api.mask(base64(certificateAuthority), '<other ca>');
        await changed(api, broken);
        await api.get(`${widgetsOf(api, v1beta1)}/w`, { only: ['code', 'reason'] });
      },
    ),
    'reports a conversion webhook whose Service does not exist': converting(async (api, conversion) => {
      await conversion.stored();
      const broken: Json = conversion.webhook();
      const { caBundle } = broken.webhook.clientConfig;
      broken.webhook.clientConfig = { caBundle, service: { namespace: api.namespace, name: 'none', path: '/convert' } };
      await changed(api, broken);
      await api.get(`${widgetsOf(api, v1beta1)}/w`);
    }),
    'returns an empty list or 404 without a conversion while the conversion webhook fails': converting(
      async (api, conversion) => {
        await conversion.install();
        conversion.reply(fixed('broken', 500, 'text/plain'));
        await api.get(widgetsOf(api, v1beta1), { only: ['kind', 'items'] });
        await api.get(`${widgetsOf(api, v1beta1)}/none`, brief);
        await api.delete(`${widgetsOf(api, v1beta1)}/none`, undefined, brief);
        conversion.reviews();
      },
    ),
  },
);

/** Replaces the conversion with one that fails, and waits until the server uses it. */
async function changed(api: ContractApi, conversion: Json): Promise<void> {
  await change(api, { conversion }, { quiet: true });
  await api.until(`${widgetsOf(api, v1beta1)}/w`, ({ status }) => status !== 200);
}
