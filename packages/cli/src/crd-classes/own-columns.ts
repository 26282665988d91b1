import type { CustomResourceColumnDefinition, CustomResourceDefinitionVersion } from '@kubewright/api/apiextensions/v1';

/** The print columns of a version, without the Age at their end that every kind has. */
export function ownColumns(version: CustomResourceDefinitionVersion): readonly CustomResourceColumnDefinition[] {
  const columns = version.additionalPrinterColumns ?? [];
  const at = columns.findIndex(({ name }) => name === 'Age');
  const last = columns.at(-1);
  return last !== undefined && at === columns.length - 1 && isUsualAge(last) ? columns.slice(0, -1) : columns;
}

function isUsualAge(column: CustomResourceColumnDefinition): boolean {
  const { jsonPath, type, description = '', format = '', priority = 0 } = column;
  const isBare = description === '' && format === '' && priority === 0;
  return jsonPath === '.metadata.creationTimestamp' && type === 'date' && isBare;
}
