import type { SecretRules } from '@kubewright/api/secrets';
import type { KnownSecrets } from '../../log/known-secrets.js';
import type { ClientCall } from '../options/client-call.js';

/** Executes a call, and records the secret values of the objects that the call writes and reads. */
export async function rememberedCall<R>(
  known: KnownSecrets,
  rules: SecretRules,
  { call, answered }: { readonly call: ClientCall; readonly answered: () => Promise<R> },
): Promise<R> {
  if (call.object !== undefined) known.remember(call.object, rules);
  const answer = await answered();
  // The result of a list is an array of objects, or a page that contains the objects in `items`.
  const { items } = (answer ?? {}) as { readonly items?: unknown };
  known.remember(call.verb === 'list' && items !== undefined ? items : answer, rules);
  return answer;
}
