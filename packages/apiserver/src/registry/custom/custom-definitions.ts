import { builtInSchema } from '@kubewright/api/built-in';
import { deepEqual } from '@kubewright/api/patch';
import type { StructuralSchema } from '@kubewright/api/schema';
import { customCells, customColumns } from './custom-columns.js';
import type { ApiObject, JsonDraft } from '../objects/api-object.js';
import { objectAt, objectsAt, stringAt, valueAt } from '../objects/json-object.js';
import { isTrue } from '../strategies/apiextensions/custom-definition-names.js';
import { CustomRules } from '../custom-validation/custom-rules.js';
import { compareVersions } from '@kubewright/api/names';
import type { ResourceDefinition, ScalePaths, SubresourceDefinition } from '../definitions/resource-definition.js';
import type { WebhookClient } from '../webhooks/webhook-client.js';
import { scaleSpecErrors, scaleStatusErrors } from './custom-scale.js';
import { forbidden } from '../requests/status-errors.js';
import {
  StoredReader,
  type VersionSchema,
  withoutConversion,
  withoutResourceVersion,
  withoutUnknown,
} from './stored-reader.js';
import { WebhookConverter } from './webhook-converter.js';
import { fieldText, strategyOf } from '../definitions/default-strategy.js';

const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

/** The webhook client and the previous definitions, for `customDefinitions`. */
export interface CustomDefinitionsOptions {
  /** The client that calls the conversion webhook of the CustomResourceDefinition. */
  readonly webhooks: WebhookClient;
  /** The definitions before the CustomResourceDefinition changed. @default none */
  readonly before?: readonly ResourceDefinition[] | undefined;
}

/**
 * Returns the definitions of a CustomResourceDefinition, one for each served version. Returns `before` if the definitions have not changed.
 * If only the Terminating condition has changed, the new definitions have the same era.
 */
export function customDefinitions(
  crd: ApiObject,
  { webhooks, before = [] }: CustomDefinitionsOptions,
): readonly ResourceDefinition[] {
  const [first] = before;
  const era = eraOf(crd, first?.era);
  if (first !== undefined && first.era === era && (first.terminating === true) === isTrue(crd, 'Terminating')) {
    return before;
  }
  const served = objectsAt(crd, 'spec', 'versions').filter((version) => version['served'] === true);
  const shared = sharedOf(crd, webhooks);
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

/**
 * Returns the definition with which the server deletes the objects of a CustomResourceDefinition, even if no version is served. This
 * definition reads and writes the objects as they are stored.
 */
export function storageDefinition(crd: ApiObject): ResourceDefinition {
  return asStored(define(storageVersion(crd), sharedOf(crd, undefined)));
}

/** The data that the definitions of all versions share. */
interface SharedParts {
  readonly crd: ApiObject;
  readonly storedVersion: string;
  readonly schemas: ReadonlyMap<string, StructuralSchema>;
  /** The version with the highest priority that is served and not deprecated; undefined if there is no such version. */
  readonly newest: string | undefined;
  /** The converter for the conversion strategy `Webhook`; undefined for the strategy `None`. */
  readonly converter: WebhookConverter | undefined;
}

function sharedOf(crd: ApiObject, webhooks: WebhookClient | undefined): SharedParts {
  const storedVersion = `${stringAt(crd, 'spec', 'group')}/${stringAt(storageVersion(crd), 'name')}`;
  const current = objectsAt(crd, 'spec', 'versions')
    .filter(({ served, deprecated }) => served === true && deprecated !== true)
    .map((version) => stringAt(version, 'name'));
  const schemas = schemasOf(crd);
  const isConverted = stringAt(crd, 'spec', 'conversion', 'strategy') === 'Webhook' && webhooks !== undefined;
  const converter = isConverted ? new WebhookConverter(crd, webhooks, (each) => schemas.has(each)) : undefined;
  return { crd, storedVersion, schemas, newest: current.toSorted(compareVersions)[0], converter };
}

function storageVersion(crd: ApiObject): JsonDraft {
  return objectsAt(crd, 'spec', 'versions').find((version) => version['storage'] === true) ?? {};
}

function define(version: JsonDraft, shared: SharedParts): ResourceDefinition {
  const { crd, schemas, newest } = shared;
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
    ...conversionOf({ apiVersion, schema }, shared),
  };
}

type ConversionParts = Pick<ResourceDefinition, 'toStored' | 'fromStored' | 'conversion' | 'asStored'>;

/** Returns the functions that convert objects between a version and their stored form. */
function conversionOf(shown: VersionSchema, shared: SharedParts): ConversionParts {
  const { storedVersion, schemas, converter } = shared;
  const stored = { apiVersion: storedVersion, schema: schemas.get(storedVersion) ?? shown.schema };
  const reader = new StoredReader(shown, schemas, converter);
  const fromStored = (object: ApiObject): ApiObject => reader.get(object);
  const toStored = (object: ApiObject): ApiObject => withoutConversion(object, stored);
  if (converter === undefined) return { fromStored, toStored };
  return {
    fromStored,
    toStored,
    conversion: {
      storedVersion,
      isRead: (object) => reader.isRead(object),
      read: (objects) => reader.read(objects),
      readAgain: (object) => reader.readAgain(object),
      toStored: async (object) => {
        const { resourceVersion } = object.metadata;
        const converted = await converter.convert(withoutResourceVersion(object), storedVersion);
        const written = withoutUnknown(converted, stored.schema);
        return { ...written, metadata: { ...written.metadata, resourceVersion } };
      },
      convert: (object, apiVersion) => converter.convert(object, apiVersion),
    },
    asStored: storedDefinitions(shared),
  };
}

/** Returns the function `asStored` of a definition. `asStored` creates the definition of each version only once. */
function storedDefinitions(shared: SharedParts): (apiVersion: string) => ResourceDefinition {
  const known = new Map<string, ResourceDefinition>();
  return (apiVersion) => {
    const before = known.get(apiVersion);
    if (before !== undefined) return before;
    const name = apiVersion.split('/')[1] ?? '';
    const versions = objectsAt(shared.crd, 'spec', 'versions');
    const version = versions.find((each) => each['name'] === name) ?? { ...storageVersion(shared.crd), name };
    const made = asStored(define(version, { ...shared, converter: undefined }));
    known.set(apiVersion, made);
    return made;
  };
}

/** Returns a definition that reads and writes objects as they are stored. */
function asStored(definition: ResourceDefinition): ResourceDefinition {
  const same = (object: ApiObject): ApiObject => object;
  return { ...definition, fromStored: same, toStored: same };
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
