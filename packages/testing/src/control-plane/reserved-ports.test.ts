import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { ReservedPorts } from './reserved-ports.js';

test('ReservedPorts reserves ports that are distinct and outside the range of ephemeral ports', async () => {
  const taken = await Promise.all(Array.from({ length: 20 }, () => ReservedPorts.take(4)));
  const ports = taken.flatMap((kept) => kept.ports);
  assert.equal(new Set(ports).size, 80);
  assert.ok(ports.every((port) => port >= 20_000 && port < 32_768));
  await Promise.all(taken.map((reserved) => reserved[Symbol.asyncDispose]()));
});

test('ReservedPorts does not reserve a port with a listener', async () => {
  await using other = await ReservedPorts.take(1);
  const [port = 0] = other.ports;
  await other[Symbol.asyncDispose]();
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  const taken = await Promise.all(Array.from({ length: 20 }, () => ReservedPorts.take(7)));
  assert.ok(taken.every(({ ports }) => !ports.includes(port)));
  await Promise.all(taken.map((reserved) => reserved[Symbol.asyncDispose]()));
  await new Promise((resolve) => server.close(resolve));
});
