import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { SystemClock } from '@kubewright/api/clock';
import { Store } from '../storage/store.js';
import type { ApiObject } from '../storage/api-object.js';
import { ReadCounter } from '../registry/strategies/read-counter.test.support.js';
import { InvalidCredentialsError } from './authenticated.js';
import { serverAudiences, ServiceAccountTokens } from './service-account-tokens.js';
import { readToken, TokenSigner } from './token-signer.js';

class ShiftedClock extends SystemClock {
  ahead = 0;

  override now(): Date {
    return new Date(super.now().getTime() + this.ahead * 1000);
  }
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function bench(): {
  readonly clock: ShiftedClock;
  readonly store: Store;
  readonly tokens: ServiceAccountTokens;
  readonly add: (bucket: string, object: Partial<ApiObject>, uid?: string) => ApiObject;
} {
  const clock = new ShiftedClock();
  const store = new Store();
  const tokens = new ServiceAccountTokens(new TokenSigner(newKey), { store, clock });
  const add = (bucket: string, object: Partial<ApiObject>, uid = 'u1'): ApiObject =>
    store.create(bucket, {
      apiVersion: 'v1',
      kind: 'Any',
      ...object,
      metadata: { namespace: 'ns', name: 'a', uid, ...object.metadata },
    });
  return { clock, store, tokens, add };
}

const refused = (message: RegExp) => (error: unknown) =>
  error instanceof InvalidCredentialsError && message.test(error.message);

test('a token identifies its service account until one minute after its expiration', () => {
  const { clock, tokens, add } = bench();
  const account = add('/serviceaccounts', {});
  const token = tokens.issue({ account, audiences: serverAudiences, expirationSeconds: 600 });
  const { user, audiences } =
    tokens.authenticate(token, serverAudiences) ?? assert.fail('the token is not authenticated');
  assert.equal(user.name, 'system:serviceaccount:ns:a');
  assert.equal(user.uid, 'u1');
  assert.deepEqual(user.groups, ['system:serviceaccounts', 'system:serviceaccounts:ns']);
  assert.deepEqual(audiences, serverAudiences);
  clock.ahead = 655;
  assert.ok(tokens.authenticate(token, serverAudiences));
  clock.ahead = 665;
  assert.throws(() => tokens.authenticate(token, serverAudiences), refused(/has expired$/));
});

test('rejects a token that is not valid yet', () => {
  const { clock, tokens, add } = bench();
  clock.ahead = 120;
  const token = tokens.issue({
    account: add('/serviceaccounts', {}),
    audiences: serverAudiences,
    expirationSeconds: 600,
  });
  clock.ahead = 0;
  assert.throws(() => tokens.authenticate(token, serverAudiences), refused(/is not valid yet$/));
});

test('rejects a token after the deletion of its bound object', () => {
  const { store, tokens, add } = bench();
  const account = add('/serviceaccounts', {});
  const pod = add('/pods', {}, 'p1');
  const token = tokens.issue({ account, audiences: serverAudiences, expirationSeconds: 600, pod });
  const user = tokens.authenticate(token, serverAudiences)?.user;
  assert.deepEqual(user?.extra?.['authentication.kubernetes.io/pod-name'], ['a']);
  store.delete('/pods', { namespace: 'ns', name: 'a' });
  assert.throws(() => tokens.authenticate(token, serverAudiences), refused(/has been invalidated$/));
  add('/pods', {}, 'p2');
  assert.throws(() => tokens.authenticate(token, serverAudiences), refused(/pod UID \(p2\) does not match .* \(p1\)$/));
});

test('accepts a token for one minute after the deletion of its bound object begins', () => {
  const { clock, store, tokens, add } = bench();
  const account = add('/serviceaccounts', {});
  const pod = add('/pods', {}, 'p1');
  const token = tokens.issue({ account, audiences: serverAudiences, expirationSeconds: 600, pod });
  const deletionTimestamp = clock.now().toISOString();
  store.update('/pods', { ...pod, metadata: { ...pod.metadata, deletionTimestamp } });
  assert.ok(tokens.authenticate(token, serverAudiences));
  clock.ahead = 62;
  assert.throws(() => tokens.authenticate(token, serverAudiences), refused(/has been invalidated$/));
});

test('the token of a Secret is valid as long as the Secret contains the token', () => {
  const { store, tokens, add } = bench();
  const account = add('/serviceaccounts', {});
  const token = tokens.issueLegacy(account, 'a');
  assert.throws(() => tokens.authenticate(token, serverAudiences), refused(/^Token has been invalidated$/));
  const secret = add('/secrets', { data: { token: Buffer.from(token).toString('base64') } });
  assert.equal(tokens.authenticate(token, serverAudiences)?.user.name, 'system:serviceaccount:ns:a');
  store.update('/secrets', { ...secret, data: { token: '' } });
  assert.throws(() => tokens.authenticate(token, serverAudiences), refused(/does not match server's copy$/));
});

test('rejects a token that another key signed, and a token with a changed algorithm or changed claims', () => {
  const { store, clock, tokens, add } = bench();
  const account = add('/serviceaccounts', {});
  const others = new ServiceAccountTokens(new TokenSigner(newKey), { store, clock });
  const foreign = others.issue({ account, audiences: serverAudiences, expirationSeconds: 600 });
  assert.throws(() => tokens.authenticate(foreign, serverAudiences), refused(/no keys found$/));
  const own = tokens.issue({ account, audiences: serverAudiences, expirationSeconds: 600 });
  const { header, claims, signature } = readToken(own) ?? assert.fail('the token cannot be parsed');
  const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const forged = [
    `${encoded({ ...header, alg: 'none' })}.${encoded(claims)}.${signature}`,
    `${encoded({ ...header, alg: 'HS256' })}.${encoded(claims)}.${signature}`,
    `${encoded(header)}.${encoded({ ...claims, sub: 'system:serviceaccount:kube-system:a' })}.${signature}`,
    `${encoded(header)}.${encoded(claims)}.AAAA`,
  ];
  for (const token of forged) {
    assert.throws(() => tokens.authenticate(token, serverAudiences), refused(/cryptographic primitive$/));
  }
  for (const token of ['', 'a', 'a.b', 'a.b.c', 'a.b.c.d', `${encoded({})}.${encoded([])}.x`, `${encoded({})}..`]) {
    assert.equal(tokens.authenticate(token, serverAudiences), undefined);
  }
});

test('compares the audiences of a token and of a TokenReview in linear time', () => {
  const { tokens, add } = bench();
  const account = add('/serviceaccounts', {});
  const names = Array.from({ length: 20_000 }, (_, at) => `a${at}`);
  const token = tokens.issue({ account, audiences: names, expirationSeconds: 600 });
  const reads = new ReadCounter(20 * names.length);
  const { audiences } =
    tokens.authenticate(token, reads.of(names.toReversed())) ?? assert.fail('the token is not authenticated');
  assert.deepEqual(audiences, names);
});
