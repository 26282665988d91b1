import { append } from '@kubewright/api/json';
import { dns1123SubdomainErrors, pathSegmentErrors } from '@kubewright/api/names';
import { deepEqual } from '@kubewright/api/patch';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import { age } from '../../objects/age.js';
import type { ApiObject, JsonObject } from '../../objects/api-object.js';
import { madeAt, objectAt, objectsAt, stringAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';

const group = 'rbac.authorization.k8s.io';

/** The strategy for RoleBindings. The role reference is immutable; the subjects can change. */
export const roleBindingStrategy: Partial<Strategy> = bindingStrategy({ kinds: ['Role', 'ClusterRole'] });

/** The strategy for ClusterRoleBindings. */
export const clusterRoleBindingStrategy: Partial<Strategy> = bindingStrategy({ kinds: ['ClusterRole'] });

function bindingStrategy({ kinds }: { readonly kinds: readonly string[] }): Partial<Strategy> {
  const validate = (binding: ApiObject): readonly FieldError[] => [
    ...roleErrors(binding, kinds),
    ...subjectsErrors(binding, kinds),
  ];
  return {
    allowCreateOnUpdate: true,
    ownRules: true,
    metadataRules: { validatesAgain: true },
    nameErrors: (name) => pathSegmentErrors(name),
    defaults: (draft) => {
      madeAt(draft, 'roleRef')['apiGroup'] ||= group;
      for (const subject of objectsAt(draft, 'subjects')) {
        if (subject['kind'] === 'User' || subject['kind'] === 'Group') subject['apiGroup'] ||= group;
      }
    },
    validate,
    validateUpdate: (next, old) => {
      const role = objectAt(next, 'roleRef');
      if (deepEqual(role, objectAt(old, 'roleRef'))) return validate(next);
      return [...validate(next), fieldErrors.invalid('roleRef', shownRole(role), 'cannot change roleRef')];
    },
    cells,
  };
}

function roleErrors(binding: ApiObject, kinds: readonly string[]): readonly FieldError[] {
  const { apiGroup = '', kind = '', name } = objectAt(binding, 'roleRef');
  const errors: FieldError[] = [];
  if (apiGroup !== group) errors.push(fieldErrors.notSupported('roleRef.apiGroup', apiGroup, [group]));
  if (!kinds.includes(String(kind))) errors.push(fieldErrors.notSupported('roleRef.kind', kind, kinds));
  if (typeof name !== 'string' || name === '') errors.push(fieldErrors.required('roleRef.name'));
  else
    append(
      errors,
      pathSegmentErrors(name).map((why) => fieldErrors.invalid('roleRef.name', name, why)),
    );
  return errors;
}

function subjectsErrors(binding: ApiObject, kinds: readonly string[]): readonly FieldError[] {
  const namespaced = kinds.includes('Role');
  return errorsOfEach(objectsAt(binding, 'subjects'), (subject, index) =>
    subjectErrors(subject, `subjects[${index}]`, namespaced),
  );
}

function subjectErrors(subject: JsonObject, path: string, namespaced: boolean): readonly FieldError[] {
  const name = stringAt(subject, 'name');
  const apiGroup = stringAt(subject, 'apiGroup');
  const errors: FieldError[] = [];
  if (name === '') errors.push(fieldErrors.required(`${path}.name`));
  switch (subject['kind']) {
    case 'ServiceAccount':
      if (name !== '')
        append(
          errors,
          dns1123SubdomainErrors(name).map((why) => fieldErrors.invalid(`${path}.name`, name, why)),
        );
      if (apiGroup !== '') errors.push(fieldErrors.notSupported(`${path}.apiGroup`, apiGroup, ['']));
      if (!namespaced && stringAt(subject, 'namespace') === '') {
        errors.push(fieldErrors.required(`${path}.namespace`));
      }
      break;
    case 'User':
    case 'Group':
      if (apiGroup !== group) errors.push(fieldErrors.notSupported(`${path}.apiGroup`, apiGroup, [group]));
      break;
    default:
      errors.push(
        fieldErrors.notSupported(`${path}.kind`, stringAt(subject, 'kind'), ['ServiceAccount', 'User', 'Group']),
      );
  }
  return errors;
}

/** Returns the role reference with the internal field names of kube-apiserver. */
function shownRole(role: JsonObject): object {
  return { APIGroup: stringAt(role, 'apiGroup'), Kind: stringAt(role, 'kind'), Name: stringAt(role, 'name') };
}

function cells(binding: ApiObject, now: Date): readonly unknown[] {
  const subjects = objectsAt(binding, 'subjects');
  const names = (kind: string): string =>
    subjects
      .filter((subject) => subject['kind'] === kind)
      .map(
        (subject) =>
          (kind === 'ServiceAccount' ? `${stringAt(subject, 'namespace')}/` : '') + stringAt(subject, 'name'),
      )
      .join(', ');
  return [
    binding.metadata.name,
    `${stringAt(binding, 'roleRef', 'kind')}/${stringAt(binding, 'roleRef', 'name')}`,
    age(binding.metadata.creationTimestamp, now),
    names('User'),
    names('Group'),
    names('ServiceAccount'),
  ];
}
