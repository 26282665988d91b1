import { as, userWith } from './acting.js';
import { contract } from './contract.js';
import { configMaps, constraints, create, decided, validating } from './policy-steps.js';

const quiet = { quiet: true };
const denied = (...validations: readonly object[]): object => ({ validations });
const condition = (expression: string, name = 'a'): object => ({ name, expression });
/** Returns a validation that fails, and whose message is the text of an expression. */
const shows = (messageExpression: string): object => denied({ expression: 'false', messageExpression });
const everything = { operations: ['*'] };

contract(
  'policies-validating',
  {},
  {
    'denies a request with the expression in the message if the validation has no message': async (api) => {
      await validating(api, denied({ expression: " object.data.a == 'b' " }));
      await create(api, { data: { a: 'b' } });
      await create(api, { metadata: { name: 'b' }, data: { a: 'c' } });
      await create(api, { metadata: { generateName: 'g-' }, data: { a: 'c' } }, { only: ['reason', 'code'] });
    },
    'denies a request with the message of the validation': async (api) => {
      await validating(api, denied({ expression: 'false', message: ' not allowed ' }));
      await create(api);
    },
    'denies a request with the result of the message expression': async (api) => {
      await validating(
        api,
        denied({ expression: 'false', messageExpression: "' is ' + object.data.a + ' '", message: 'm' }),
      );
      await create(api, { data: { a: 'x' } });
      await create(api, { data: { a: 'two\nlines' } });
      await create(api, { data: { a: 'x'.repeat(5120) } });
      await create(api, { data: { b: '' } });
    },
    'falls back to the expression if the message expression fails': async (api) => {
      await validating(api, denied({ expression: 'false', messageExpression: 'string(object.data.a)' }));
      await create(api, { data: { a: ' ' } });
      await create(api);
    },
    'returns the status code that belongs to the reason of the validation': async (api) => {
      await validating(
        api,
        denied(
          { expression: "object.data.a != '1'", reason: 'Forbidden' },
          { expression: "object.data.a != '2'", reason: 'Invalid' },
          { expression: "object.data.a != '3'", reason: 'RequestEntityTooLarge' },
          { expression: "object.data.a != '4'" },
        ),
      );
      for (const a of ['1', '2', '3', '4']) await create(api, { data: { a } });
    },
    'reports the first failed validation': async (api) => {
      await validating(api, denied({ expression: 'true' }, { expression: '1 == 2' }, { expression: '2 == 3' }));
      await create(api);
    },
    'compares the new object with the old object': async (api) => {
      await validating(
        api,
        denied({ expression: 'oldObject == null || object.data.a == oldObject.data.a', message: 'a is fixed' }),
      );
      const path = `${configMaps(api)}/a`;
      await create(api, { data: { a: '1' } });
      await api.patch(path, { data: { b: '1' } }, decided);
      await api.patch(path, { data: { a: '2' } }, decided);
      await api.put(path, { metadata: { name: 'a' }, data: { a: '2' } }, decided);
    },
    'evaluates a policy for a deletion': async (api) => {
      await validating(api, {
        ...constraints({ operations: ['DELETE'] }),
        validations: [{ expression: "object == null && oldObject.data.a != 'keep'" }],
      });
      for (const [name, a] of [
        ['a', 'keep'],
        ['b', 'drop'],
      ] as const) {
        await api.post(configMaps(api), { metadata: { name }, data: { a } }, quiet);
        await api.delete(`${configMaps(api)}/${name}`, undefined, {
          only: ['message', 'reason', 'status', 'details.causes'],
        });
      }
    },
    'evaluates a policy for each object of a deleted collection': async (api) => {
      await validating(api, {
        ...constraints({ operations: ['DELETE'] }),
        validations: [
          {
            expression: 'false',
            messageExpression: "'name: ' + (has(request.name) ? request.name : 'none') + ' ' + oldObject.metadata.name",
          },
        ],
      });
      await api.post(configMaps(api), { metadata: { name: 'z', labels: { app: 'z' } } }, quiet);
      await api.delete(`${configMaps(api)}?labelSelector=app=z`, undefined, decided);
    },
    'returns a warning for each violation with the action Warn': async (api) => {
      await validating(api, {
        spec: denied({ expression: 'false', message: 'first' }, { expression: 'false', message: 'zwei ü' }),
        bindings: [{ validationActions: ['Warn'] }],
      });
      await create(api);
    },
    'accepts violations of a binding with the action Audit': async (api) => {
      await validating(api, { spec: denied({ expression: 'false' }), bindings: [{ validationActions: ['Audit'] }] });
      await create(api);
    },
    'returns a warning for a violation with the actions Audit and Warn': async (api) => {
      await validating(api, {
        spec: denied({ expression: 'false' }),
        bindings: [{ validationActions: ['Audit', 'Warn'] }],
      });
      await create(api);
    },
    'denies a violation with the actions Audit and Deny': async (api) => {
      await validating(api, {
        spec: denied({ expression: 'false' }),
        bindings: [{ validationActions: ['Audit', 'Deny'] }],
      });
      await create(api);
    },
    'denies a request if an evaluation fails': async (api) => {
      await validating(api, denied({ expression: "object.data.a == 'b'", message: 'm', reason: 'Forbidden' }));
      await create(api);
      await create(api, { data: { c: 'd' } });
    },
    'ignores an expression that fails if the failurePolicy is Ignore': async (api) => {
      await validating(api, { failurePolicy: 'Ignore', validations: [{ expression: "object.data.a == 'b'" }] });
      await create(api);
      await create(api, { metadata: { name: 'b' }, data: { a: 'c' } });
    },
    'reports an expression that fails as a warning with the action Warn': async (api) => {
      await validating(api, {
        spec: denied({ expression: 'object.data.a == 1' }),
        bindings: [{ validationActions: ['Warn'] }],
      });
      await create(api);
    },
    'reports an expression that fails to convert a string to an integer': async (api) => {
      await validating(api, denied({ expression: 'int(object.data.a) > 1' }));
      await create(api, { data: { a: 'b' } });
      await create(api, { data: { a: '1' } });
    },
    'reports an expression that reads a missing list item': async (api) => {
      await validating(api, denied({ expression: "object.metadata.finalizers[1] == 'a'" }));
      await create(api, { metadata: { name: 'a', finalizers: ['example.com/a'] } });
    },
    'reports an expression that calls a function of another type': async (api) => {
      await validating(api, denied({ expression: "object.data.startsWith('a')" }));
      await create(api, { data: { a: 'b' } });
    },
    'reports an expression that compares values of different types': async (api) => {
      await validating(api, denied({ expression: 'object.data.a > 1' }));
      await create(api, { data: { a: 'b' } });
    },
    'skips a policy whose match conditions are false': async (api) => {
      await validating(api, {
        matchConditions: [condition("object.metadata.name == 'a'"), condition('true', 'b')],
        ...denied({ expression: 'false' }),
      });
      await create(api);
      await create(api, { metadata: { name: 'b' } });
    },
    'denies a request if a match condition fails': async (api) => {
      await validating(api, {
        matchConditions: [condition("object.data.a == 'b'"), condition("object.data.c == 'd'", 'b')],
        ...denied({ expression: 'false' }),
      });
      await create(api);
      await create(api, { metadata: { name: 'b' }, data: { a: 'c' } });
    },
    'skips a policy with the failurePolicy Ignore if a match condition fails': async (api) => {
      await validating(api, {
        failurePolicy: 'Ignore',
        matchConditions: [condition("object.data.a == 'b'")],
        ...denied({ expression: 'false' }),
      });
      await create(api);
    },
    'evaluates namespaceObject as null in match conditions': async (api) => {
      await validating(api, {
        matchConditions: [condition('namespaceObject == null')],
        ...denied({ expression: 'namespaceObject == null' }),
      });
      await create(api);
    },
    'evaluates only the variables that an expression reads': async (api) => {
      await validating(api, {
        variables: [
          { name: 'labels', expression: 'object.metadata.?labels.orValue({})' },
          { name: 'count', expression: 'variables.labels.size()' },
          { name: 'unused', expression: 'object.missing.field' },
        ],
        validations: [{ expression: 'variables.count > 0', messageExpression: "'labels: ' + string(variables.count)" }],
      });
      await create(api);
      await create(api, { metadata: { name: 'b', labels: { a: 'b' } } });
    },
    'reports a variable that fails': async (api) => {
      await validating(api, {
        variables: [
          { name: 'a', expression: 'object.data.a' },
          { name: 'b', expression: 'variables.a + 1' },
        ],
        ...denied({ expression: 'variables.b == 2' }),
      });
      await create(api);
      await create(api, { data: { a: 'x' } });
    },
    'compares nested objects by their content': async (api) => {
      await validating(
        api,
        denied({
          expression: "object.data == {'a': 'b', 'c': 'd'} && object.metadata.finalizers == ['example.com/a']",
        }),
      );
      await create(api, { metadata: { name: 'b', finalizers: ['example.com/a'] }, data: { c: 'd', a: 'e' } });
      await create(api, { metadata: { name: 'c', finalizers: [] }, data: { c: 'd', a: 'b' } });
    },
    'provides the fields of a create request to expressions': async (api) => {
      await validating(
        api,
        shows(
          "request.operation + ' ' + request.name + ' ' + request.namespace + ' ' + request.kind.kind + ' ' + request.resource.version + request.resource.resource + ' ' + string(request.dryRun) + ' ' + request.userInfo.username",
        ),
      );
      await create(api);
      await api.post(`${configMaps(api)}?dryRun=All`, { metadata: { name: 'a' } }, decided);
      await create(api, { metadata: { generateName: 'g-' } }, { only: ['reason'] });
    },
    'has() returns whether a field of a request is set': async (api) => {
      const fields = ['subResource', 'requestSubResource', 'name', 'namespace', 'dryRun', 'options'];
      await validating(api, shows(fields.map((field) => `(has(request.${field}) ? '${field} ' : '')`).join(' + ')));
      await create(api);
    },
    'provides the options of a request to expressions': async (api) => {
      await validating(api, {
        ...constraints(everything),
        ...shows(
          "request.operation + ' ' + request.options.kind + ' ' + request.options.?fieldManager.orValue('none') + ' ' + request.options.?fieldValidation.orValue('none')",
        ),
        matchConditions: [condition("request.userInfo.username == 'test'")],
      });
      const user = as('test', { group: 'system:masters', ...decided });
      await api.post(`${configMaps(api)}?fieldManager=me`, { metadata: { name: 'a' } }, user);
      await api.post(`${configMaps(api)}?fieldValidation=Strict`, { metadata: { name: 'a' } }, user);
      await api.post(configMaps(api), { metadata: { name: 'a' } }, quiet);
      await api.patch(`${configMaps(api)}/a`, { data: { a: 'b' } }, user);
      await api.delete(`${configMaps(api)}/a`, undefined, user);
    },
    'provides the user of a request to expressions': async (api) => {
      await validating(
        api,
        shows(
          "request.userInfo.username + ' ' + request.userInfo.groups.join(',') + ' ' + string(has(request.userInfo.extra)) + string(has(request.userInfo.uid))",
        ),
      );
      await create(api, {}, as('jane', { group: 'system:masters' }));
    },
    'provides the object with its uid and creation time to expressions': async (api) => {
      const fields = [
        'uid',
        'creationTimestamp',
        'managedFields',
        'resourceVersion',
        'labels',
        'generateName',
        'namespace',
        'generation',
      ];
      await validating(
        api,
        shows(
          `object.apiVersion + object.kind + ' ' + ${fields.map((field) => `(has(object.metadata.${field}) ? '${field} ' : '')`).join(' + ')}`,
        ),
      );
      await create(api);
      await create(api, { metadata: { name: 'b', labels: { a: 'b' } } });
    },
    'provides the namespace of an object to expressions': async (api) => {
      await validating(
        api,
        shows(
          "namespaceObject.metadata.labels['kubernetes.io/metadata.name'] + ' ' + namespaceObject.status.phase + ' ' + namespaceObject.spec.finalizers[0] + ' ' + string(has(namespaceObject.metadata.generation))",
        ),
      );
      await create(api);
    },
    'evaluates authorizer checks with the user of the request': async (api) => {
      const user = await userWith(api, { verbs: ['create'], apiGroups: [''], resources: ['configmaps'] });
      await validating(
        api,
        denied({
          expression: "authorizer.group('').resource('secrets').namespace(request.namespace).check('get').allowed()",
          messageExpression: "request.userInfo.username + ' cannot read secrets'",
        }),
      );
      await create(api, {}, as(user));
      await create(api, { metadata: { name: 'b' } });
    },
    'evaluates authorizer checks of the requested resource': async (api) => {
      const user = await userWith(api, {
        verbs: ['create', 'approve'],
        apiGroups: [''],
        resources: ['configmaps'],
        resourceNames: [],
      });
      await validating(
        api,
        denied({
          expression:
            "authorizer.requestResource.check('approve').allowed() && !authorizer.requestResource.check('other').allowed()",
        }),
      );
      await create(api, {}, as(user));
      await create(api, { metadata: { name: 'b' } });
    },
    'evaluates authorizer checks of paths and service accounts': async (api) => {
      await validating(
        api,
        denied(
          { expression: "authorizer.path('/healthz').check('get').allowed()" },
          {
            expression:
              "!authorizer.serviceAccount(request.namespace, 'default').group('').resource('secrets').check('list').allowed()",
          },
          {
            expression:
              "authorizer.serviceAccount(request.namespace, 'default').group('').resource('secrets').check('list').reason() == ''",
          },
          {
            expression:
              "!authorizer.group('').resource('pods').check('x').errored() && authorizer.group('').resource('pods').check('x').error() == ''",
          },
          { expression: "authorizer.serviceAccount('a b', 'default').path('/').check('get').allowed()" },
        ),
      );
      await create(api);
    },
    'permits two authorizer checks in an expression, and stops an expression with three': async (api) => {
      const check = "authorizer.path('/healthz').check('get').allowed()";
      await validating(
        api,
        denied({ expression: `${check} && ${check}` }, { expression: `${check} && ${check} && ${check}` }),
      );
      await create(api);
    },
    'limits the cost of an expression': async (api) => {
      await validating(api, denied({ expression: 'lists.range(2000).all(a, lists.range(2000).all(b, b >= 0))' }));
      await create(api);
    },
    'limits the cost of match conditions': async (api) => {
      const check = "authorizer.path('/healthz').check('get').allowed()";
      const conditions = Array.from({ length: 4 }, (_, index) => condition(`${check} && ${check}`, `c${index}`));
      await validating(api, { matchConditions: conditions, ...denied({ expression: 'true' }) });
      await create(api);
    },
    'limits the cost of all validations': async (api) => {
      const check = "authorizer.path('/healthz').check('get').allowed()";
      await validating(api, denied(...Array.from({ length: 15 }, () => ({ expression: `${check} && ${check}` }))));
      await create(api);
    },
    'limits the cost of message expressions': async (api) => {
      const check = "authorizer.path('/healthz').check('get').allowed()";
      const costly = Array.from({ length: 14 }, () => ({ expression: `${check} && ${check}` }));
      await validating(
        api,
        denied(...costly, {
          expression: 'true',
          messageExpression: "lists.range(300).map(a, lists.range(300)).size() > 0 ? 'a' : 'b'",
        }),
      );
      await create(api);
    },
    'evaluates audit annotations': async (api) => {
      await validating(api, {
        validations: [],
        auditAnnotations: [
          { key: 'a', valueExpression: "'x'" },
          { key: 'b', valueExpression: 'null' },
          { key: 'c', valueExpression: "has(object.data) ? 'y' : ''" },
        ],
      });
      await create(api);
    },
    'denies a request if an audit annotation fails': async (api) => {
      await validating(api, {
        spec: { validations: [], auditAnnotations: [{ key: 'a', valueExpression: 'string(object.data.a)' }] },
        bindings: [{ validationActions: ['Audit'] }],
      });
      await create(api);
      await create(api, { metadata: { name: 'b' }, data: { a: 'b' } });
    },
    'ignores an audit annotation that fails if the failurePolicy is Ignore': async (api) => {
      await validating(api, {
        failurePolicy: 'Ignore',
        validations: [],
        auditAnnotations: [{ key: 'a', valueExpression: 'string(object.data.a)' }],
      });
      await create(api);
    },
    'does not provide the authorizer to audit annotations': async (api) => {
      const check = "string(authorizer.path('/').check('get').allowed())";
      await validating(api, { validations: [], auditAnnotations: [{ key: 'a', valueExpression: check }] });
      await create(api);
    },
    'does not provide the authorizer to variables that a message expression reads': async (api) => {
      const variables = [{ name: 'a', expression: "authorizer.path('/healthz').check('get').allowed()" }];
      await validating(api, {
        variables,
        ...denied({ expression: '!variables.a', messageExpression: 'string(variables.a)', message: 'fallback' }),
      });
      await create(api);
    },
  },
);
