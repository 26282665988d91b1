import type { JsonObject } from '../../registry/objects/api-object.js';
import type { User } from '../../registry/requests/user.js';

/** Returns a user in the format of reviews, without empty fields. */
export function userInfoOf({ name, uid, groups, extra = {} }: User): JsonObject {
  return {
    username: name,
    ...(uid === undefined ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}
