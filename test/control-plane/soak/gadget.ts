import { CustomResource, Field, Kind } from '@kubewright/api';
import { ConfigMap } from '@kubewright/api/core/v1';
import { Client, Controller, type Reconciler, Result } from '@kubewright/runtime';

export class GadgetSpec {
  @Field.int32({ minimum: 0 }) revision!: number;
  /** Filler text that makes the object as large as a typical object. */
  @Field.string() text!: string;
}
export class GadgetStatus {
  @Field.int64({ optional: true }) observedGeneration?: number;
  @Field.int32({ optional: true }) revision?: number;
}
/** A kind with many objects that change continuously. */
@Kind({ group: 'soak.example.com', version: 'v1' })
export class Gadget extends CustomResource(GadgetSpec, GadgetStatus) {}

/** Applies a ConfigMap with the revision of each Gadget, and reports the revision in the status. */
@Controller({ for: Gadget, owns: [ConfigMap], concurrency: 8 })
export class GadgetController implements Reconciler<Gadget> {
  readonly #client: Client;
  constructor(client: Client) {
    this.#client = client;
  }

  async reconcile(gadget: Gadget): Promise<Result> {
    const { revision } = gadget.spec;
    await this.#client.applyOwned(gadget, [
      new ConfigMap({ metadata: { name: gadget.metadata.name }, data: { revision: String(revision) } }),
    ]);
    await this.#client.patchStatus(gadget, { revision });
    return Result.done();
  }
}
