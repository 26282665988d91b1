import type { AdmissionCheck } from '../registry/admission/admission-check.js';
import { madeAt } from '../registry/objects/json-object.js';
import { defaultIngressClassAnnotation } from '../registry/strategies/networking/default-ingress-class-annotation.js';

const classAnnotation = 'kubernetes.io/ingress.class';

/**
 * Sets the default IngressClass on a new Ingress that does not specify a class. If several IngressClasses are marked as default, uses the
 * newest. Among IngressClasses with the same creation time, uses the first by name.
 */
export const defaultIngressClass: AdmissionCheck = ({ operation, definition, object, registry }) => {
  if (operation !== 'CREATE' || definition.storageBucket !== 'networking.k8s.io/ingresses' || !object) return;
  const spec = madeAt(object, 'spec');
  if (spec['ingressClassName'] !== undefined || object.metadata.annotations?.[classAnnotation] !== undefined) return;
  const classes = registry
    .builtIn('networking.k8s.io/v1/ingressclasses')
    .list()
    .items.filter(({ metadata }) => metadata.annotations?.[defaultIngressClassAnnotation] === 'true');
  const [newest] = classes.toSorted(
    ({ metadata: a }, { metadata: b }) =>
      b.creationTimestamp.localeCompare(a.creationTimestamp) || a.name.localeCompare(b.name),
  );
  if (newest !== undefined) spec['ingressClassName'] = newest.metadata.name;
};
