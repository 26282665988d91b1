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
  'denies without a status': deny(),
  'denies with an empty status': deny({}),
  'denies with a message': deny({ message: 'not today' }),
  'denies with a message of several lines': deny({ message: 'first\nsecond\n\ttab' }),
  'denies with a message that is not ASCII': deny({ message: 'größer als “erlaubt” 😀' }),
  'denies with a reason': deny({ reason: 'Forbidden' }),
  'denies with an unknown reason': deny({ reason: 'BadWeather', message: 'rain' }),
  'denies with a message and a reason': deny({ message: 'not today', reason: 'Forbidden' }),
  'denies with a code': deny({ code: 403 }),
  'denies with a code and a message': deny({ code: 409, message: 'conflicts with another object' }),
  'denies with a code that HTTP does not define': deny({ code: 499, message: 'custom' }),
  'denies with a code of a server error': deny({ code: 503, message: 'later', reason: 'ServiceUnavailable' }),
  'denies with a code of a success as 400': deny({ code: 200, message: 'contradictory' }),
  'denies with a code of a redirect as 400': deny({ code: 302, message: 'contradictory' }),
  'denies with status Success as Failure': deny({ status: 'Success', message: 'contradictory' }),
  'denies with details and causes': deny({
    code: 422,
    reason: 'Invalid',
    message: 'invalid data',
    details: { name: 'other', group: 'example.com', kind: 'Other', uid: 'own', causes },
  }),
  'denies with seconds until the next attempt': deny({
    code: 429,
    reason: 'TooManyRequests',
    message: 'slow down',
    details: { retryAfterSeconds: 7 },
  }),
  'denies with metadata and a kind of the status': deny({
    apiVersion: 'v1',
    kind: 'Status',
    metadata: { resourceVersion: '5', continue: 'x', remainingItemCount: 3 },
    message: 'with metadata',
  }),
  'ignores unknown fields of the status': deny({ message: 'no', unknown: 1 }),
  'denies if the response does not contain allowed': respond({}),
  'ignores the status of a response that allows the request': allow({ status: { code: 500, message: 'ignored' } }),
  'ignores unknown fields of the response': allow({ unknown: { a: 1 } }),
  'accepts audit annotations': allow({ auditAnnotations: { key: 'value' } }),
  'accepts audit annotations with a key that is not valid': allow({ auditAnnotations: { 'a/b c': 'value' } }),
  'returns a warning': allow({ warnings: ['use another field'] }),
  'returns several warnings in order': allow({ warnings: ['z first', 'a second', 'm third'] }),
  'returns equal warnings once': allow({ warnings: ['same', 'same', 'other', 'same'] }),
  'returns an empty warning': allow({ warnings: ['', 'after'] }),
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
  'returns the warnings of a response that denies the request': deny({ message: 'no' }, { warnings: ['careful'] }),
};

contract(
  'webhooks-denials',
  { webhooks: true },
  {
    ...Object.fromEntries(
      Object.entries(replies).map(([title, reply]) => [title, hooked((api, hooks) => denied(api, hooks, reply))]),
    ),
    'denies updates, patches and deletions': hooked(async (api, hooks) => {
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
    'denies requests in a dry run': hooked(async (api, hooks) => {
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
    'denies custom objects': hooked(async (api, hooks) => {
      await install(api, widgets(api));
      await hooks.validate({
        rules: [widgetRule(api)],
        reply: deny({ message: 'no', code: 403, details: { causes } }),
      });
      const widget = { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'w' }, spec: { size: 1 } };
      await api.post(widgetsOf(api), widget);
    }),
    'denies with a v1beta1 review': hooked(async (api, hooks) => {
      const admissionReviewVersions = ['v1beta1'];
      await hooks.validate({ admissionReviewVersions, reply: deny({ message: 'no', code: 403 }) });
      await api.post(configMaps(api), configMap('a'));
    }),
    'does not ignore a denial with failurePolicy Ignore': hooked(async (api, hooks) => {
      const path = await hooks.validate({ failurePolicy: 'Ignore', reply: deny({ message: 'no' }) });
      await api.post(configMaps(api), configMap('a'), brief);
      await hooks.remove(path);
      await hooks.mutate({ failurePolicy: 'Ignore', reply: deny({ message: 'no' }) });
      await api.post(configMaps(api), configMap('a'), brief);
    }),
    'collects the warnings of mutating and validating webhooks': hooked(async (api, hooks) => {
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
    'returns warnings with an error': hooked(async (api, hooks) => {
      await hooks.mutate({ reply: allow({ warnings: ['by the webhook'] }) });
      await api.post(configMaps(api), configMap('a', { 'not valid': 'x' }), brief);
      await api.post(configMaps(api), configMap('Not Valid'), brief);
    }),
    'denies each object of a deleted collection': hooked(async (api, hooks) => {
      for (const name of ['a', 'b'])
        await api.post(configMaps(api), configMap(name, {}, { labels: { l: 'x' } }), quiet);
      const reply: WebhookReply = (review) =>
        (review.request.oldObject.metadata.name === 'a' ? deny({ message: 'keep' }) : allow())(review);
      await hooks.validate({ reply, rules: [rule({ operations: ['DELETE'] })] });
      await api.delete(`${configMaps(api)}?labelSelector=l`, undefined, brief);
    }),
  },
);
