import { append } from '@kubewright/api/json';
import { dns1123LabelErrors } from '@kubewright/api/names';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import { age } from '../../objects/age.js';
import type { ApiObject, JsonDraft } from '../../objects/api-object.js';
import { isObject, madeAt, objectAt, stringAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { defaultIngressClassAnnotation } from './default-ingress-class-annotation.js';
import { domainPrefixedPathErrors } from '../rules/domain-prefixed-path.js';
import { fill, unchanged } from '../rules/field-checks.js';
import { resourceErrors } from './ingress.js';

const longestController = 250;

/** The strategy for IngressClasses. The controller is immutable. */
export const ingressClassStrategy: Partial<Strategy> = {
  ownRules: true,
  metadataRules: { validatesAgain: true },
  tracksGeneration: true,
  defaults: (draft) => {
    const spec = madeAt(draft, 'spec');
    if (isObject(spec['parameters'])) fill(spec['parameters'], { scope: 'Cluster' });
  },
  validate: classErrors,
  validateUpdate: (next, old) => [...unchanged(next, old, 'spec.controller'), ...classErrors(next)],
  cells: (ingressClass, now) => [
    ingressClass.metadata.name + (isDefault(ingressClass) ? ' (default)' : ''),
    stringAt(ingressClass, 'spec', 'controller'),
    parametersText(ingressClass),
    age(ingressClass.metadata.creationTimestamp, now),
  ],
};

function isDefault({ metadata }: ApiObject): boolean {
  return metadata.annotations?.[defaultIngressClassAnnotation] === 'true';
}

function classErrors(ingressClass: ApiObject): readonly FieldError[] {
  const spec = objectAt(ingressClass, 'spec');
  const controller = stringAt(spec, 'controller');
  const errors: FieldError[] = [];
  if (controller.length > longestController) errors.push(fieldErrors.tooLong('spec.controller', longestController));
  append(errors, domainPrefixedPathErrors(controller, 'spec.controller'));
  if (isObject(spec['parameters'])) append(errors, parameterErrors(spec['parameters'], 'spec.parameters'));
  return errors;
}

function parameterErrors(parameters: JsonDraft, path: string): readonly FieldError[] {
  const errors = [...resourceErrors(parameters, path)];
  const scope = stringAt(parameters, 'scope');
  const namespace = parameters['namespace'];
  if (scope !== 'Cluster' && scope !== 'Namespace') {
    errors.push(fieldErrors.notSupported(`${path}.scope`, scope, ['Cluster', 'Namespace']));
  } else if (scope === 'Cluster' && namespace !== undefined) {
    errors.push(fieldErrors.forbidden(`${path}.namespace`, "`parameters.scope` is set to 'Cluster'"));
  } else if (scope === 'Namespace' && namespace === undefined) {
    errors.push(fieldErrors.required(`${path}.namespace`, "`parameters.scope` is set to 'Namespace'"));
  } else if (scope === 'Namespace') {
    const whys = dns1123LabelErrors(String(namespace));
    append(
      errors,
      whys.map((why) => fieldErrors.invalid(`${path}.namespace`, namespace, why)),
    );
  }
  return errors;
}

function parametersText(ingressClass: ApiObject): string {
  const { kind, apiGroup, name } = objectAt(ingressClass, 'spec', 'parameters');
  if (kind === undefined) return '<none>';
  return `${String(kind)}${apiGroup === undefined ? '' : `.${String(apiGroup)}`}/${String(name)}`;
}
