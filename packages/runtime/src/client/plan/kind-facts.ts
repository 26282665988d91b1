import { KubewrightError } from '@kubewright/api/errors';
import { builtInKinds, builtInSchema } from '@kubewright/api/built-in';
import type { KindRef } from '@kubewright/api';
import { kindOf, objectSchemaOf } from '@kubewright/api/metadata';
import type { StructuralSchema } from '@kubewright/api/schema';
import type { RequestTarget } from './request-target.js';

/** The properties of a kind that determine what the server stores after a write. */
export interface KindFacts {
  /** The schema of the kind. Empty if the schema is unknown: then maps are merged, and lists are replaced as a whole. */
  readonly schema: StructuralSchema;
  /** Whether the status is a subresource, so that other writes do not change the status. */
  readonly hasStatus: boolean;
  /**
   * Whether the schema contains all defaults that the server sets. False for built-in kinds, because their schemas do not contain all
   * defaults, and for kinds whose definition cannot be read.
   */
  readonly hasDefaults: boolean;
}

interface Definition {
  readonly spec?: {
    readonly versions?: readonly {
      readonly name?: string;
      readonly schema?: { readonly openAPIV3Schema?: StructuralSchema };
      readonly subresources?: { readonly status?: object };
    }[];
  };
}

/**
 * Finds the properties of kinds. Built-in kinds and the kinds of the operator are known. For other kinds, reads the
 * CustomResourceDefinition.
 */
export class AllKindFacts {
  readonly #read: (path: string) => Promise<unknown>;
  readonly #kinds: () => readonly KindRef[];
  readonly #known = new Map<string, Promise<KindFacts>>();

  /** `read` returns the object at a URL path. `read` must reject if the object does not exist or the permission is missing. */
  constructor(read: (path: string) => Promise<unknown>, kinds: () => readonly KindRef[]) {
    this.#read = read;
    this.#kinds = kinds;
  }

  of(target: RequestTarget): Promise<KindFacts> {
    const { group, version, plural } = target;
    const id = `${group}/${version}/${plural}`;
    const known = this.#known.get(id) ?? this.#find(target);
    this.#known.set(id, known);
    return known;
  }

  async #find({ group, version, plural }: RequestTarget): Promise<KindFacts> {
    const isMeant = (kind: {
      readonly group: string;
      readonly version: string;
      readonly plural?: string | undefined;
    }) => kind.group === group && kind.version === version && kind.plural === plural;
    const builtIn = builtInKinds().find(isMeant);
    if (builtIn !== undefined) {
      const schema = builtInSchema(builtIn.apiVersion, builtIn.kind) ?? {};
      return { schema, hasStatus: builtIn.hasStatus, hasDefaults: false };
    }
    const reported = this.#kinds().find((ref) => isMeant(kindOf(ref)));
    const schema = reported === undefined ? undefined : objectSchemaOf(reported);
    if (reported === undefined || schema === undefined) return this.#defined(`${plural}.${group}`, version);
    return { schema, hasStatus: kindOf(reported).hasStatus, hasDefaults: true };
  }

  async #defined(name: string, version: string): Promise<KindFacts> {
    try {
      const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`;
      const { spec } = (await this.#read(path)) as Definition;
      const served = spec?.versions?.find((one) => one.name === version);
      const hasStatus = served?.subresources?.status !== undefined;
      return { schema: served?.schema?.openAPIV3Schema ?? {}, hasStatus, hasDefaults: true };
    } catch (error) {
      // An aggregated API server may serve the kind, or the permission to read the CustomResourceDefinition may be missing.
      if (error instanceof KubewrightError) return { schema: {}, hasStatus: false, hasDefaults: false };
      throw error;
    }
  }
}
