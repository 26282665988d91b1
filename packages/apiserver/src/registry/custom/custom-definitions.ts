import { ApiError } from '@kubewright/api/errors';
import { builtInSchema } from '@kubewright/api/built-in';
import { deepEqual } from '@kubewright/api/patch';
import { applyDefaults, prune, type StructuralSchema } from '@kubewright/api/schema';
import { customCells, customColumns } from './custom-columns.js';
import type { ApiObject, JsonDraft, JsonObject } from '../objects/api-object.js';
import { objectAt, objectsAt, stringAt, valueAt } from '../objects/json-object.js';
import { isTrue } from '../strategies/apiextensions/custom-definition-names.js';
import { CustomRules } from '../custom-validation/custom-rules.js';
import { compareVersions } from '@kubewright/api/names';
import type { ResourceDefinition, ScalePaths, SubresourceDefinition } from '../definitions/resource-definition.js';
import { scaleSpecErrors, scaleStatusErrors } from './custom-scale.js';
import { forbidden } from '../requests/status-errors.js';
import { valueBudget } from '../../storage/value-limit.js';
import { fieldText, strategyOf } from '../definitions/default-strategy.js';

const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

/**
 * Returns the definitions of a CustomResourceDefinition, one for each served version. Returns `before` if the definitions have not changed.
 * If only the Terminating condition has changed, the new definitions have the same era.
 */
export function customDefinitions(
  crd: ApiObject,
  before: readonly ResourceDefinition[] = [],
): readonly ResourceDefinition[] {
  const [first] = before;
  const era = eraOf(crd, first?.era);
  if (first !== undefined && first.era === era && (first.terminating === true) === isTrue(crd, 'Terminating')) {
    return before;
  }
  const served = objectsAt(crd, 'spec', 'versions').filter((version) => version['served'] === true);
  const shared = sharedOf(crd);
  return served.map((version) => ({ ...define(version, shared), era }));
}

/**
 * Returns the fields that determine how the server serves the resources: the spec and the accepted names. Returns `before` if these fields
 * have not changed. Conditions and the deletion of the definition do not change the era.
 */
function eraOf(crd: ApiObject, before: object | undefined): object {
  const era = { spec: objectAt(crd, 'spec'), names: objectAt(crd, 'status', 'acceptedNames') };
  return deepEqual(before, era) ? (before ?? era) : era;
}

/** Returns the definition for the storage version of a CustomResourceDefinition, even if that version is not served. */
export function storageDefinition(crd: ApiObject): ResourceDefinition {
  return define(storageVersion(crd), sharedOf(crd));
}

/** The data that the definitions of all versions share. */
interface SharedParts {
  readonly crd: ApiObject;
  readonly storedVersion: string;
  readonly schemas: ReadonlyMap<string, StructuralSchema>;
  /** The version with the highest priority that is served and not deprecated. */
  readonly newest: string | undefined;
}

function sharedOf(crd: ApiObject): SharedParts {
  const storedVersion = `${stringAt(crd, 'spec', 'group')}/${stringAt(storageVersion(crd), 'name')}`;
  const current = objectsAt(crd, 'spec', 'versions')
    .filter(({ served, deprecated }) => served === true && deprecated !== true)
    .map((version) => stringAt(version, 'name'));
  return { crd, storedVersion, schemas: schemasOf(crd), newest: current.toSorted(compareVersions)[0] };
}

function storageVersion(crd: ApiObject): JsonDraft {
  return objectsAt(crd, 'spec', 'versions').find((version) => version['storage'] === true) ?? {};
}

function define(version: JsonDraft, { crd, storedVersion, schemas, newest }: SharedParts): ResourceDefinition {
  const group = stringAt(crd, 'spec', 'group');
  const names = objectAt(crd, 'status', 'acceptedNames');
  const kind = stringAt(names, 'kind');
  const plural = stringAt(crd, 'spec', 'names', 'plural');
  const apiVersion = `${group}/${stringAt(version, 'name')}`;
  const authored = authoredSchema(version);
  const scale = valueAt(version, 'subresources', 'scale') as ScalePaths | undefined;
  const schema = schemas.get(apiVersion) ?? wholeSchema(authored);
  const subresources = subresourcesOf(version, { group, kind });
  const selectable = objectsAt(version, 'selectableFields').map((field) => stringAt(field, 'jsonPath').slice(1));
  const columns = customColumns(version);
  const subject = { group, kind, plural };
  const terminating = isTrue(crd, 'Terminating');
  const deprecation = deprecationOf(version, { group, kind, newest });
  return {
    ...subject,
    version: stringAt(version, 'name'),
    apiVersion,
    listKind: stringAt(names, 'listKind') || `${kind}List`,
    singular: stringAt(names, 'singular') || kind.toLowerCase(),
    shortNames: stringsAt(names, 'shortNames'),
    categories: stringsAt(names, 'categories'),
    namespaced: stringAt(crd, 'spec', 'scope') === 'Namespaced',
    verbs,
    subresources,
    ...(scale === undefined ? {} : { scale }),
    schema,
    columns: columns.map(({ column }) => column),
    strategy: strategyOf({
      cells: customCells(columns),
      selectableFields: selectable,
      selectableField: fieldText,
      allowUnconditionalUpdate: false,
      tracksGeneration: true,
      storageFolder: `${group}/${plural}`,
      metadataRules: { anyFinalizer: true, preservedByStatus: 'all' },
      validate: (object) => [...scaleSpecErrors(object, scale), ...scaleStatusErrors(object, scale)],
      validateStatusUpdate: (object) => scaleStatusErrors(object, scale),
      prepareForCreate: ({ metadata }) => {
        const why = 'create not allowed while custom resource definition is terminating';
        if (terminating) throw forbidden(subject, metadata.name ?? '', { why });
      },
    }),
    storageBucket: `${group}/${plural}`,
    selectableFields: selectable,
    custom: true,
    customRules: new CustomRules(authored),
    schemaOf: (apiVersion) => schemas.get(apiVersion),
    ...(terminating ? { terminating } : {}),
    ...(deprecation === undefined ? {} : { deprecationWarning: deprecation }),
    toStored: (object) =>
      converted(object, { apiVersion: storedVersion, schema: schemas.get(storedVersion) ?? schema }),
    fromStored: readerOf({ apiVersion, schema }, schemas),
  };
}

/** A version and the schema of its objects. */
interface VersionSchema {
  readonly apiVersion: string;
  readonly schema: StructuralSchema;
}

/**
 * Returns a function that converts stored objects to the version `shown`. The function prunes each object and applies defaults with the
 * current schema of the version in which the object is stored. If this version differs from `shown`, the function then prunes with the
 * schema of `shown`. The function converts each stored object once.
 */
function readerOf(
  shown: VersionSchema,
  schemas: ReadonlyMap<string, StructuralSchema>,
): (stored: ApiObject) => ApiObject {
  const known = new WeakMap<ApiObject, ApiObject>();
  return (stored) => {
    const before = known.get(stored);
    if (before !== undefined) return before;
    const own = schemas.get(stored.apiVersion) ?? shown.schema;
    const read = converted(withDefaults(prune(stored, own).value, own), shown);
    known.set(stored, read);
    return read;
  };
}

/** Applies the defaults. Returns the object without defaults if the defaults would add more values than the limit. */
function withDefaults(object: ApiObject, schema: StructuralSchema): ApiObject {
  try {
    return applyDefaults(object, schema, { onFill: valueBudget() });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return object;
  }
}

/**
 * Converts an object with the conversion strategy `None`: changes the apiVersion, and drops the fields that the target version does not
 * have.
 */
function converted<T extends ApiObject | JsonObject>(object: T, { apiVersion, schema }: VersionSchema): T {
  return object['apiVersion'] === apiVersion ? object : prune({ ...object, apiVersion }, schema).value;
}

/** Returns the schema of each version, by 'group/version'. */
function schemasOf(crd: ApiObject): ReadonlyMap<string, StructuralSchema> {
  const group = stringAt(crd, 'spec', 'group');
  const versions = objectsAt(crd, 'spec', 'versions');
  return new Map(
    versions.map((each) => [`${group}/${stringAt(each, 'name')}`, wholeSchema(authoredSchema(each))] as const),
  );
}

/** Returns the schema of a version as the CustomResourceDefinition contains it. */
function authoredSchema(version: JsonDraft): StructuralSchema {
  return objectAt(version, 'schema', 'openAPIV3Schema');
}

function subresourcesOf(
  version: JsonDraft,
  { group, kind }: { readonly group: string; readonly kind: string },
): ReadonlyMap<string, SubresourceDefinition> {
  const own = { group, version: stringAt(version, 'name'), kind, verbs: ['get', 'patch', 'update'] };
  const found = new Map<string, SubresourceDefinition>();
  const declared = objectAt(version, 'subresources');
  if (declared['status'] !== undefined) found.set('status', { ...own, name: 'status' });
  if (declared['scale'] !== undefined) {
    found.set('scale', { ...own, name: 'scale', group: 'autoscaling', version: 'v1', kind: 'Scale' });
  }
  return found;
}

/** Returns the schema of a whole object: the schema in the CustomResourceDefinition, with apiVersion, kind and metadata. */
function wholeSchema(schema: StructuralSchema): StructuralSchema {
  const metadata = builtInSchema('v1', 'ConfigMap')?.properties?.['metadata'] ?? { type: 'object' };
  const text: StructuralSchema = { type: 'string' };
  return { ...schema, properties: { ...schema.properties, apiVersion: text, kind: text, metadata } };
}

/**
 * Returns the deprecation warning of a version, or undefined if the version is not deprecated. The default text recommends the version
 * `newest` if `newest` has a higher priority than the deprecated version.
 */
function deprecationOf(
  version: JsonDraft,
  { group, kind, newest }: { readonly group: string; readonly kind: string; readonly newest: string | undefined },
): string | undefined {
  if (version['deprecated'] !== true) return undefined;
  if (typeof version['deprecationWarning'] === 'string') return version['deprecationWarning'];
  const name = stringAt(version, 'name');
  const notice = `${group}/${name} ${kind} is deprecated`;
  if (newest === undefined || compareVersions(newest, name) > 0) return notice;
  return `${notice}; use ${group}/${newest} ${kind}`;
}

function stringsAt(value: unknown, field: string): readonly string[] {
  const found = valueAt(value, field);
  return Array.isArray(found) ? found.filter((item) => typeof item === 'string') : [];
}
