import type { CustomResourceColumnDefinition, CustomResourceDefinitionVersion } from '@kubewright/api/apiextensions/v1';

/** The print columns of a version, divided into columns that need `@PrintColumn` and other columns. */
export interface OwnColumns {
  /** The columns that need `@PrintColumn`: all except repeated columns and the default Age column at the end. */
  readonly columns: readonly CustomResourceColumnDefinition[];
  /** Whether the kind has an Age column: either the default column or one of `columns`. */
  readonly hasAge: boolean;
  /** Columns with the same name and path as an earlier column. Decorators cannot express these columns. */
  readonly repeated: readonly CustomResourceColumnDefinition[];
}

/** Divides the print columns of a version by whether they need `@PrintColumn`. */
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
