import { deepFreeze, isMetadataOnly, type KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { isJsonObject, type JsonObject } from '@kubewright/api/json';
import { callOn } from '../options/client-call.js';
import type { ClientContext } from '../requests/client-context.js';
import type { PatchOptions, WriteOptions } from '../options/client-options.js';
import { withoutUndefined } from '../requests/json-value.js';
import { assertVersion, type Patch, patchBody } from '../bodies/patch.js';
import type { Subresource, SubresourceApplyOptions, SubresourceInit } from './subresource.js';
import { SUBRESOURCE_BODIES } from '../requests/subresource-bodies.js';
import { describe } from '../requests/target.js';
import { onlyMetadata } from '../bodies/whole-object.js';
import type { Writer, WriteRequest } from './writer.js';

/** The parent object and the name of a subresource, and the context and writer for the requests. */
export interface SubresourceOptions {
  readonly object: KubeObject;
  readonly name: string;
  readonly context: ClientContext;
  readonly writer: Writer;
}

/** The client of one subresource of one object. Does not check the fields of request bodies. */
export class SubresourceClient implements Subresource<JsonObject> {
  readonly #options: SubresourceOptions;
  constructor(options: SubresourceOptions) {
    if (!/^[a-z][a-z/]*$/.test(options.name)) {
      throw new KubewrightError(
        'INVALID_NAME',
        `'${options.name}' is not a valid subresource of ${describe(options.object.kind, options.object.metadata)}: use a name such as 'scale'`,
      );
    }
    this.#options = options;
  }

  get(): Promise<JsonObject> {
    const { object, name: subresource, context, writer } = this.#options;
    return context.intercepted(callOn('get', object, { subresource }), async () => {
      const target = await writer.targetOf(object);
      const { name, namespace } = object.metadata;
      const at = { name, namespace: context.namespaceFor(target, namespace) };
      return deepFreeze(
        await context.sendForObject<JsonObject>({
          method: 'GET',
          target,
          at,
          subresource,
          verbs: ['get'],
          attempted: `get the ${subresource} of ${describe(target.info.kind, at)}`,
        }),
      );
    });
  }

  create(body: SubresourceInit<JsonObject>, options?: WriteOptions): Promise<JsonObject> {
    return this.#write('create', body, { options, body: (object) => this.#complete('create', object, body) });
  }
  update(body: SubresourceInit<JsonObject>, options?: WriteOptions): Promise<JsonObject> {
    return this.#write('update', body, { options, body: (object) => this.#complete('update', object, body) });
  }
  async patch(patch: Patch<JsonObject>, options: PatchOptions = {}): Promise<JsonObject> {
    const { body, contentType } = patchBody(patch, options.optimistic ? this.#options.object : undefined);
    return this.#write('patch', patch, { options, contentType, body: () => body });
  }
  async apply(
    body: SubresourceInit<JsonObject>,
    { force = false, optimistic = false, ...options }: SubresourceApplyOptions = {},
  ): Promise<JsonObject> {
    const { metadata: _, ...fields } = body;
    const { uid, resourceVersion } = this.#options.object.metadata;
    if (optimistic) assertVersion(this.#options.object);
    const configuration = optimistic ? { ...fields, metadata: { uid, resourceVersion } } : fields;
    return this.#write('apply', body, {
      options,
      contentType: 'application/apply-patch+yaml',
      query: { force },
      body: (object) => this.#complete('apply', object, configuration),
    });
  }

  #write(verb: WriteRequest['verb'], given: object, request: SubresourceRequest): Promise<JsonObject> {
    const { name: subresource, context, writer } = this.#options;
    const call = callOn(verb, this.#options.object, { subresource, options: request.options, body: given });
    return context.intercepted(call, async () => {
      const object = await context.placed(this.#options.object);
      const answer = await writer.send<JsonObject>({
        ...request,
        verb,
        object,
        subresource,
        body: request.body(object),
      });
      return (answer.kind === 'Status' ? undefined : answer) as JsonObject;
    });
  }

  /**
   * Returns the body with the kind, name and namespace. Throws METADATA_ONLY for an update with an object that was read as metadata only,
   * because the update would remove all other fields. This does not apply to subresources with their own kind.
   */
  #complete(verb: WriteRequest['verb'], object: KubeObject, body: JsonObject): JsonObject {
    const own = SUBRESOURCE_BODIES[this.#options.name];
    if (own === undefined && verb === 'update' && isMetadataOnly(body)) throw onlyMetadata(verb, object);
    const { apiVersion, kind } = own ?? object;
    const { name, namespace } = object.metadata;
    const plain = withoutUndefined(body);
    const metadata = isJsonObject(plain.metadata) ? plain.metadata : {};
    return { apiVersion, kind, ...plain, metadata: { ...metadata, name, ...(namespace && { namespace }) } };
  }
}

/**
 * The parameters of a write to a subresource. `body` is a function, because the body contains the namespace, which is known only after the
 * object gets the namespace of the client.
 */
interface SubresourceRequest extends Pick<WriteRequest, 'options' | 'contentType' | 'query'> {
  readonly body: (object: KubeObject) => unknown;
}
