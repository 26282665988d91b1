import { isDeepStrictEqual } from 'node:util';
import { builtInSchema } from '@kubewright/api/built-in';
import { applyDefaults, prune, type StructuralSchema } from '@kubewright/api/schema';
import { customCells, customColumns } from './custom-columns.js';
import {
  type ApiObject,
  type JsonDraft,
  type JsonObject,
  objectAt,
  objectsAt,
  stringAt,
  valueAt,
} from '../json-object.js';
import { isTrue } from './custom-definition-names.js';
import { CustomRules } from './custom-rules.js';
import { compareVersions } from '@kubewright/api/names';
import type { ResourceDefinition, ScalePaths, SubresourceDefinition } from '../resource-definition.js';
import { scaleSpecErrors, scaleStatusErrors } from './custom-scale.js';
import { forbidden } from '../status-errors.js';
import { fieldText, strategyOf } from '../strategies/default-strategy.js';

const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

/** The definitions that a CustomResourceDefinition makes, in the era of those that it made before: one for each served version. */
export function customDefinitions(
  crd: ApiObject,
  [before]: readonly ResourceDefinition[] = [],
): readonly ResourceDefinition[] {
  const era = eraOf(crd, before?.era);
  const served = objectsAt(crd, 'spec', 'versions').filter((version) => version['served'] === true);
  return served.map((version) => ({ ...define(crd, version), era }));
}

/** What resources are served from: neither other conditions nor the wish to delete begin a new era. */
function eraOf(crd: ApiObject, before: object | undefined): object {
  const era = { spec: objectAt(crd, 'spec'), names: objectAt(crd, 'status', 'acceptedNames') };
  return isDeepStrictEqual(before, era) ? (before ?? era) : era;
}

/** The definition in whose version the objects of a CustomResourceDefinition are stored, served or not. */
export function storageDefinition(crd: ApiObject): ResourceDefinition {
  return define(crd, storageVersion(crd));
}

function storageVersion(crd: ApiObject): JsonDraft {
  return objectsAt(crd, 'spec', 'versions').find((version) => version['storage'] === true) ?? {};
}

function define(crd: ApiObject, version: JsonDraft): ResourceDefinition {
  const group = stringAt(crd, 'spec', 'group');
  const names = objectAt(crd, 'status', 'acceptedNames');
  const kind = stringAt(names, 'kind');
  const plural = stringAt(crd, 'spec', 'names', 'plural');
  const apiVersion = `${group}/${stringAt(version, 'name')}`;
  const storedVersion = `${group}/${stringAt(storageVersion(crd), 'name')}`;
  const authored = authoredSchema(version);
  const scale = valueAt(version, 'subresources', 'scale') as ScalePaths | undefined;
  const schemas = schemasOf(crd);
  const schema = schemas.get(apiVersion) ?? wholeSchema(authored);
  const subresources = subresourcesOf(version, { group, kind });
  const selectable = objectsAt(version, 'selectableFields').map((field) => stringAt(field, 'jsonPath').slice(1));
  const columns = customColumns(version);
  const subject = { group, kind, plural };
  const terminating = isTrue(crd, 'Terminating');
  const deprecation = deprecationOf(crd, version, kind);
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
    customRules: new CustomRules(schema, authored),
    schemaOf: (apiVersion) => schemas.get(apiVersion),
    ...(terminating ? { terminating } : {}),
    ...(deprecation === undefined ? {} : { deprecationWarning: deprecation }),
    toStored: (object) =>
      converted(object, { apiVersion: storedVersion, schema: schemas.get(storedVersion) ?? schema }),
    fromStored: readerOf({ apiVersion, schema }, schemas),
  };
}

/** A version, and what it says of its objects. */
interface VersionSchema {
  readonly apiVersion: string;
  readonly schema: StructuralSchema;
}

/**
 * What a version shows of stored objects: the version in which each is stored prunes it and fills in its defaults, by what the
 * definition says of that by now; another one then prunes it once more. Each stored object is read once.
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
    const read = converted(applyDefaults(prune(stored, own).value, own), shown);
    known.set(stored, read);
    return read;
  };
}

/** Conversion of strategy None: only the name of the version changes, and what the other version does not have is gone. */
function converted<T extends ApiObject | JsonObject>(object: T, { apiVersion, schema }: VersionSchema): T {
  return object['apiVersion'] === apiVersion ? object : prune({ ...object, apiVersion }, schema).value;
}

/** What each version says of its objects, by its name with the group. */
function schemasOf(crd: ApiObject): ReadonlyMap<string, StructuralSchema> {
  const group = stringAt(crd, 'spec', 'group');
  const versions = objectsAt(crd, 'spec', 'versions');
  return new Map(
    versions.map((each) => [`${group}/${stringAt(each, 'name')}`, wholeSchema(authoredSchema(each))] as const),
  );
}

/** The schema of a version as its author wrote it. */
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

/** The schema of a whole object: what the author wrote, with the type's name and the metadata that all objects have. */
function wholeSchema(schema: StructuralSchema): StructuralSchema {
  const metadata = builtInSchema('v1', 'ConfigMap')?.properties?.['metadata'] ?? { type: 'object' };
  const text: StructuralSchema = { type: 'string' };
  return { ...schema, properties: { ...schema.properties, apiVersion: text, kind: text, metadata } };
}

/** The author's sentence, or one that names the newest version that is served, not deprecated and no less stable. */
function deprecationOf(crd: ApiObject, version: JsonDraft, kind: string): string | undefined {
  if (version['deprecated'] !== true) return undefined;
  if (typeof version['deprecationWarning'] === 'string') return version['deprecationWarning'];
  const group = stringAt(crd, 'spec', 'group');
  const name = stringAt(version, 'name');
  const newest = objectsAt(crd, 'spec', 'versions')
    .filter(({ served, deprecated }) => served === true && deprecated !== true)
    .map((other) => stringAt(other, 'name'))
    .toSorted(compareVersions)[0];
  const said = `${group}/${name} ${kind} is deprecated`;
  if (newest === undefined || compareVersions(newest, name) > 0) return said;
  return `${said}; use ${group}/${newest} ${kind}`;
}

function stringsAt(value: unknown, field: string): readonly string[] {
  const found = valueAt(value, field);
  return Array.isArray(found) ? found.filter((item) => typeof item === 'string') : [];
}
