import type { SecretRules } from '@kubewright/api/secrets';
import type { KnownSecrets } from '../log/known-secrets.js';
import type { ClientCall } from './client-call.js';

/** Carries a call out, and remembers the objects with secrets that it writes and reads. */
export async function rememberedCall<R>(
  known: KnownSecrets,
  rules: SecretRules,
  { call, answered }: { readonly call: ClientCall; readonly answered: () => Promise<R> },
): Promise<R> {
  if (call.object !== undefined) known.remember(call.object, rules);
  const answer = await answered();
  // A page of a list has its objects within.
  const { items } = (answer ?? {}) as { readonly items?: unknown };
  known.remember(call.verb === 'list' && items !== undefined ? items : answer, rules);
  return answer;
}
