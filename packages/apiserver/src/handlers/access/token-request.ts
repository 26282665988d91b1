import { withBreak } from '@kubewright/api/apply';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import { serverAudiences, type TokenContent } from '../../authentication/service-account-tokens.js';
import type { ApiObject, JsonObject } from '../../registry/objects/api-object.js';
import { isObject, madeAt, numberAt, stringAt } from '../../registry/objects/json-object.js';
import { timestamp } from '../../registry/metadata/metadata-rules.js';
import type { Registry } from '../../registry/registry.js';
import { badRequest, conflict, invalid } from '../../registry/requests/status-errors.js';
import type { VirtualRequest, VirtualResource } from './virtual-resource.js';

const kind = { group: 'authentication.k8s.io', kind: 'TokenRequest', plural: 'TokenRequest' };
/** The kinds whose objects a token can be bound to. `boundObject` defines how a token is bound to each kind. */
const bindable: ReadonlySet<string> = new Set(['Pod', 'Secret', 'Node']);
const hour = 60 * 60;
const leastSeconds = 10 * 60;
const mostSeconds = 2 ** 32;
/**
 * The lifetime that kubelets request for Pod tokens, in seconds. The server extends these tokens to one year, so that older clients that do
 * not reload tokens continue to work.
 */
const podTokenSeconds = hour + 7;
const extendedSeconds = 365 * 24 * hour;

/** The token subresource of a ServiceAccount: issues a token with an expiration time for the specified audiences and bound object. */
export const tokenRequest: VirtualResource = {
  path: '/serviceaccounts/token',
  empty: { spec: { boundObjectRef: {} }, status: {} },
  defaults: (draft) => {
    madeAt(draft, 'spec')['expirationSeconds'] ??= hour;
  },
  prepare: (request) => {
    const { object, serving, info } = request;
    checkName(object, info.name ?? '');
    const account = accountOf(request);
    checkUid(object.metadata.uid, account);
    const spec = madeAt(object, 'spec');
    if (!Array.isArray(spec['audiences']) || spec['audiences'].length === 0) spec['audiences'] = serverAudiences;
    const { name, namespace, uid } = account.metadata;
    Object.assign(object.metadata, { name, namespace, uid, creationTimestamp: timestamp(serving.clock.now()) });
    delete object['status'];
  },
  answer: withBreak((request: VirtualRequest) => {
    const { object, serving } = request;
    const account = accountOf(request);
    const spec = madeAt(object, 'spec');
    const expirationSeconds = numberAt(spec, 'expirationSeconds') ?? hour;
    checkDuration(expirationSeconds);
    const now = serving.clock.now();
    const bound = boundObject(request, account);
    const token = serving.accountTokens.issue({
      account,
      audiences: (spec['audiences'] as readonly unknown[]).map(String),
      ...lifetime(expirationSeconds, bound, spec['audiences'] as readonly unknown[]),
      ...bound,
    });
    return {
      kind: object.kind,
      apiVersion: object.apiVersion,
      metadata: object.metadata,
      spec: { audiences: spec['audiences'], expirationSeconds, boundObjectRef: spec['boundObjectRef'] ?? null },
      status: { token, expirationTimestamp: timestamp(new Date(now.getTime() + expirationSeconds * 1000)) },
    };
  }),
};

function accountOf({ serving, info: { namespace, name = '' } }: VirtualRequest): ApiObject {
  return serving.registry.builtIn('/v1/serviceaccounts').get({ namespace, name });
}

function checkName({ metadata }: VirtualRequest['object'], name: string): void {
  if (metadata.name === undefined || metadata.name === name) return;
  const why = 'must match the service account name if specified';
  throw invalid(kind, name, [fieldErrors.invalid('metadata.name', metadata.name, why)]);
}

function checkUid(uid: string | undefined, { metadata }: ApiObject): void {
  if (uid === undefined || uid === metadata.uid) return;
  const why = `the UID in the token request (${uid}) does not match the UID of the service account (${metadata.uid})`;
  throw conflict(kind, metadata.name, why);
}

function checkDuration(seconds: number): void {
  const errors: FieldError[] = [];
  const refuse = (why: string): void => {
    errors.push(fieldErrors.invalid('spec.expirationSeconds', seconds, why));
  };
  if (seconds < leastSeconds) refuse('may not specify a duration less than 10 minutes');
  if (seconds > mostSeconds) refuse('may not specify a duration larger than 2^32 seconds');
  if (errors.length > 0) throw invalid(kind, '', errors);
}

type Bound = Pick<TokenContent, 'pod' | 'secret' | 'node'>;

function lifetime(
  requested: number,
  { pod }: Bound,
  audiences: readonly unknown[],
): Pick<TokenContent, 'expirationSeconds' | 'warnAfterSeconds'> {
  const own = audiences.every((audience) => serverAudiences.includes(String(audience)));
  if (pod === undefined || requested !== podTokenSeconds || !own) return { expirationSeconds: requested };
  return { expirationSeconds: extendedSeconds, warnAfterSeconds: requested };
}

/**
 * Returns the object that the token is bound to, or an empty result if the token is not bound. Throws 404 if the object does not exist, 409
 * if its UID does not match, and 400 if a token of the ServiceAccount cannot be bound to the object.
 */
function boundObject({ object, serving: { registry } }: VirtualRequest, account: ApiObject): Bound {
  const reference = isObject(object['spec']) ? object['spec']['boundObjectRef'] : undefined;
  if (!isObject(reference)) return {};
  const { namespace } = account.metadata;
  const name = stringAt(reference, 'name');
  const [group, version] = groupVersion(stringAt(reference, 'apiVersion'));
  const bound = group === '' ? stringAt(reference, 'kind') : '';
  if (name === '' && bindable.has(bound)) throw badRequest('Name parameter required.');
  switch (bound) {
    case 'Pod': {
      const pod = matching(registry.builtIn('/v1/pods').get({ namespace, name }), reference);
      if (stringAt(pod, 'spec', 'serviceAccountName') !== account.metadata.name) {
        const quoted = JSON.stringify(account.metadata.name);
        throw badRequest(
          `cannot bind token for serviceaccount ${quoted} to pod running with different serviceaccount name.`,
        );
      }
      return { pod, ...nodeOf(pod, registry) };
    }
    case 'Secret':
      return { secret: matching(registry.builtIn('/v1/secrets').get({ namespace, name }), reference) };
    case 'Node':
      return { node: matching(registry.builtIn('/v1/nodes').get({ name }), reference) };
    default: {
      const shown = `${group}/${version}, Kind=${stringAt(reference, 'kind')}`;
      throw badRequest(`cannot bind token to object of type ${shown}`);
    }
  }
}

function nodeOf(pod: ApiObject, registry: Registry): Pick<Bound, 'node'> {
  const name = stringAt(pod, 'spec', 'nodeName');
  return name === '' ? {} : { node: registry.builtIn('/v1/nodes').find({ name }) ?? { metadata: { name } } };
}

function matching(object: ApiObject, reference: JsonObject): ApiObject {
  const uid = stringAt(reference, 'uid');
  if (uid === '' || uid === object.metadata.uid) return object;
  const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
  throw conflict({ group: '', kind: '', plural: stringAt(reference, 'kind') }, object.metadata.name, why);
}

function groupVersion(apiVersion: string): readonly [string, string] {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
}
