import { KubewrightError } from '../errors/kubewright-error.js';
import type { CustomResourceDefinitionVersion } from '../generated/apiextensions/v1.js';
import { kindOf } from '../kinds/kind-of.js';
import type { Descriptions } from '../fields/descriptions.js';
import { describedSchemaOf, objectSchemaOf } from '../kinds/schema-of.js';
import type { ClassMetadata, PrintColumnRecord, ScaleRecord } from '../metadata/class-metadata.js';
import type { KindInfo } from '../metadata/kind-info.js';
import type { KindOptions } from '../metadata/kind-options.js';
import { kindSourceOf } from '../metadata/kind-source.js';
import { metadataOf } from '../metadata/reflection.js';
import type { KindRef } from '../objects/kube-object.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { crdSchema } from './crd-schema.js';
import { fieldAt, printerColumns } from './printer-columns.js';

/** One declared version of a custom kind. */
export interface DeclaredVersion {
  readonly info: KindInfo;
  readonly options: KindOptions;
  readonly metadata: ClassMetadata;
  readonly schema: StructuralSchema;
}

/**
 * Returns the declaration of a custom kind.
 * @throws KubewrightError INVALID_KIND for built-in and dynamic kinds, for which Kubewright does not generate a CustomResourceDefinition
 */
export function declaredVersion(ref: KindRef, descriptions?: Descriptions): DeclaredVersion {
  const info = kindOf(ref);
  const metadata = metadataOf(ref);
  const options = kindSourceOf(ref)?.options ?? metadata.kind?.options;
  const schema = descriptions === undefined ? objectSchemaOf(ref) : describedSchemaOf(ref, descriptions);
  if (options === undefined || schema === undefined) {
    const why = info.builtIn
      ? 'the kind is part of Kubernetes'
      : 'the schema of the kind is unknown; declare the kind with @Kind or defineKind(…)';
    throw new KubewrightError('INVALID_KIND', `cannot generate a CustomResourceDefinition of ${info.kind}: ${why}`);
  }
  return { info, options, metadata, schema };
}

/**
 * Returns one version of a CustomResourceDefinition.
 * @throws KubewrightError INVALID_KIND if the path of a selectable field or of the scale subresource does not refer to a field of a
 * supported type, if there are more than 8 selectable fields, if two print columns have the same name and path, or if a schema contains
 * itself
 */
export function crdVersion(declared: DeclaredVersion, storage: boolean): CustomResourceDefinitionVersion {
  const { info, options, metadata, schema } = declared;
  checkPaths(declared);
  const { deprecated = false, served = true } = options;
  const { scale, selectableFields } = metadata;
  return {
    name: info.version,
    served,
    storage,
    ...(deprecated === false ? {} : { deprecated: true }),
    ...(typeof deprecated === 'string' ? { deprecationWarning: deprecated } : {}),
    schema: { openAPIV3Schema: crdSchema(schema, info.kind) },
    ...subresources(info, scale),
    ...columns(declared),
    ...(selectableFields.length === 0 ? {} : { selectableFields: selectableFields.map((jsonPath) => ({ jsonPath })) }),
  };
}

function columns({ options, metadata, schema }: DeclaredVersion): object {
  const additionalPrinterColumns = printerColumns(metadata.printColumns, schema, options);
  return additionalPrinterColumns.length === 0 ? {} : { additionalPrinterColumns };
}

function subresources({ hasStatus }: KindInfo, scale: ScaleRecord | undefined): object {
  if (!hasStatus && scale === undefined) return {};
  const paths = scale && {
    specReplicasPath: scale.specReplicas,
    statusReplicasPath: scale.statusReplicas,
    ...(scale.labelSelector === undefined ? {} : { labelSelectorPath: scale.labelSelector }),
  };
  return { subresources: { ...(hasStatus ? { status: {} } : {}), ...(paths === undefined ? {} : { scale: paths }) } };
}

function checkPaths({ info, metadata, schema }: DeclaredVersion): void {
  const fail = (problem: string): never => {
    throw new KubewrightError(
      'INVALID_KIND',
      `cannot generate the CustomResourceDefinition of ${info.kind}: ${problem}`,
    );
  };
  const { scale, selectableFields, printColumns } = metadata;
  for (const path of selectableFields) {
    const type = fieldAt(path, schema)?.type;
    if (type === undefined || !['string', 'integer', 'boolean'].includes(type)) {
      fail(`@SelectableField('${path}') is not the path of a string, integer or boolean field`);
    }
  }
  if (selectableFields.length > 8)
    fail(
      `it has ${selectableFields.length} selectable fields, but the API server allows at most 8; remove the additional fields`,
    );
  for (const path of scale === undefined ? [] : [scale.specReplicas, scale.statusReplicas]) {
    if (fieldAt(path, schema)?.type !== 'integer') fail(`@Scale names '${path}', which is not an integer field`);
  }
  if (scale?.labelSelector !== undefined && fieldAt(scale.labelSelector, schema)?.type !== 'string') {
    fail(`@Scale names '${scale.labelSelector}', which is not a string field`);
  }
  const twice = printColumns.find((column, at) =>
    printColumns.slice(0, at).some((other) => isSameColumn(column, other)),
  );
  if (twice !== undefined) {
    fail(`two print columns have the name '${twice.name}' and the path '${twice.jsonPath}'; remove one`);
  }
}

/**
 * Whether two columns have the same name and path. Columns with the same name and different paths are allowed, such as a condition and a
 * related count.
 */
function isSameColumn(column: PrintColumnRecord, other: PrintColumnRecord): boolean {
  return column.name === other.name && column.jsonPath === other.jsonPath;
}
