import type { CustomResourceColumnDefinition, CustomResourceDefinitionVersion } from '@kubewright/api/apiextensions/v1';

/** The print columns of a version that need a decorator. */
export interface OwnColumns {
  /** The columns without the default Age column at the end. */
  readonly columns: readonly CustomResourceColumnDefinition[];
  /** Whether the kind has an Age column: either the default column or one of `columns`. */
  readonly hasAge: boolean;
  /** Columns with the name and the path of an earlier column. A decorated kind cannot have them. */
  readonly repeated: readonly CustomResourceColumnDefinition[];
}

/** Splits the print columns of a version. */
export function ownColumns(version: CustomResourceDefinitionVersion): OwnColumns {
  const all = version.additionalPrinterColumns ?? [];
  const isRepeated = ({ name, jsonPath }: CustomResourceColumnDefinition, at: number): boolean =>
    all.slice(0, at).some((other) => other.name === name && other.jsonPath === jsonPath);
  const repeated = all.filter(isRepeated);
  const kept = all.filter((column, at) => !isRepeated(column, at));
  const at = kept.findIndex(({ name }) => name === 'Age');
  const last = kept.at(-1);
  const isDefault = last !== undefined && at === kept.length - 1 && isUsualAge(last);
  return { columns: isDefault ? kept.slice(0, -1) : kept, hasAge: at !== -1, repeated };
}

function isUsualAge(column: CustomResourceColumnDefinition): boolean {
  const { jsonPath, type, description = '', format = '', priority = 0 } = column;
  const isBare = description === '' && format === '' && priority === 0;
  return jsonPath === '.metadata.creationTimestamp' && type === 'date' && isBare;
}
