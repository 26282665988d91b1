import type { ResourceDefinition } from '../../registry/definitions/resource-definition.js';

/** The names of the schemas of a resource: its objects and its lists. */
export interface SchemaNames {
  readonly object: string;
  readonly list: string;
}

/** The names of the parameters of a list. */
export const listParameters = [
  'allowWatchBookmarks',
  'continue',
  'fieldSelector',
  'labelSelector',
  'limit',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'shardSelector',
  'timeoutSeconds',
  'watch',
];

const writeParameters = ['dryRun', 'fieldManager', 'fieldValidation'];
const deleteParameters = [
  'dryRun',
  'gracePeriodSeconds',
  'ignoreStoreReadErrorWithClusterBreakingPotential',
  'orphanDependents',
  'propagationPolicy',
];
const flags = [
  'allowWatchBookmarks',
  'force',
  'ignoreStoreReadErrorWithClusterBreakingPotential',
  'orphanDependents',
  'sendInitialEvents',
  'watch',
];
const numbers = ['gracePeriodSeconds', 'limit', 'timeoutSeconds'];
const patchTypes = [
  'application/apply-patch+yaml',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
];
const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
/** The name of the schema of the scale subresource. */
export const scaleSchema = 'io.k8s.api.autoscaling.v1.Scale';

interface Operation {
  readonly verb: string;
  readonly action: string;
  /** The part of the operation ID between the version and the kind (`prefix`), and the part after the kind (`suffix`). */
  readonly prefix?: string;
  readonly suffix?: string;
  readonly schema: string;
  readonly codes: readonly number[];
  readonly parameters?: readonly string[];
  readonly body?: { readonly schema: string; readonly types: readonly string[]; readonly optional?: true };
}

/** The operations on one resource in an OpenAPI 3 document. */
export class OpenApiOperations {
  readonly #definition: ResourceDefinition;
  readonly #schemas: SchemaNames;

  constructor(definition: ResourceDefinition, schemas: SchemaNames) {
    this.#definition = definition;
    this.#schemas = schemas;
  }

  /** Returns the operation to list objects, in one namespace or in all namespaces. */
  list(everywhere: boolean): object {
    const named = everywhere ? { prefix: '', suffix: 'ForAllNamespaces' } : { parameters: listParameters };
    return this.#operation({ verb: 'list', action: 'list', schema: this.#schemas.list, codes: [200], ...named });
  }

  create(): object {
    const { object: schema } = this.#schemas;
    const body = { schema, types: this.#written() };
    return this.#operation({
      verb: 'create',
      action: 'post',
      schema,
      body,
      parameters: writeParameters,
      codes: [200, 201, 202],
    });
  }

  deleteCollection(): object {
    const { custom } = this.#definition;
    const selection = listParameters.filter((name) => name !== 'allowWatchBookmarks' && name !== 'watch');
    return this.#operation({
      verb: 'delete',
      action: 'deletecollection',
      prefix: `Collection${this.#scope}`,
      schema: `${meta}.Status`,
      codes: [200],
      parameters: custom ? listParameters : [...selection, ...deleteParameters].toSorted(),
      ...(custom ? {} : { body: this.#deleteOptions() }),
    });
  }

  read(subresource: string, isScale = false): object {
    const { custom } = this.#definition;
    return this.#operation({
      ...this.#on(subresource, isScale),
      verb: 'read',
      action: 'get',
      codes: [200],
      ...(custom ? { parameters: ['resourceVersion'] } : {}),
    });
  }

  replace(subresource: string, isScale = false): object {
    const on = this.#on(subresource, isScale);
    const body = { schema: on.schema, types: this.#written() };
    return this.#operation({
      ...on,
      verb: 'replace',
      action: 'put',
      body,
      codes: [200, 201],
      parameters: writeParameters,
    });
  }

  patch(subresource: string, isScale = false): object {
    const { custom } = this.#definition;
    return this.#operation({
      ...this.#on(subresource, isScale),
      verb: 'patch',
      action: 'patch',
      codes: custom ? [200] : [200, 201],
      parameters: [...writeParameters, 'force'],
      body: { schema: `${meta}.Patch`, types: custom ? patchTypes.slice(0, 3) : patchTypes },
    });
  }

  delete(): object {
    const schema = `${meta}.Status`;
    const body = this.#deleteOptions();
    return this.#operation({
      verb: 'delete',
      action: 'delete',
      schema,
      body,
      codes: [200, 202],
      parameters: deleteParameters,
    });
  }

  get #scope(): string {
    return this.#definition.namespaced ? 'Namespaced' : '';
  }

  #written(): readonly string[] {
    return this.#definition.custom ? ['application/json', 'application/yaml'] : ['*/*'];
  }

  #deleteOptions(): NonNullable<Operation['body']> {
    return { schema: `${meta}.DeleteOptions`, types: this.#written(), optional: true };
  }

  #on(subresource: string, isScale: boolean): { readonly schema: string; readonly suffix: string } {
    return { schema: isScale ? scaleSchema : this.#schemas.object, suffix: capitalized(subresource) };
  }

  #operation({ verb, action, prefix = this.#scope, suffix = '', ...rest }: Operation): object {
    const { group, version, kind } = this.#definition;
    const owner = groupName(group);
    const { schema, codes, parameters = [], body } = rest;
    const answered = { description: 'OK', content: contentOf(schema, ['application/json']) };
    return {
      tags: [`${uncapitalized(owner)}_${version}`],
      operationId: `${verb}${owner}${capitalized(version)}${prefix}${kind}${suffix}`,
      ...(parameters.length === 0 ? {} : { parameters: queryParameters(parameters) }),
      ...(body === undefined
        ? {}
        : {
            requestBody: { content: contentOf(body.schema, body.types), ...(body.optional ? {} : { required: true }) },
          }),
      responses: {
        ...Object.fromEntries(codes.map((code) => [String(code), answered])),
        401: { description: 'Unauthorized' },
      },
      'x-kubernetes-action': action,
      'x-kubernetes-group-version-kind': { group, version, kind },
    };
  }
}

/** Returns the query parameters with the given names. */
export function queryParameters(names: readonly string[]): readonly object[] {
  return names.map((name) => ({ name, in: 'query', schema: { type: typeOf(name), uniqueItems: true } }));
}

/** Returns a path parameter. */
export function pathParameter(name: string): object {
  return { name, in: 'path', required: true, schema: { type: 'string', uniqueItems: true } };
}

function typeOf(name: string): string {
  if (flags.includes(name)) return 'boolean';
  return numbers.includes(name) ? 'integer' : 'string';
}

function contentOf(schema: string, types: readonly string[]): object {
  const reference = { schema: { $ref: `#/components/schemas/${schema}` } };
  return Object.fromEntries(types.map((type) => [type, reference]));
}

/**
 * Returns the name of a group in operation ids: Networking for `networking.k8s.io`, ExampleCom for `example.com`, Core for the core group.
 */
function groupName(group: string): string {
  const own = group === '' ? 'core' : group.replace(/\.k8s\.io$/, '');
  return own.split('.').map(capitalized).join('');
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function uncapitalized(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
