import { type Condition, CustomResource, Field, Kind, setCondition } from '@kubewright/api';
import { ConfigMap, Secret } from '@kubewright/api/core/v1';
import { Client, Controller, Inject, type Reconciler, references, Result } from '@kubewright/runtime';
import type { Bug } from './bug.js';
import { configMap } from './children.js';
import { MemoryRegistrar, Registrar } from './registrar.js';

class ShardsSpec {
  @Field.int32({ minimum: 1, maximum: 4 }) size = 2;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class Shards extends CustomResource(ShardsSpec) {}

/** A smaller size deletes the first members of a list instead of the members with the highest numbers. */
const firstMember: Bug = {
  name: 'scale-down of the wrong member',
  mechanism: 'order of a list',
  kind: Shards,
  violates: ['history', 'quick', 'away'],
  controller: (isFixed) => {
    @Controller({ for: Shards, owns: [ConfigMap] })
    class ShardsController implements Reconciler<Shards> {
      constructor(private readonly client: Client) {}

      async reconcile(shards: Shards): Promise<Result> {
        const { name } = shards.metadata;
        const { size } = shards.spec;
        const members = await this.client.listOwned(shards, ConfigMap);
        const isExcess = (member: ConfigMap): boolean => Number(member.metadata.name.split('-').at(-1)) >= size;
        const excess = isFixed ? members.filter(isExcess) : members.slice(0, Math.max(0, members.length - size));
        for (const member of excess) await this.client.delete(member);
        const kept = members.filter((member) => !excess.includes(member)).map((member) => member.metadata.name);
        const all = Array.from({ length: size }, (_, at) => `${name}-${at}`);
        const added = isFixed ? all : all.filter((each) => !kept.includes(each)).slice(0, size - kept.length);
        for (const member of new Set([...kept, ...added]))
          await this.client.apply(configMap(member, { shard: member }), { owner: shards });
        return Result.done();
      }
    }
    return ShardsController;
  },
};

class LedgerSpec {
  @Field.string({ minLength: 1, maxLength: 20 }) currency = 'EUR';
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class Ledger extends CustomResource(LedgerSpec) {}

/** The operator keeps the first owner of each name in memory, so that the children of a recreated object have an old uid. */
const rememberedOwner: Bug = {
  name: 'owner reference with the uid of a deleted object',
  mechanism: 'object of another owner',
  kind: Ledger,
  violates: ['recreation', 'converges', 'quiet'],
  controller: (isFixed) => {
    @Controller({ for: Ledger, owns: [ConfigMap] })
    class LedgerController implements Reconciler<Ledger> {
      private readonly owners = new Map<string, Ledger>();

      constructor(private readonly client: Client) {}

      async reconcile(ledger: Ledger): Promise<Result> {
        const { name } = ledger.metadata;
        const known = isFixed ? undefined : this.owners.get(name);
        const owner = known ?? ledger;
        this.owners.set(name, owner);
        await this.client.createOrPatch(
          configMap(name, {}),
          (draft) => {
            draft.data = { currency: ledger.spec.currency };
          },
          { owner },
        );
        return Result.done();
      }
    }
    return LedgerController;
  },
};

class DomainSpec {
  @Field.int32({ minimum: 1, maximum: 5 }) size = 1;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class Domain extends CustomResource(DomainSpec) {}

/** The finalizer does not wait for the deletion of the external object, and ignores its failure. */
const unawaitedDeletion: Bug = {
  name: 'finalizer removed before the external deletion',
  mechanism: 'crash between two writes',
  kind: Domain,
  external: () => [new MemoryRegistrar()],
  violates: ['call', 'crash', 'deletion'],
  trials: 70,
  controller: (isFixed) => {
    @Controller({ for: Domain })
    class DomainController implements Reconciler<Domain> {
      constructor(@Inject(Registrar) private readonly registrar: Registrar) {}

      async reconcile(domain: Domain): Promise<Result> {
        await this.registrar.change(domain.metadata.name, String(domain.spec.size));
        return Result.done();
      }
      async finalize(domain: Domain): Promise<Result> {
        const removed = this.registrar.remove(domain.metadata.name);
        if (isFixed) await removed;
        else removed.catch(() => undefined);
        return Result.done();
      }
    }
    return DomainController;
  },
};

class MailerSpec {
  @Field.string({ minLength: 1, maxLength: 20 }) sender = 'info';
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class Mailer extends CustomResource(MailerSpec) {}

const LOGIN = { name: 'login', namespace: 'default' };

/** The operator reads a Secret only once, and then uses the value in memory. */
const secretInMemory: Bug = {
  name: 'Secret that is read only once',
  mechanism: 'value that stays',
  kind: Mailer,
  objects: [new Secret({ metadata: LOGIN, data: { password: 'YQ==' } })],
  violates: ['dependency'],
  controller: (isFixed) => {
    const toLogin = references(Secret, (_mailer: Mailer) => LOGIN);
    @Controller({ for: Mailer, owns: [ConfigMap], watches: [toLogin] })
    class MailerController implements Reconciler<Mailer> {
      private password: string | undefined;

      constructor(private readonly client: Client) {}

      async reconcile(mailer: Mailer): Promise<Result> {
        if (isFixed) this.password = undefined;
        this.password ??= (await this.client.get(Secret, LOGIN)).data?.['password'] ?? '';
        const data = { url: `smtp://${mailer.spec.sender}:${this.password}@mail.example.com` };
        await this.client.applyOwned(mailer, [configMap(mailer.metadata.name, data)]);
        return Result.done();
      }
    }
    return MailerController;
  },
};

class DepotSpec {
  @Field.int32({ minimum: 1, maximum: 5 }) size = 1;
}
class DepotStatus {
  @Field.conditions() conditions?: Condition[];
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class Depot extends CustomResource(DepotSpec, DepotStatus) {}

@Controller({ for: Depot, name: 'depot-backup' })
class DepotBackupController implements Reconciler<Depot> {
  constructor(private readonly client: Client) {}

  async reconcile(depot: Depot): Promise<Result> {
    await this.client.patchStatus(depot, (status) => {
      setCondition(status, { type: 'BackedUp', status: true, reason: 'Copied' });
    });
    return Result.done();
  }
}

/** A controller replaces the list of conditions, which also contains a condition of another controller. */
const replacedConditions: Bug = {
  name: 'status that overwrites another condition',
  mechanism: 'needless write',
  kind: Depot,
  others: [DepotBackupController],
  violates: ['restart', 'converges', 'quiet', 'history'],
  controller: (isFixed) => {
    @Controller({ for: Depot, owns: [ConfigMap] })
    class DepotController implements Reconciler<Depot> {
      constructor(private readonly client: Client) {}

      async reconcile(depot: Depot): Promise<Result> {
        const data = { size: String(depot.spec.size) };
        await this.client.applyOwned(depot, [configMap(depot.metadata.name, data)]);
        await this.client.patchStatus(depot, (status) => {
          if (!isFixed) status.conditions = (status.conditions ?? []).filter(({ type }) => type === 'Ready');
          setCondition(status, { type: 'Ready', status: true, reason: 'Applied' });
        });
        return Result.done();
      }
    }
    return DepotController;
  },
};

export const mistakeBugs: readonly Bug[] = [
  firstMember,
  rememberedOwner,
  unawaitedDeletion,
  secretInMemory,
  replacedConditions,
];
