import { builtInSchema } from '@kubewright/api/built-in';
import type { StructuralSchema } from '@kubewright/api/schema';
import { customCells, customColumns } from './custom-columns.js';
import {
  type ApiObject,
  type JsonDraft,
  type JsonObject,
  objectAt,
  objectsAt,
  stringAt,
  valueAt,
} from './json-object.js';
import type { ResourceDefinition, ScalePaths, SubresourceDefinition } from './resource-definition.js';
import { methodNotAllowed } from './status-errors.js';
import { fieldText, strategyOf } from './strategies/default-strategy.js';

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/** The definitions that a CustomResourceDefinition makes: one for each served version. */
export function customDefinitions(crd: ApiObject): readonly ResourceDefinition[] {
  const versions = objectsAt(crd, 'spec', 'versions');
  const storage = stringAt(
    versions.find((version) => version['storage'] === true),
    'name',
  );
  return versions.filter((version) => version['served'] === true).map((version) => define(crd, version, storage));
}

function define(crd: ApiObject, version: JsonDraft, storageVersion: string): ResourceDefinition {
  const group = stringAt(crd, 'spec', 'group');
  const names = objectAt(crd, 'spec', 'names');
  const kind = stringAt(names, 'kind');
  const plural = stringAt(names, 'plural');
  const apiVersion = `${group}/${stringAt(version, 'name')}`;
  const storedVersion = `${group}/${storageVersion}`;
  const subresources = subresourcesOf(version, { group, kind });
  const selectable = objectsAt(version, 'selectableFields').map((field) => stringAt(field, 'jsonPath').slice(1));
  const columns = customColumns(version);
  const subject = { group, kind, plural };
  const terminating = crd.metadata.deletionTimestamp !== undefined;
  const deprecation = deprecationOf(version, apiVersion, kind);
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
    ...scaleOf(version),
    schema: wholeSchema(objectAt(version, 'schema', 'openAPIV3Schema')),
    columns: columns.map(({ column }) => column),
    strategy: strategyOf({
      cells: customCells(columns),
      selectableFields: selectable,
      selectableField: fieldText,
      allowUnconditionalUpdate: false,
      tracksGeneration: true,
      prepareForCreate: () => {
        if (terminating) throw methodNotAllowed(subject, 'create');
      },
    }),
    storageBucket: `${group}/${plural}`,
    selectableFields: selectable,
    custom: true,
    ...(deprecation === undefined ? {} : { deprecationWarning: deprecation }),
    toStored: (object) => inVersion(object, storedVersion),
    fromStored: (stored) => inVersion(stored, apiVersion) as unknown as ApiObject,
  };
}

/** Conversion of strategy None: only the name of the version changes. */
function inVersion(object: JsonObject, apiVersion: string): JsonObject {
  return object['apiVersion'] === apiVersion ? object : { ...object, apiVersion };
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

function scaleOf(version: JsonDraft): { readonly scale?: ScalePaths } {
  const scale = valueAt(version, 'subresources', 'scale');
  return scale === undefined ? {} : { scale: scale as ScalePaths };
}

/** The schema of a whole object: what the author wrote, with the type's name and the metadata that all objects have. */
function wholeSchema(schema: StructuralSchema): StructuralSchema {
  const metadata = builtInSchema('v1', 'ConfigMap')?.properties?.['metadata'] ?? { type: 'object' };
  const text: StructuralSchema = { type: 'string' };
  return { ...schema, properties: { ...schema.properties, apiVersion: text, kind: text, metadata } };
}

function deprecationOf(version: JsonDraft, apiVersion: string, kind: string): string | undefined {
  if (version['deprecated'] !== true) return undefined;
  return stringAt(version, 'deprecationWarning') || `${apiVersion} ${kind} is deprecated`;
}

function stringsAt(value: unknown, field: string): readonly string[] {
  const found = valueAt(value, field);
  return Array.isArray(found) ? found.filter((item) => typeof item === 'string') : [];
}
