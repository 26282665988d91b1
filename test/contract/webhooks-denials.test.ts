import type { ContractApi } from './contract-api.js';
import { contract } from './contract.js';
import { install, widgets, widgetsOf } from './custom-kinds.js';
import { configMap, configMaps, hooked, type Hooks, rule, widgetRule } from './hooks.js';
import { allow, deny, respond } from './webhook-replies.js';
import type { WebhookReply } from './webhook-server.js';

const quiet = { quiet: true };
const brief = { only: ['kind', 'message', 'code', 'reason'] };

/** Creates a ConfigMap with a validating and with a mutating webhook that give the same reply. */
async function denied(api: ContractApi, hooks: Hooks, reply: WebhookReply): Promise<void> {
  const path = await hooks.validate({ name: 'validating', reply });
  await api.post(configMaps(api), configMap('a'));
  await hooks.remove(path);
  await hooks.mutate({ name: 'mutating', reply });
  await api.post(configMaps(api), configMap('b'));
}

const causes = [
  { reason: 'FieldValueInvalid', message: 'too large', field: 'data.k' },
  { message: 'without field and reason' },
];

const replies: Readonly<Record<string, WebhookReply>> = {
  'denies a request if the webhook returns no status': deny(),
  'denies a request if the webhook returns an empty status': deny({}),
  'denies a request with the message of the webhook': deny({ message: 'not today' }),
  'denies a request with a message of several lines': deny({ message: 'first\nsecond\n\ttab' }),
  'denies a request with a message that is not ASCII': deny({ message: 'größer als “erlaubt” 😀' }),
  'denies a request with the reason of the webhook': deny({ reason: 'Forbidden' }),
  'denies a request with an unknown reason': deny({ reason: 'BadWeather', message: 'rain' }),
  'denies a request with the message and the reason of the webhook': deny({
    message: 'not today',
    reason: 'Forbidden',
  }),
  'denies a request with the status code of the webhook': deny({ code: 403 }),
  'denies a request with the status code and the message of the webhook': deny({
    code: 409,
    message: 'conflicts with another object',
  }),
  'denies a request with a status code that HTTP does not define': deny({ code: 499, message: 'custom' }),
  'denies a request with a status code of a server error': deny({
    code: 503,
    message: 'later',
    reason: 'ServiceUnavailable',
  }),
  'denies a request with status code 400 if the webhook returns a status code of a success': deny({
    code: 200,
    message: 'contradictory',
  }),
  'denies a request with status code 400 if the webhook returns a status code of a redirect': deny({
    code: 302,
    message: 'contradictory',
  }),
  'denies a request with the status Failure if the webhook returns the status Success': deny({
    status: 'Success',
    message: 'contradictory',
  }),
  'denies a request with the details and causes of the webhook': deny({
    code: 422,
    reason: 'Invalid',
    message: 'invalid data',
    details: { name: 'other', group: 'example.com', kind: 'Other', uid: 'own', causes },
  }),
  'denies a request with the retryAfterSeconds of the webhook': deny({
    code: 429,
    reason: 'TooManyRequests',
    message: 'slow down',
    details: { retryAfterSeconds: 7 },
  }),
  'denies a request if the status of the webhook has metadata, an apiVersion and a kind': deny({
    apiVersion: 'v1',
    kind: 'Status',
    metadata: { resourceVersion: '5', continue: 'x', remainingItemCount: 3 },
    message: 'with metadata',
  }),
  'ignores unknown fields in the status of a denial': deny({ message: 'no', unknown: 1 }),
  'denies a request if the response of the webhook does not contain allowed': respond({}),
  'ignores the status of a response that allows the request': allow({ status: { code: 500, message: 'ignored' } }),
  'ignores unknown fields in the response of a webhook': allow({ unknown: { a: 1 } }),
  'accepts audit annotations of a webhook': allow({ auditAnnotations: { key: 'value' } }),
  'accepts audit annotations of a webhook with an invalid key': allow({ auditAnnotations: { 'a/b c': 'value' } }),
  'returns a warning of a webhook': allow({ warnings: ['use another field'] }),
  'returns several warnings of a webhook in order': allow({ warnings: ['z first', 'a second', 'm third'] }),
  'returns equal warnings of a webhook once': allow({ warnings: ['same', 'same', 'other', 'same'] }),
  'returns an empty warning of a webhook': allow({ warnings: ['', 'after'] }),
  'escapes quotes and backslashes in warnings': allow({ warnings: ['a "quoted" text', 'back\\slash'] }),
  'drops warnings with line breaks or control characters': allow({
    warnings: ['one\ntwo', 'tab\there', 'bell\u0007'],
  }),
  'returns warnings that are not ASCII in UTF-8': allow({ warnings: ['größer', '😀 smile'] }),
  'returns a warning with an encoded word': allow({ warnings: ['=?utf-8?q?x?='] }),
  'truncates a long warning': allow({ warnings: ['x'.repeat(300)] }),
  'returns a very long warning': allow({ warnings: ['y'.repeat(5000), 'z'] }),
  'truncates many warnings': allow({ warnings: Array.from({ length: 60 }, (_, at) => `${at} ${'w'.repeat(100)}`) }),
  'returns up to 4096 bytes of long warnings': allow({
    warnings: Array.from({ length: 6 }, (_, at) => `${at} ${'w'.repeat(1500)}`),
  }),
  'returns the warnings of a webhook that denies the request': deny({ message: 'no' }, { warnings: ['careful'] }),
};

contract(
  'webhooks-denials',
  { webhooks: true },
  {
    ...Object.fromEntries(
      Object.entries(replies).map(([title, reply]) => [title, hooked((api, hooks) => denied(api, hooks, reply))]),
    ),
    'rejects updates, patches and deletions that a webhook denies': hooked(async (api, hooks) => {
      await api.post(configMaps(api), configMap('a'), quiet);
      await hooks.validate({ reply: deny({ message: 'frozen', code: 403, reason: 'Forbidden' }) });
      await api.put(configMaps(api, 'a'), configMap('a', { k: 'w' }));
      await api.patch(configMaps(api, 'a'), { data: { k: 'w' } });
      await api.patch(`${configMaps(api, 'a')}?fieldManager=me&force=true`, configMap('a', { k: 'w' }), {
        type: 'application/apply-patch+yaml',
      });
      await api.delete(configMaps(api, 'a'));
      await api.get(configMaps(api, 'a'), { only: ['data'] });
    }),
    'rejects a dry run that a webhook denies': hooked(async (api, hooks) => {
      await hooks.validate({ reply: deny({ message: 'no' }) });
      await api.post(`${configMaps(api)}?dryRun=All`, configMap('a'));
    }),
    'does not change an object whose update is denied': hooked(async (api, hooks) => {
      const { body } = await api.post(configMaps(api), configMap('a'), quiet);
      await hooks.mutate({ reply: deny() });
      await api.patch(configMaps(api, 'a'), { data: { k: 'w' } }, quiet);
      const { body: after } = await api.get(configMaps(api, 'a'), quiet);
      api.received(
        'whether the resourceVersion is unchanged',
        after.metadata.resourceVersion === body.metadata.resourceVersion,
      );
    }),
    'rejects a custom object that a webhook denies': hooked(async (api, hooks) => {
      await install(api, widgets(api));
      await hooks.validate({
        rules: [widgetRule(api)],
        reply: deny({ message: 'no', code: 403, details: { causes } }),
      });
      const widget = { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'w' }, spec: { size: 1 } };
      await api.post(widgetsOf(api), widget);
    }),
    'rejects a request that a webhook denies in a v1beta1 review': hooked(async (api, hooks) => {
      const admissionReviewVersions = ['v1beta1'];
      await hooks.validate({ admissionReviewVersions, reply: deny({ message: 'no', code: 403 }) });
      await api.post(configMaps(api), configMap('a'));
    }),
    'rejects a request that a webhook with failurePolicy Ignore denies': hooked(async (api, hooks) => {
      const path = await hooks.validate({ failurePolicy: 'Ignore', reply: deny({ message: 'no' }) });
      await api.post(configMaps(api), configMap('a'), brief);
      await hooks.remove(path);
      await hooks.mutate({ failurePolicy: 'Ignore', reply: deny({ message: 'no' }) });
      await api.post(configMaps(api), configMap('a'), brief);
    }),
    'returns the warnings of mutating and validating webhooks': hooked(async (api, hooks) => {
      await hooks.mutate(
        { name: 'first', reply: allow({ warnings: ['first', 'both'] }) },
        { name: 'second', reply: allow({ warnings: ['second'] }) },
      );
      await hooks.validate({ name: 'third', reply: allow({ warnings: ['third', 'both'] }) });
      await api.post(configMaps(api), configMap('a'), brief);
      await api.delete(configMaps(api, 'a'), undefined, brief);
    }),
    'returns a warning once if the webhook is called twice': hooked(async (api, hooks) => {
      const reply: WebhookReply = ({ apiVersion, request }) => {
        const patch = Buffer.from('[{"op":"add","path":"/data/x","value":"y"}]').toString('base64');
        const response = { uid: request.uid, allowed: true, warnings: ['second'], patchType: 'JSONPatch', patch };
        return { body: { apiVersion, kind: 'AdmissionReview', response } };
      };
      await hooks.mutate(
        { name: 'first', reply: allow({ warnings: ['first'] }), reinvocationPolicy: 'IfNeeded' },
        { name: 'second', reply },
      );
      await api.post(configMaps(api), configMap('a'), brief);
      hooks.reviews({ only: ['request.object.data'] });
    }),
    'adds warnings of webhooks to warnings of the server': hooked(async (api, hooks) => {
      await hooks.mutate({ reply: allow({ warnings: ['by the webhook'] }) });
      await api.post(`${configMaps(api)}?fieldValidation=Warn`, { ...configMap('a'), unknown: 1 }, brief);
    }),
    'returns the warnings of webhooks together with an error': hooked(async (api, hooks) => {
      await hooks.mutate({ reply: allow({ warnings: ['by the webhook'] }) });
      await api.post(configMaps(api), configMap('a', { 'not valid': 'x' }), brief);
      await api.post(configMaps(api), configMap('Not Valid'), brief);
    }),
    'rejects the deletion of a collection if a webhook denies the deletion of its objects': hooked(
      async (api, hooks) => {
        for (const name of ['a', 'b'])
          await api.post(configMaps(api), configMap(name, {}, { labels: { l: 'x' } }), quiet);
        const reply: WebhookReply = (review) =>
          (review.request.oldObject.metadata.name === 'a' ? deny({ message: 'keep' }) : allow())(review);
        await hooks.validate({ reply, rules: [rule({ operations: ['DELETE'] })] });
        await api.delete(`${configMaps(api)}?labelSelector=l`, undefined, brief);
      },
    ),
  },
);
