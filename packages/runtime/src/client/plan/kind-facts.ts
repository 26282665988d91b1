import { KubewrightError } from '@kubewright/api/errors';
import { builtInKinds, builtInSchema } from '@kubewright/api/built-in';
import type { KindRef } from '@kubewright/api';
import { kindOf, objectSchemaOf } from '@kubewright/api/metadata';
import type { StructuralSchema } from '@kubewright/api/schema';
import type { RequestTarget } from './request-target.js';

/** What is known of a kind, to tell what becomes of a write. */
export interface KindFacts {
  /** Without anything in it where nothing is known: then maps merge, and lists are taken as a whole. */
  readonly schema: StructuralSchema;
  /** Whether the status is written apart from the rest. */
  readonly hasStatus: boolean;
  /** Whether the schema has the defaults that the server fills in; those of Kubernetes itself do more than their schemas say. */
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

/** Finds out about kinds: those of Kubernetes are known, those of the operator are told, and others are read from their definitions. */
export class AllKindFacts {
  readonly #read: (path: string) => Promise<unknown>;
  readonly #kinds: () => readonly KindRef[];
  readonly #known = new Map<string, Promise<KindFacts>>();

  /** `read` gives what is at a path, and rejects where nothing is, or it may not be seen. */
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
    const told = this.#kinds().find((ref) => isMeant(kindOf(ref)));
    const schema = told === undefined ? undefined : objectSchemaOf(told);
    if (told === undefined || schema === undefined) return this.#defined(`${plural}.${group}`, version);
    return { schema, hasStatus: kindOf(told).hasStatus, hasDefaults: true };
  }

  async #defined(name: string, version: string): Promise<KindFacts> {
    try {
      const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`;
      const { spec } = (await this.#read(path)) as Definition;
      const served = spec?.versions?.find((one) => one.name === version);
      const hasStatus = served?.subresources?.status !== undefined;
      return { schema: served?.schema?.openAPIV3Schema ?? {}, hasStatus, hasDefaults: true };
    } catch (error) {
      // A kind of another API server, or a definition that may not be read.
      if (error instanceof KubewrightError) return { schema: {}, hasStatus: false, hasDefaults: false };
      throw error;
    }
  }
}
