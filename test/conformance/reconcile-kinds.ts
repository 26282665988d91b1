import { type Condition, CustomResource, type Default, Field, Kind } from '@kubewright/api';
import { Logger } from '@kubewright/runtime';

class PoolSpec {
  @Field.int32({ minimum: 0 }) size: Default<number> = 1;
  @Field.enum(['Auto', 'Manual']) mode: Default<'Auto' | 'Manual'> = 'Auto';
}
class PoolStatus {
  @Field.string({ optional: true }) phase?: string;
  @Field.string({ optional: true }) lastError?: string;
  @Field.int32({ optional: true }) observedGeneration?: number;
  @Field.conditions() conditions?: Condition[];
}
/** A kind with defaults, conditions, and an observed generation. */
@Kind({ group: 'reconcile.example.com', version: 'v1' })
export class Pool extends CustomResource(PoolSpec, PoolStatus) {}

export function pool(name: string, annotations: Record<string, string> = {}): Pool {
  return new Pool({ metadata: { name, namespace: 'default', annotations }, spec: {} });
}

/** A logger that records its warnings. */
export class WarningRecorder extends Logger {
  readonly warnings: { readonly message: string; readonly fields: Readonly<Record<string, unknown>> }[] = [];
  #waiting: (() => void)[] = [];
  override debug(): void {}
  override info(): void {}
  override error(): void {}
  override warn(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.warnings.push({ message, fields });
    for (const wake of this.#waiting.splice(0)) wake();
  }
  override with(): Logger {
    return this;
  }
  /** Resolves with the first warning that matches. */
  async warning(
    pattern: RegExp,
  ): Promise<{ readonly message: string; readonly fields: Readonly<Record<string, unknown>> }> {
    for (;;) {
      const found = this.warnings.find(({ message }) => pattern.test(message));
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }
}
