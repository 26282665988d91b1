import { type ReplicasPaths, type Steps, scaledManagedFields, scaleManagedFields } from '@kubewright/api/apply';
import { builtInSchema } from '@kubewright/api/built-in';
import { compileJsonPath } from '@kubewright/api/json-path';
import { fieldErrors, validateObjectMetaSteps } from '@kubewright/api/schema';
import type { GoTypes } from '../cluster-data/go-types.js';
import type { TableColumn } from '../cluster-data/table-column.js';
import { age } from '../objects/age.js';
import { formatSelector } from '../objects/format-selector.js';
import type { ApiObject, IncomingObject, JsonDraft } from '../objects/api-object.js';
import { draftOf, isObject, madeAt, numberAt, stringAt, valueAt } from '../objects/json-object.js';
import { parseVersion } from '../writing/optimistic-lock.js';
import type { ResourceDefinition, ScalePaths } from '../definitions/resource-definition.js';
import { badRequest, conflict, failure, invalid, modified, notFound } from '../requests/status-errors.js';
import { strategyOf } from '../definitions/default-strategy.js';

const scaleSubject = { group: 'autoscaling', kind: 'Scale', plural: 'scales' };

/** The placeholder for unset replicas of a custom object while its Scale is updated. */
const unset = -(2 ** 31);

/**
 * Returns the Scale of an object: its desired and current replicas, and its selector. Throws 404 if the resource has no scale subresource,
 * and 500 if a custom object does not set its spec replicas.
 */
export function readScale(object: ApiObject, definition: ResourceDefinition): ApiObject {
  const paths = scalePaths(object, definition);
  if (definition.custom && valueAt(object, ...steps(paths.specReplicasPath)) === undefined) throw noReplicas(paths);
  return shownScale(object, definition);
}

/** Returns the Scale that an update changes. The managedFields of the Scale contain only the managers of the replicas. */
export function scaleToChange(object: ApiObject, definition: ResourceDefinition, paths: ReplicasPaths): ApiObject {
  const { specReplicasPath } = scalePaths(object, definition);
  const scale = shownScale(object, definition);
  const managedFields = scaleManagedFields(object.metadata.managedFields, paths);
  const hasReplicas = !definition.custom || valueAt(object, ...steps(specReplicasPath)) !== undefined;
  return {
    ...scale,
    ...(hasReplicas ? {} : { spec: { replicas: unset } }),
    metadata: { ...scale.metadata, ...(managedFields === undefined ? {} : { managedFields }) },
  };
}

/** Returns the path of the spec replicas by apiVersion. The path is undefined for a version without a scale subresource. */
export function replicasPaths(versions: readonly ResourceDefinition[]): ReplicasPaths {
  return new Map(
    versions.map(({ apiVersion, scale }) => [
      apiVersion,
      scale === undefined ? undefined : steps(scale.specReplicasPath),
    ]),
  );
}

/** Returns the Scales that policies and webhooks validate instead of the updated object. `kind` is the definition of the Scales. */
export function reviewedScale(
  next: ApiObject,
  old: ApiObject,
  { definition, kind }: { readonly definition: ResourceDefinition; readonly kind: ResourceDefinition },
): { readonly kind: ResourceDefinition; readonly object: ApiObject; readonly old: ApiObject } {
  return { kind, object: shownScale(next, definition), old: shownScale(old, definition) };
}

function shownScale(object: ApiObject, definition: ResourceDefinition): ApiObject {
  const paths = scalePaths(object, definition);
  const replicas = valueAt(object, ...steps(paths.specReplicasPath));
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = selectorText(object, paths);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), uid, resourceVersion, creationTimestamp },
    spec: typeof replicas === 'number' && replicas !== 0 ? { replicas } : {},
    status: {
      replicas: numberAt(object, ...steps(paths.statusReplicasPath)) ?? 0,
      ...(selector === '' ? {} : { selector }),
    },
  };
}

const column = (name: string, type: string, format = ''): TableColumn => ({
  name,
  type,
  format,
  description: name,
  priority: 0,
});
const scaleColumns = [
  column('Name', 'string', 'name'),
  column('Desired', 'integer'),
  column('Available', 'integer'),
  column('Age', 'date'),
];

/** The row of a Scale: its name, its desired and current replicas, and its age. */
const scaleStrategy = strategyOf({
  cells: (scale, now) => [
    scale.metadata.name,
    numberAt(scale, 'spec', 'replicas') ?? 0,
    numberAt(scale, 'status', 'replicas') ?? 0,
    age(scale.metadata.creationTimestamp, now),
  ],
});

/** Returns the definition of the kind Scale, for decoding bodies and for tables. */
export function scaleKind(goTypes: GoTypes | undefined, namespaced: boolean): ResourceDefinition {
  const schema = builtInSchema('autoscaling/v1', 'Scale');
  if (schema === undefined || goTypes === undefined) throw new RangeError('no built-in schema for Scale');
  const same = <T>(object: T): T => object;
  return {
    ...scaleSubject,
    version: 'v1',
    apiVersion: 'autoscaling/v1',
    listKind: 'ScaleList',
    singular: 'scale',
    shortNames: [],
    categories: [],
    namespaced,
    verbs: ['get', 'patch', 'update'],
    subresources: new Map(),
    schema,
    goTypes,
    columns: scaleColumns,
    strategy: scaleStrategy,
    storageBucket: 'autoscaling/scales',
    selectableFields: [],
    toStored: same,
    fromStored: same,
  };
}

/**
 * Returns the object with the replicas of the Scale and with the managers of the replicas, in steps. For built-in kinds, throws 422 for
 * invalid metadata or replicas. For custom objects, throws 400 for unset replicas. Throws 409 if the resourceVersion of the Scale differs
 * from the resourceVersion of the object, and 500 if the resourceVersion of the Scale is not a number.
 */
export function* writeScale(
  object: ApiObject,
  scale: IncomingObject,
  { definition, paths }: { readonly definition: ResourceDefinition; readonly paths: ReplicasPaths },
): Steps<JsonDraft> {
  const { name, resourceVersion } = object.metadata;
  const replicas = numberAt(scale, 'spec', 'replicas') ?? 0;
  const { specReplicasPath } = scalePaths(object, definition);
  // The schema and the scale rules validate a custom object.
  if (!definition.custom) yield* rejectScale(scale, replicas);
  else if (replicas === unset) throw badRequest(`the spec replicas field "${specReplicasPath}" cannot be empty`);
  yield;
  const expected = parseVersion(scale.metadata.resourceVersion);
  if (expected !== '0' && expected !== resourceVersion) throw conflict(definition, name, modified);
  const next = draftOf(object);
  const path = steps(specReplicasPath);
  madeAt(next, ...path.slice(0, -1))[path.at(-1) ?? 'replicas'] = replicas;
  yield;
  next.metadata.managedFields = scaledManagedFields(next.metadata.managedFields, scale.metadata.managedFields, {
    paths,
    apiVersion: definition.apiVersion,
  });
  return next;
}

function* rejectScale(scale: IncomingObject, replicas: number): Steps<void> {
  const { metadata } = scale;
  const errors = yield* validateObjectMetaSteps(metadata, { namespaced: true });
  if (replicas < 0) errors.push(fieldErrors.invalid('spec.replicas', replicas, 'must be greater than or equal to 0'));
  if (errors.length > 0) throw invalid(scaleSubject, metadata.name ?? '', errors);
}

function noReplicas({ specReplicasPath }: ScalePaths): Error {
  const message = `the spec replicas field "${specReplicasPath}" does not exist`;
  return failure(500, 'InternalError', {
    message: `Internal error occurred: ${message}`,
    details: { causes: [{ message }] },
  });
}

function scalePaths(object: ApiObject, definition: ResourceDefinition): ScalePaths {
  if (definition.scale === undefined) throw notFound(definition, object.metadata.name);
  return definition.scale;
}

function selectorText(object: ApiObject, { labelSelectorPath }: ScalePaths): string {
  if (labelSelectorPath === undefined) return '';
  const found = compileJsonPath(labelSelectorPath)(object)[0];
  return isObject(found) ? formatSelector(found) : stringAt({ found }, 'found');
}

function steps(path: string): string[] {
  return path.split('.').filter((step) => step !== '');
}
