import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';

/** The print column Age, which every kind has by default. */
export const ageColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

/** Returns a definition of the kind Widget with one version. `names` and `version` override fields of `spec.names` and of the version. */
export function widgetDefinition(schema: object, names: object = {}, version: object = {}): CustomResourceDefinition {
  return {
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets', singular: 'widget', ...names },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', ...schema } },
          additionalPrinterColumns: [ageColumn],
          ...version,
        },
      ],
    },
  } as unknown as CustomResourceDefinition;
}

/** Returns the definition of a Widget whose spec has the given schema. */
export function widgetWithSpec(spec: object): CustomResourceDefinition {
  return widgetDefinition({ required: ['spec'], properties: { spec } });
}
