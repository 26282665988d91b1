import type { KubeObject } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import type { Logger } from '../../log/logger.js';
import { ProtobufKind } from '../../transport/answer/protobuf-kind.js';
import type { ResourceInfo } from '../../transport/request/resource-path.js';
import type { Transport } from '../../transport/sending/transport.js';
import { DetectedRestores } from '../reflector/found-restores.js';
import { bothSelectors, exactFields, fieldMatcher } from '../selection/field-match.js';
import type { InformerScope, InformerSelection } from '../selection/informer-selection.js';
import { SharedInformer, type SharedInformerOptions } from './shared-informer.js';
import { labelMatcher } from '../store/label-match.js';
import { CutParser, WholeParser } from '../parsing/object-parser.js';
import { SharingParser } from '../parsing/sharing-parser.js';
import { SharedValues } from '../parsing/sharing-reader.js';
import { ObjectSource } from '../reflector/object-source.js';
import type { ReflectorOptions } from '../reflector/reflector.js';
import { isDecidedByServer } from '../selection/scope-cover.js';
import { selectedLabels } from '../store/selected-labels.js';
import type { ScopeOptions } from './scopes/watched-scope.js';

export interface InformerFactoryOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called when an informer reaches a newer version or stops watching a scope. */
  readonly onProgress: () => void;
  /** The options of the reflectors. */
  readonly reflector?: Omit<ReflectorOptions<KubeObject>, 'source' | 'target' | 'onStatus'> | undefined;
}

/** Creates informers, and the options of their scopes. */
export class InformerFactory {
  readonly #options: InformerFactoryOptions;
  readonly #cut = new CutParser();
  readonly #whole = new WholeParser();
  readonly #shared = new SharedValues();
  readonly #sharing = new Map<string, SharingParser>();
  readonly #protobuf = new Map<string, ProtobufKind>();
  readonly #restores = new DetectedRestores();

  constructor(options: InformerFactoryOptions) {
    this.#options = options;
  }

  /** Creates an informer without scopes. */
  make(
    { kind, apiVersion, namespaced }: ResourceInfo,
    selection: Pick<InformerSelection, 'resyncMs' | 'metadataOnly'>,
    on: Pick<SharedInformerOptions<KubeObject>, 'onDelivery' | 'onSync' | 'onStep' | 'deliveredVersion'>,
  ): SharedInformer<KubeObject> {
    const { clock, logger, reflector, onProgress } = this.#options;
    const { resyncMs, metadataOnly } = selection;
    const of = { kind, apiVersion, namespaced, metadataOnly };
    return new SharedInformer<KubeObject>({
      ...of,
      scopes: [],
      clock,
      logger,
      resyncMs,
      onProgress,
      ...on,
      reflector: { ...reflector, restores: this.#restores },
    });
  }

  /** Returns the options of a scope: the list and watch requests, and how their objects are processed. */
  scope(
    resource: ResourceInfo,
    selection: Pick<InformerSelection, 'keepManagedFields' | 'shareValues' | 'metadataOnly'>,
    scope: InformerScope,
  ): ScopeOptions<KubeObject> {
    const { transport, clock, logger } = this.#options;
    const { keepManagedFields, shareValues, metadataOnly } = selection;
    const { namespace, labels, transform } = scope;
    const names = scope.names?.names;
    const [onlyName] = names?.size === 1 ? names : [];
    const fields = bothSelectors(scope.fields, onlyName && `metadata.name=${onlyName}`);
    const matches = [labelMatcher(labels), metadataOnly ? (): boolean => true : fieldMatcher(scope.fields)];
    return {
      source: new ObjectSource<KubeObject>({
        transport,
        resource,
        namespace,
        narrowedTo: resource.namespaced ? exactFields(fields).get('metadata.namespace') : undefined,
        labelSelector: labels,
        fieldSelector: fields,
        names: onlyName === undefined ? names : undefined,
        metadataOnly,
        parser: keepManagedFields
          ? this.#whole
          : shareValues && transform === undefined
            ? this.#sharingOf(resource)
            : this.#cut,
        protobuf: transport.acceptsProtobuf
          ? this.#protobufOf(resource, { keepManagedFields, shareValues: shareValues && transform === undefined })
          : undefined,
        transform,
        clock,
        logger,
      }),
      except: scope.except,
      isSelected: (object) =>
        names?.has(object.metadata.name) !== false && matches.every((isMatch) => isMatch(selectedLabels(object))),
      isTracked: isDecidedByServer(scope),
    };
  }

  /** Returns the sharing parser of a kind. Not used if there is a transform, because a transform may change the values of an object. */
  #sharingOf({ apiVersion, kind }: ResourceInfo): SharingParser {
    const name = `${apiVersion}/${kind}`;
    const parser = this.#sharing.get(name) ?? new SharingParser(this.#shared);
    this.#sharing.set(name, parser);
    return parser;
  }

  /** Returns the reader of protobuf responses for a kind. Scopes of the kind with the same `form` use the same reader. */
  #protobufOf(
    resource: ResourceInfo,
    form: { readonly keepManagedFields: boolean; readonly shareValues: boolean },
  ): ProtobufKind {
    const name = `${resource.apiVersion}/${resource.kind}/${form.keepManagedFields}/${form.shareValues}`;
    const protobuf = this.#protobuf.get(name) ?? new ProtobufKind({ resource, logger: this.#options.logger, ...form });
    this.#protobuf.set(name, protobuf);
    return protobuf;
  }
}
