import type { CustomResourceDefinitionVersion } from '../generated/apiextensions/v1.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { sameJson } from '../schema/json-shape.js';
import { compareSchemas } from './compare-schemas.js';
import { compareSubresources } from './compare-subresources.js';
import type { LocalFinding } from './compatibility-finding.js';

type Version = CustomResourceDefinitionVersion;

/** Returns the changes of one version of a definition. */
export function compareVersions(before: Version, after: Version): readonly LocalFinding[] {
  return [
    ...compareServed(before, after),
    ...compareDeprecation(before, after),
    ...compareSubresources(before, after),
    ...compareSelectable(before, after),
    ...compareColumns(before, after),
    ...compareSchemas({ path: '', before: schemaOf(before), after: schemaOf(after), around: [], root: true }),
  ];
}

/** Returns the schema of the objects of a version, with metadata. If the version does not have a schema, its objects can have any field. */
export function schemaOf({ schema }: Version): StructuralSchema {
  const given = (schema?.openAPIV3Schema ?? {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
  }) as StructuralSchema;
  const required = (given.required ?? []).filter((name) => !['apiVersion', 'kind', 'metadata'].includes(name));
  const metadata = given.properties?.['metadata'];
  const names = { name: { type: 'string' }, generateName: { type: 'string' }, ...metadata?.properties };
  const properties = { ...given.properties, metadata: { ...metadata, type: 'object', properties: names } };
  return { ...given, properties, required };
}

function compareServed(before: Version, after: Version): readonly LocalFinding[] {
  if (before.served === after.served) return [];
  if (after.served) {
    return [{ path: 'served', change: 'false → true', class: 'safe', reason: 'no client uses the version yet' }];
  }
  const reason = 'every request for this version fails with 404 Not Found';
  const remedy = 'mark the version as deprecated, and serve it until no client requests it';
  return [{ path: 'served', change: 'true → false', class: 'breaking', reason, remedy }];
}

function compareDeprecation(before: Version, after: Version): readonly LocalFinding[] {
  const deprecationOf = ({ deprecated, deprecationWarning }: Version): string =>
    deprecated === true ? (deprecationWarning ?? 'yes') : 'no';
  if (deprecationOf(before) === deprecationOf(after)) return [];
  const change = `${deprecationOf(before)} → ${deprecationOf(after)}`;
  return [{ path: 'deprecated', change, class: 'safe', reason: 'requests stay valid; clients may get a warning' }];
}

function compareSelectable(before: Version, after: Version): readonly LocalFinding[] {
  const paths = ({ selectableFields = [] }: Version): readonly string[] =>
    selectableFields.map(({ jsonPath }) => jsonPath);
  const removed = paths(before).filter((path) => !paths(after).includes(path));
  const added = paths(after).filter((path) => !paths(before).includes(path));
  const reason = 'lists and watches with a field selector on the field are rejected';
  return [
    ...removed.map(
      (path): LocalFinding => ({
        path,
        change: 'field is no longer selectable',
        class: 'breaking',
        reason,
        remedy: 'keep the field selectable',
      }),
    ),
    ...added.map(
      (path): LocalFinding => ({
        path,
        change: 'field becomes selectable',
        class: 'safe',
        reason: 'no client uses the field in a field selector yet',
      }),
    ),
  ];
}

function compareColumns(before: Version, after: Version): readonly LocalFinding[] {
  if (sameJson(before.additionalPrinterColumns ?? [], after.additionalPrinterColumns ?? [])) return [];
  const path = 'additionalPrinterColumns';
  return [{ path, change: 'columns', class: 'safe', reason: 'columns affect only kubectl output' }];
}
