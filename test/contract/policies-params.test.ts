import type { ContractApi } from './contract-api.js';
import { contract } from './contract.js';
import { constraints, create, decided, inNamespace, validating } from './policy-steps.js';

const quiet = { quiet: true };
const no = { validations: [{ expression: 'false', message: 'no' }] };
// When the last policy with a parameter kind is deleted, the server stops the watch of this kind, unless it reads the kind for other
// reasons.
const paramKind = { apiVersion: 'v1', kind: 'ServiceAccount' };
const limited = {
  paramKind,
  validations: [
    {
      expression: 'object.data.a == params.metadata.annotations.a',
      messageExpression: "'expected ' + params.metadata.annotations.a",
    },
  ],
};
const withParams = (api: ContractApi, paramRef: object): object => ({ matchResources: inNamespace(api), paramRef });

/** Returns matchConstraints that match only the namespace of the case, for policies that deny requests regardless of their bindings. */
function onlyHere(api: ContractApi): object {
  const { matchConstraints } = constraints({}) as { readonly matchConstraints: object };
  return { matchConstraints: inNamespace(api, matchConstraints) };
}

async function param(api: ContractApi, name: string, a: string, labels: object = {}): Promise<void> {
  const path = `/api/v1/namespaces/${api.namespace}/serviceaccounts`;
  await api.post(path, { metadata: { name, labels, annotations: { a } } }, quiet);
}

contract(
  'policies-params',
  {},
  {
    'evaluates a policy with the parameters that a binding names': async (api) => {
      await param(api, 'limits', 'x');
      await validating(api, {
        spec: limited,
        bindings: [withParams(api, { name: 'limits', parameterNotFoundAction: 'Deny' })],
      });
      await create(api, { data: { a: 'y' } });
      await create(api, { data: { a: 'x' } });
    },
    'denies a request if the parameters do not exist': async (api) => {
      await validating(api, {
        spec: limited,
        bindings: [withParams(api, { name: 'missing', parameterNotFoundAction: 'Deny' })],
      });
      await create(api, { data: { a: 'y' } });
    },
    'accepts a request with missing parameters if the binding allows missing parameters': async (api) => {
      await validating(api, {
        spec: limited,
        bindings: [withParams(api, { name: 'missing', parameterNotFoundAction: 'Allow' })],
      });
      await create(api, { data: { a: 'y' } });
    },
    'accepts a request with missing parameters if the failurePolicy is Ignore': async (api) => {
      await validating(api, {
        spec: { ...limited, failurePolicy: 'Ignore' },
        bindings: [withParams(api, { name: 'missing', parameterNotFoundAction: 'Deny' })],
      });
      await create(api, { data: { a: 'y' } });
    },
    'evaluates a policy with all parameters that a selector matches': async (api) => {
      await param(api, 'one', 'x', { use: 'yes' });
      await param(api, 'two', 'y', { use: 'no' });
      await validating(api, {
        spec: limited,
        bindings: [withParams(api, { selector: { matchLabels: { use: 'yes' } }, parameterNotFoundAction: 'Deny' })],
      });
      await create(api, { data: { a: 'x' } });
      await create(api, { metadata: { name: 'b' }, data: { a: 'y' } });
    },
    'denies a request if a selector matches no parameters': async (api) => {
      await validating(api, {
        spec: limited,
        bindings: [withParams(api, { selector: { matchLabels: { use: 'no' } }, parameterNotFoundAction: 'Deny' })],
      });
      await create(api);
    },
    'evaluates a policy with parameters in another namespace': async (api) => {
      await validating(api, {
        spec: {
          paramKind,
          validations: [
            {
              expression: 'false',
              messageExpression:
                "params.metadata.namespace + '/' + params.metadata.name + ' ' + params.kind + ' ' + params.apiVersion",
            },
          ],
        },
        bindings: [
          withParams(api, {
            name: 'default',
            namespace: 'kube-system',
            parameterNotFoundAction: 'Deny',
          }),
        ],
      });
      await create(api);
    },
    'evaluates a policy with cluster-scoped parameters': async (api) => {
      const spec = {
        paramKind: { apiVersion: 'v1', kind: 'Namespace' },
        validations: [{ expression: 'false', messageExpression: 'string(params.status.phase)' }],
      };
      await validating(api, {
        spec,
        bindings: [withParams(api, { name: api.namespace, parameterNotFoundAction: 'Deny' })],
      });
      await create(api);
    },
    'denies a request if the binding sets a namespace for cluster-scoped parameters': async (api) => {
      const spec = { paramKind: { apiVersion: 'v1', kind: 'Namespace' }, ...no };
      await validating(api, {
        spec,
        bindings: [withParams(api, { name: 'a', namespace: 'b', parameterNotFoundAction: 'Allow' })],
      });
      await create(api);
    },
    'denies a request for a cluster-scoped object if the parameters are namespaced': async (api) => {
      const name = api.name('class');
      const rule = { apiGroups: ['scheduling.k8s.io'], resources: ['priorityclasses'], resourceNames: [name] };
      await validating(api, {
        spec: { ...constraints(rule), ...limited },
        bindings: [withParams(api, { name: 'a', parameterNotFoundAction: 'Allow' })],
      });
      await api.post('/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name }, value: 1 }, decided);
    },
    'evaluates params as null if the binding has no paramRef': async (api) => {
      await validating(api, {
        spec: {
          paramKind,
          validations: [
            { expression: 'params != null', messageExpression: "'params: ' + (params == null ? 'null' : 'set')" },
          ],
        },
      });
      await create(api);
    },
    'ignores the parameters of a binding if the policy has no paramKind': async (api) => {
      await validating(api, {
        spec: { validations: [{ expression: "object.data.a == 'x'", message: 'm' }] },
        bindings: [withParams(api, { name: 'missing', parameterNotFoundAction: 'Deny' })],
      });
      await create(api, { data: { a: 'y' } });
    },
    'denies a request if the paramKind is not served': async (api) => {
      await validating(api, {
        spec: { ...limited, paramKind: { apiVersion: `${api.group}/v1`, kind: 'Limit' }, ...onlyHere(api) },
        bindings: [withParams(api, { name: 'a', parameterNotFoundAction: 'Allow' })],
      });
      await create(api);
    },
    'denies a request if a core paramKind is not served': async (api) => {
      await validating(api, { spec: { ...limited, paramKind: { apiVersion: 'v1', kind: 'Limit' }, ...onlyHere(api) } });
      await create(api);
    },
    'accepts a request if the paramKind is not served and the failurePolicy is Ignore': async (api) => {
      await validating(api, {
        spec: {
          ...limited,
          failurePolicy: 'Ignore',
          paramKind: { apiVersion: `${api.group}/v1`, kind: 'Limit' },
          ...onlyHere(api),
        },
      });
      await create(api);
    },
    'provides parameters to match conditions, variables and messages': async (api) => {
      await param(api, 'limits', 'x');
      await validating(api, {
        spec: {
          paramKind,
          matchConditions: [{ name: 'a', expression: '!has(params.metadata.annotations.off)' }],
          variables: [{ name: 'limit', expression: 'params.metadata.annotations.a' }],
          validations: [
            {
              expression: 'object.data.a == variables.limit',
              messageExpression: "'limit ' + variables.limit + params.metadata.annotations.a",
            },
          ],
        },
        bindings: [withParams(api, { name: 'limits', parameterNotFoundAction: 'Deny' })],
      });
      await create(api, { data: { a: 'y' } });
    },
  },
);
