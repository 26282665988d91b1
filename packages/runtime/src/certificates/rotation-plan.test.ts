import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { NO_CERTIFICATES, stateAfter, type Change } from './apply-step.js';
import { type CertificateState, parseState, stateData } from './certificate-state.js';
import { issueServing } from './issue-certificates.js';
import { isTrusted, nextStep, pruned, type RotationContext } from './rotation-plan.js';

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2030, 0, 1);
const HOSTS = ['shop-webhook.shop.svc', 'shop-webhook'];
const LIFETIMES = { lifetimeMs: 30 * HOUR_MS, authorityLifetimeMs: 300 * HOUR_MS };

function at(hours: number, more: Partial<RotationContext> = {}): RotationContext {
  return { nowMs: START_MS + hours * HOUR_MS, clocksAgree: true, isDistributed: true, hosts: HOSTS, ...more };
}
function after(
  type: Change['type'],
  state: CertificateState,
  { hours, hosts = HOSTS }: { readonly hours: number; readonly hosts?: readonly string[] },
): Promise<CertificateState> {
  return stateAfter({ type, reason: '' }, state, { ...LIFETIMES, hosts, nowMs: START_MS + hours * HOUR_MS });
}
const first = (): Promise<CertificateState> => after('create', NO_CERTIFICATES, { hours: 0 });
const typeAt = (state: CertificateState, hours: number, more: Partial<RotationContext> = {}): string =>
  nextStep(state, at(hours, more)).type;

test('a certificate is valid for the host names, is signed by the CA, and expires no later than the CA', async () => {
  const { signer, serving } = await first();
  assert.ok(signer !== undefined && serving !== undefined);
  const { certificate } = serving;
  for (const host of HOSTS) assert.equal(certificate.checkHost(host, { subject: 'never' }), host);
  assert.equal(certificate.checkHost('other'), undefined);
  assert.ok(certificate.checkIssued(signer.certificate) && certificate.verify(signer.certificate.publicKey));
  assert.equal(certificate.publicKey.asymmetricKeyDetails?.namedCurve, 'prime256v1');
  assert.equal(Date.parse(certificate.validTo), START_MS + 30 * HOUR_MS);
  const late = await issueServing(signer, { hosts: HOSTS, nowMs: START_MS + 290 * HOUR_MS, lifetimeMs: 30 * HOUR_MS });
  assert.equal(new X509Certificate(late.cert).validTo, signer.certificate.validTo);
});

test('an empty Secret gets a CA and a serving certificate', () => {
  assert.equal(typeAt(NO_CERTIFICATES, 0), 'create');
});

test('a serving certificate is renewed after two thirds of its lifetime', async () => {
  const state = await first();
  assert.deepEqual(nextStep(state, at(0)), { type: 'wait', untilMs: START_MS + 20 * HOUR_MS });
  assert.equal(typeAt(state, 19.99), 'wait');
  assert.equal(typeAt(state, 20), 'renewServing');
});

test('a replica with a wrong clock renews a certificate after nine tenths of its lifetime', async () => {
  const state = await first();
  assert.equal(typeAt(state, 26.9, { clocksAgree: false }), 'wait');
  assert.equal(typeAt(state, 27, { clocksAgree: false }), 'renewServing');
});

test('a serving certificate for other host names is replaced', async () => {
  const state = await after('create', NO_CERTIFICATES, { hours: 0, hosts: ['old-webhook.shop.svc'] });
  assert.equal(typeAt(state, 1), 'renewServing');
});

test('a serving certificate of a new CA is issued only when the new CA is distributed', async () => {
  const created = await first();
  const current = await after('renewServing', created, { hours: 190 });
  assert.equal(typeAt(current, 200), 'renewAuthority');
  const overlapping = await after('renewAuthority', current, { hours: 200 });
  assert.equal(overlapping.authorities.length, 2);
  assert.equal(overlapping.serving, current.serving);
  assert.equal(typeAt(overlapping, 201, { isDistributed: false }), 'wait');
  assert.equal(typeAt(overlapping, 201), 'renewServing');
  const switched = await after('renewServing', overlapping, { hours: 201 });
  assert.ok(switched.serving?.certificate.checkIssued(switched.authorities[0] ?? created.authorities[0]!));
  // The last certificate of the old CA expires after 220 h, and is kept 5 min longer.
  assert.equal(pruned(switched, START_MS + 220 * HOUR_MS).authorities.length, 2);
  assert.equal(pruned(switched, START_MS + 220.1 * HOUR_MS).authorities.length, 1);
});

test('an expired serving certificate is replaced even if the new CA is not distributed', async () => {
  const overlapping = await after('renewAuthority', await first(), { hours: 1 });
  assert.equal(typeAt(overlapping, 29.9, { isDistributed: false }), 'wait');
  assert.equal(typeAt(overlapping, 30, { isDistributed: false }), 'renewServing');
});

test('certificates that are not valid yet are replaced', async () => {
  const future = await after('create', NO_CERTIFICATES, { hours: 1000 });
  assert.equal(typeAt(future, 0), 'create');
});

test('a CA without its key is replaced, and stays in the bundle while its certificate is served', async () => {
  const { state, problems } = parseState({ ...stateData(await first()), 'ca.key': '' });
  assert.deepEqual(problems, [{ key: 'ca.key', problem: 'is missing or empty' }]);
  assert.equal(typeAt(state, 1), 'renewAuthority');
  const renewed = await after('renewAuthority', state, { hours: 1 });
  assert.equal(renewed.authorities.length, 2);
  assert.ok(renewed.serving !== undefined && isTrusted(renewed.serving.certificate, renewed, START_MS + HOUR_MS));
});

test('a state that is written to a Secret and read again is unchanged', async () => {
  const state = await after('renewServing', await after('renewAuthority', await first(), { hours: 1 }), { hours: 2 });
  const parsed = parseState(stateData(state));
  assert.deepEqual(parsed.problems, []);
  assert.deepEqual(stateData(parsed.state), stateData(state));
});

test('reports the keys of values in the Secret that are not text', () => {
  const { problems } = parseState({ 'tls.crt': 1, 'tls.key': null, 'ca.crt': {}, 'ca.key': [] });
  assert.deepEqual(problems.map(({ key }) => key).toSorted(), ['ca.crt', 'ca.key', 'tls.crt', 'tls.key']);
});
