import type { ApiObject, IncomingObject, JsonObject } from '../objects/api-object.js';
import { type Amounts, countOf } from './resource-amounts.js';

/** A write that a quota can count. */
export interface QuotaWrite {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly subresource: string | undefined;
  /** The new object; undefined for DELETE. */
  readonly object: IncomingObject | undefined;
  /** The current object; undefined for CREATE. */
  readonly old: ApiObject | undefined;
}

/** The rules by which ResourceQuotas count the objects of one kind in addition to `count/<resource>`. */
export interface QuotaRules {
  /** Whether quotas ignore the objects of the kind. `count/<resource>` then does not count these objects either. */
  readonly ignored?: true;
  /**
   * Returns the amounts that one object uses, by the name of the limit in a quota. @default the object only counts for
   * `count/<resource>`
   */
  readonly usage?: (object: JsonObject) => Amounts;
  /** Whether a limit with this name in a quota applies to objects of the kind. @default no */
  readonly uses?: (name: string) => boolean;
  /** Whether an object matches a scope selector of a quota. @default no */
  readonly isInScope?: (object: JsonObject, selector: JsonObject) => boolean;
  /** Whether quotas count a write. @default only the creation of an object */
  readonly counts?: (write: QuotaWrite) => boolean;
  /**
   * Returns the names of the limited amounts that every container must declare, with the names of the containers that do not declare these
   * amounts.
   * @default none
   */
  readonly undeclared?: (names: readonly string[], object: JsonObject) => ReadonlyMap<string, readonly string[]>;
  /** Whether a change of the object can decrease its usage. @default no */
  readonly mayUseLess?: (object: ApiObject) => boolean;
}

/** Returns the rules of a kind that quotas count by the plural name and by `count/<resource>`. */
export function countedByName(plural: string): QuotaRules {
  const usage = new Map([[plural, countOf(1)]]);
  return { usage: () => usage, uses: (name) => name === plural };
}
