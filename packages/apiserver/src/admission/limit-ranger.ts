import type { Quantity } from '@kubewright/api/quantity';
import type { AdmissionCheck, AdmissionRequest } from '../registry/admission/admission-check.js';
import type { ApiObject, JsonDraft, JsonObject } from '../registry/objects/api-object.js';
import { madeAt, objectAt, objectsAt, stringAt } from '../registry/objects/json-object.js';
import { type Amounts, amountsOf, podAmounts, textOf } from '../registry/quota/resource-amounts.js';
import { valueBudget } from '../storage/value-limit.js';
import { forbidden } from '../registry/requests/status-errors.js';
import { defaultAmounts } from '../registry/strategies/core/pod-spec/pod-spec-defaults.js';

const annotation = 'kubernetes.io/limit-ranger';

/**
 * Sets the default requests and limits of the namespace's LimitRanges in the containers of a new Pod. Throws 413 if the defaults add too
 * many JSON values to the Pod.
 */
export const limitDefaults: AdmissionCheck = (request) => {
  const { object, operation, definition } = request;
  if (operation !== 'CREATE' || definition.storageBucket !== '/pods' || object === undefined) return;
  const spend = valueBudget();
  for (const range of rangesOf(request)) {
    const defaults = { limits: {} as JsonDraft, requests: {} as JsonDraft };
    for (const limit of objectsAt(range, 'spec', 'limits')) {
      if (limit['type'] !== 'Container') continue;
      Object.assign(defaults.limits, objectAt(limit, 'default'));
      Object.assign(defaults.requests, objectAt(limit, 'defaultRequest'));
    }
    const defaulted = ['containers', 'initContainers'].flatMap((field) => {
      const kind = field === 'containers' ? 'container' : 'init container';
      return objectsAt(object, 'spec', field).flatMap((container) => fill(container, defaults, { kind, spend }));
    });
    if (defaulted.length === 0) continue;
    const annotations = {
      ...object.metadata.annotations,
      [annotation]: `LimitRanger plugin set: ${defaulted.join('; ')}`,
    };
    object.metadata.annotations = annotations;
  }
  defaultAmounts(madeAt(object, 'spec'));
};

/** Throws 403 for a Pod or PersistentVolumeClaim whose requests or limits violate a LimitRange of the namespace. */
export const limitRanger: AdmissionCheck = (request) => {
  const { definition, key, object, old } = request;
  if (!isLimited(request) || object === undefined || old?.metadata.deletionTimestamp !== undefined) return;
  for (const range of rangesOf(request)) {
    const errors = objectsAt(range, 'spec', 'limits').flatMap((limit) =>
      definition.storageBucket === '/pods' ? podErrors(limit, object) : claimErrors(limit, object),
    );
    // Identical errors of several containers are reported once.
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
  { kind, spend }: { readonly kind: string; readonly spend: (names: readonly string[]) => void },
): readonly string[] {
  return (['requests', 'limits'] as const).flatMap((field) => {
    const names = Object.keys(defaults[field]).filter(
      (name) => objectAt(container, 'resources', field)[name] === undefined,
    );
    if (names.length === 0) return [];
    spend(names);
    const amounts = madeAt(container, 'resources', field);
    for (const name of names) amounts[name] = defaults[field][name];
    return [`${names.toSorted().join(', ')} ${field.slice(0, -1)} for ${kind} ${stringAt(container, 'name')}`];
  });
}

function podErrors(limit: JsonObject, pod: JsonObject): readonly string[] {
  const spec = objectAt(pod, 'spec');
  if (limit['type'] === 'Pod') {
    const requested = { requests: podAmounts(spec, 'requests'), limits: podAmounts(spec, 'limits') };
    return boundErrors(boundsOf(limit), requested);
  }
  if (limit['type'] !== 'Container') return [];
  const containers = ['containers', 'initContainers'].flatMap((field) => objectsAt(spec, field));
  return containerErrors(boundsOf(limit), containers);
}

/**
 * Returns the errors of all containers in linear time. A missing request or limit causes the same error in each container, so the error is
 * computed only once.
 */
function containerErrors(bounds: Bounds, containers: readonly JsonObject[]): readonly string[] {
  const fields = [bounds.min, bounds.max, bounds.ratio];
  /** The resources with a bound for which every previous container specifies an amount. */
  let given = new Set(fields.flatMap((field) => [...field.keys()]));
  return containers.flatMap((container) => {
    const requests = amountsOf(objectAt(container, 'resources', 'requests'));
    const limits = amountsOf(objectAt(container, 'resources', 'limits'));
    const own = new Set([...requests.keys(), ...limits.keys()]);
    const names = new Set([...given, ...own]);
    given = new Set([...given].filter((name) => own.has(name)));
    return boundErrors(bounds, { requests, limits, names });
  });
}

function claimErrors(limit: JsonObject, claim: JsonObject): readonly string[] {
  if (limit['type'] !== 'PersistentVolumeClaim') return [];
  const requests = amountsOf(objectAt(claim, 'spec', 'resources', 'requests'));
  const type = 'PersistentVolumeClaim';
  return [
    ...[...amountsOf(objectAt(limit, 'min'))].map(([name, bound]) =>
      leastError(`minimum ${name} usage per ${type}`, bound, { request: requests.get(name) }),
    ),
    ...[...amountsOf(objectAt(limit, 'max'))].map(([name, bound]) => {
      const request = requests.get(name);
      const text = `maximum ${name} usage per ${type} is ${textOf(bound)}`;
      if (request === undefined) return `${text}.  No request is specified`;
      return request.nanos > bound.nanos ? `${text}, but request is ${textOf(request)}` : '';
    }),
  ].filter((text) => text !== '');
}

/** The bounds of an item of a LimitRange. */
interface Bounds {
  readonly type: string;
  readonly min: Bounded;
  readonly max: Bounded;
  readonly ratio: Bounded;
}

/** Bounds by resource name, with their positions in the LimitRange. */
type Bounded = ReadonlyMap<string, { readonly at: number; readonly bound: Quantity }>;

function boundsOf(limit: JsonObject): Bounds {
  const of = (field: string): Bounded => {
    const amounts = [...amountsOf(objectAt(limit, field))];
    return new Map(amounts.map(([name, bound], at) => [name, { at, bound }] as const));
  };
  return { type: stringAt(limit, 'type'), min: of('min'), max: of('max'), ratio: of('maxLimitRequestRatio') };
}

/** The requests and limits of a container or a Pod. `names` are the resources to check. @default all resources with a bound */
interface RequestedAmounts {
  readonly requests: Amounts;
  readonly limits: Amounts;
  readonly names?: ReadonlySet<string>;
}

function boundErrors(
  { type, min, max, ratio }: Bounds,
  { requests, limits, names }: RequestedAmounts,
): readonly string[] {
  const errorsOf = (bounds: Bounded, errorOf: (name: string, bound: Quantity, requested: Requested) => string) =>
    [...(names ?? bounds.keys())]
      .flatMap((name) => {
        const found = bounds.get(name);
        return found === undefined ? [] : [{ name, ...found }];
      })
      .toSorted((a, b) => a.at - b.at)
      .map(({ name, bound }) => errorOf(name, bound, { request: requests.get(name), limit: limits.get(name) }));
  return [
    ...errorsOf(min, (name, bound, requested) => leastError(`minimum ${name} usage per ${type}`, bound, requested)),
    ...errorsOf(max, (name, bound, requested) => mostError(`maximum ${name} usage per ${type}`, bound, requested)),
    ...errorsOf(ratio, (name, bound, requested) =>
      ratioError(`${name} max limit to request ratio per ${type}`, bound, requested),
    ),
  ].filter((text) => text !== '');
}

interface Requested {
  readonly request: Quantity | undefined;
  readonly limit?: Quantity | undefined;
}

function leastError(what: string, bound: Quantity, { request, limit }: Requested): string {
  const text = `${what} is ${textOf(bound)}`;
  if (request === undefined) return `${text}.  No request is specified`;
  if (request.nanos < bound.nanos) return `${text}, but request is ${textOf(request)}`;
  return limit !== undefined && limit.nanos < bound.nanos ? `${text}, but limit is ${textOf(limit)}` : '';
}

function mostError(what: string, bound: Quantity, { request, limit }: Requested): string {
  const text = `${what} is ${textOf(bound)}`;
  if (limit === undefined) return `${text}.  No limit is specified`;
  if (limit.nanos > bound.nanos) return `${text}, but limit is ${textOf(limit)}`;
  return request !== undefined && request.nanos > bound.nanos ? `${text}, but request is ${textOf(request)}` : '';
}

function ratioError(what: string, bound: Quantity, { request, limit }: Requested): string {
  const text = `${what} is ${textOf(bound)}`;
  if (request === undefined || request.nanos === 0n) {
    return `${text}, but no request is specified or request is 0`;
  }
  if (limit === undefined || limit.nanos === 0n) return `${text}, but no limit is specified or limit is 0`;
  const ratio = Number(limit.nanos) / Number(request.nanos);
  return ratio * 1e9 > Number(bound.nanos) ? `${text}, but provided ratio is ${ratio.toFixed(6)}` : '';
}
