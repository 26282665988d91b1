import type { Quantity } from '@kubewright/api/quantity';
import type { AdmissionCheck, AdmissionRequest } from '../registry/admission-check.js';
import {
  type ApiObject,
  type JsonDraft,
  type JsonObject,
  madeAt,
  objectAt,
  objectsAt,
  stringAt,
} from '../registry/json-object.js';
import { type Amounts, amountsOf, podAmounts, textOf } from '../registry/resource-amounts.js';
import { forbidden } from '../registry/status-errors.js';
import { defaultAmounts } from '../registry/strategies/core/pod-spec-defaults.js';

const annotation = 'kubernetes.io/limit-ranger';

/** Gives the containers of a new Pod the amounts that LimitRanges of the namespace have for those that give none. */
export const limitDefaults: AdmissionCheck = (request) => {
  const { object, operation, definition } = request;
  if (operation !== 'CREATE' || definition.storageBucket !== '/pods' || object === undefined) return;
  for (const range of rangesOf(request)) {
    const defaults = { limits: {} as JsonDraft, requests: {} as JsonDraft };
    for (const limit of objectsAt(range, 'spec', 'limits')) {
      if (limit['type'] !== 'Container') continue;
      Object.assign(defaults.limits, objectAt(limit, 'default'));
      Object.assign(defaults.requests, objectAt(limit, 'defaultRequest'));
    }
    const said = ['containers', 'initContainers'].flatMap((field) => {
      const kind = field === 'containers' ? 'container' : 'init container';
      return objectsAt(object, 'spec', field).flatMap((container) => fill(container, defaults, kind));
    });
    if (said.length === 0) continue;
    const annotations = { ...object.metadata.annotations, [annotation]: `LimitRanger plugin set: ${said.join('; ')}` };
    object.metadata.annotations = annotations;
  }
  defaultAmounts(madeAt(object, 'spec'));
};

/** Refuses Pods and claims that ask for less or more than LimitRanges of the namespace allow. */
export const limitRanger: AdmissionCheck = (request) => {
  const { definition, key, object, old } = request;
  if (!isLimited(request) || object === undefined || old?.metadata.deletionTimestamp !== undefined) return;
  for (const range of rangesOf(request)) {
    const errors = objectsAt(range, 'spec', 'limits').flatMap((limit) =>
      definition.storageBucket === '/pods' ? podErrors(limit, object) : claimErrors(limit, object),
    );
    // What is wrong with several containers in the same way is said once.
    const [first, ...others] = new Set(errors);
    if (first === undefined) continue;
    const why = others.length === 0 ? first : `[${[first, ...others].join(', ')}]`;
    throw forbidden(definition, key.name, { why });
  }
};

function isLimited({ operation, definition, context }: AdmissionRequest): boolean {
  const { storageBucket } = definition;
  if (storageBucket === '/pods') {
    return context.subresource === 'resize' || (operation === 'CREATE' && context.subresource === undefined);
  }
  return storageBucket === '/persistentvolumeclaims' && operation !== 'DELETE' && context.subresource === undefined;
}

function rangesOf({ registry, key }: AdmissionRequest): readonly ApiObject[] {
  return registry.builtIn('/v1/limitranges').list({ namespace: key.namespace }).items;
}

function fill(
  container: JsonDraft,
  defaults: { readonly limits: JsonObject; readonly requests: JsonObject },
  kind: string,
): readonly string[] {
  return (['requests', 'limits'] as const).flatMap((field) => {
    const names = Object.keys(defaults[field]).filter(
      (name) => objectAt(container, 'resources', field)[name] === undefined,
    );
    if (names.length === 0) return [];
    const amounts = madeAt(container, 'resources', field);
    for (const name of names) amounts[name] = defaults[field][name];
    return [`${names.toSorted().join(', ')} ${field.slice(0, -1)} for ${kind} ${stringAt(container, 'name')}`];
  });
}

function podErrors(limit: JsonObject, pod: JsonObject): readonly string[] {
  const spec = objectAt(pod, 'spec');
  if (limit['type'] === 'Pod') {
    return boundErrors(limit, podAmounts(spec, 'requests'), podAmounts(spec, 'limits'));
  }
  if (limit['type'] !== 'Container') return [];
  return ['containers', 'initContainers'].flatMap((field) =>
    objectsAt(spec, field).flatMap((container) =>
      boundErrors(
        limit,
        amountsOf(objectAt(container, 'resources', 'requests')),
        amountsOf(objectAt(container, 'resources', 'limits')),
      ),
    ),
  );
}

function claimErrors(limit: JsonObject, claim: JsonObject): readonly string[] {
  if (limit['type'] !== 'PersistentVolumeClaim') return [];
  const requests = amountsOf(objectAt(claim, 'spec', 'resources', 'requests'));
  const type = 'PersistentVolumeClaim';
  return [
    ...bounds(limit, 'min').map(([name, bound]) =>
      leastError(`minimum ${name} usage per ${type}`, bound, { request: requests.get(name) }),
    ),
    ...bounds(limit, 'max').map(([name, bound]) => {
      const request = requests.get(name);
      const text = `maximum ${name} usage per ${type} is ${textOf(bound)}`;
      if (request === undefined) return `${text}.  No request is specified`;
      return request.nanos > bound.nanos ? `${text}, but request is ${textOf(request)}` : '';
    }),
  ].filter((text) => text !== '');
}

function boundErrors(limit: JsonObject, requests: Amounts, limits: Amounts): readonly string[] {
  const type = stringAt(limit, 'type');
  const asked = (name: string): Asked => ({ request: requests.get(name), limit: limits.get(name) });
  return [
    ...bounds(limit, 'min').map(([name, bound]) => leastError(`minimum ${name} usage per ${type}`, bound, asked(name))),
    ...bounds(limit, 'max').map(([name, bound]) => mostError(`maximum ${name} usage per ${type}`, bound, asked(name))),
    ...bounds(limit, 'maxLimitRequestRatio').map(([name, bound]) =>
      ratioError(`${name} max limit to request ratio per ${type}`, bound, asked(name)),
    ),
  ].filter((text) => text !== '');
}

interface Asked {
  readonly request: Quantity | undefined;
  readonly limit?: Quantity | undefined;
}

function bounds(limit: JsonObject, field: string): readonly (readonly [string, Quantity])[] {
  return [...amountsOf(objectAt(limit, field))];
}

function leastError(what: string, bound: Quantity, { request, limit }: Asked): string {
  const text = `${what} is ${textOf(bound)}`;
  if (request === undefined) return `${text}.  No request is specified`;
  if (request.nanos < bound.nanos) return `${text}, but request is ${textOf(request)}`;
  return limit !== undefined && limit.nanos < bound.nanos ? `${text}, but limit is ${textOf(limit)}` : '';
}

function mostError(what: string, bound: Quantity, { request, limit }: Asked): string {
  const text = `${what} is ${textOf(bound)}`;
  if (limit === undefined) return `${text}.  No limit is specified`;
  if (limit.nanos > bound.nanos) return `${text}, but limit is ${textOf(limit)}`;
  return request !== undefined && request.nanos > bound.nanos ? `${text}, but request is ${textOf(request)}` : '';
}

function ratioError(what: string, bound: Quantity, { request, limit }: Asked): string {
  const text = `${what} is ${textOf(bound)}`;
  if (request === undefined || request.nanos === 0n) {
    return `${text}, but no request is specified or request is 0`;
  }
  if (limit === undefined || limit.nanos === 0n) return `${text}, but no limit is specified or limit is 0`;
  const ratio = Number(limit.nanos) / Number(request.nanos);
  return ratio * 1e9 > Number(bound.nanos) ? `${text}, but provided ratio is ${ratio.toFixed(6)}` : '';
}
