import { isIPv4, isIPv6, type Socket } from 'node:net';
import type { HostAndPort } from './host-and-port.js';
import type { ProxyAddress } from './proxy-address.js';

const VERSION = 5;
const PASSWORD_VERSION = 1;
const NO_CREDENTIALS = 0;
const PASSWORD = 2;
const CONNECT = 1;
const IPV4 = 1;
const NAME = 3;
const IPV6 = 4;

/** The reasons with which a proxy refuses a connection, by reply code. See RFC 1928, section 6. */
const REFUSALS = [
  'general failure',
  'not allowed by its rules',
  'the network is unreachable',
  'the host is unreachable',
  'connection refused',
  'timed out',
  'it does not support the CONNECT command',
  'it does not support this type of address',
];

/**
 * Opens a tunnel to the target through a SOCKS 5 proxy. `socket` is the open connection to the proxy. The proxy resolves the host name of
 * the target. Rejects with the reason of the proxy if the proxy refuses the tunnel.
 */
export async function openSocksTunnel(
  socket: Socket,
  target: HostAndPort,
  { credentials }: ProxyAddress,
): Promise<void> {
  const methods = credentials === undefined ? [NO_CREDENTIALS] : [NO_CREDENTIALS, PASSWORD];
  socket.write(Buffer.from([VERSION, methods.length, ...methods]));
  const [version, method] = await bytesOf(socket, 2);
  if (version !== VERSION) throw new Error('it does not support SOCKS 5');
  if (method === PASSWORD && credentials !== undefined) await logIn(socket, credentials);
  else if (method !== NO_CREDENTIALS) {
    throw new Error(
      credentials === undefined
        ? 'it requires credentials: add user and password to its URL'
        : 'it does not accept user and password: correct or remove them in its URL',
    );
  }
  socket.write(Buffer.from([VERSION, CONNECT, 0, ...addressOf(target.host), target.port >> 8, target.port & 0xff]));
  const [, code = 0, , kind] = await bytesOf(socket, 4);
  if (code !== 0) throw new Error(`it did not connect to ${target.host}: ${REFUSALS[code - 1] ?? `error ${code}`}`);
  // Skips the address of the proxy in the response, which is not needed.
  const [length = 0] = kind === NAME ? await bytesOf(socket, 1) : [kind === IPV6 ? 16 : 4];
  await bytesOf(socket, length + 2);
}

/** Authenticates with user and password. See RFC 1929. */
async function logIn(socket: Socket, credentials: NonNullable<ProxyAddress['credentials']>): Promise<void> {
  const { username, password } = credentials;
  socket.write(Buffer.from([PASSWORD_VERSION, ...withLength(username), ...withLength(password)]));
  const [, status] = await bytesOf(socket, 2);
  if (status !== 0) throw new Error('it rejected the user and password: check the user and password in its URL');
}

function addressOf(host: string): readonly number[] {
  if (isIPv4(host)) return [IPV4, ...host.split('.').map(Number)];
  if (isIPv6(host)) return [IPV6, ...ipv6Bytes(host)];
  return [NAME, ...withLength(host)];
}

/** Returns the 16 bytes of an IPv6 address. The address must have the form that the URL class of JavaScript returns. */
function ipv6Bytes(host: string): readonly number[] {
  const [before = [], after = []] = host.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16)).flatMap((n) => [n >> 8, n & 0xff]);
}

function withLength(text: string): readonly number[] {
  const bytes = Buffer.from(text);
  if (bytes.length > 255) throw new Error('host, user and password must not be longer than 255 bytes each');
  return [bytes.length, ...bytes];
}

/** Reads exactly `count` bytes. Leaves later bytes in the socket. */
function bytesOf(socket: Socket, count: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const done = (settle: () => void): void => {
      socket.off('readable', read).off('close', onClose).off('error', onError);
      settle();
    };
    const read = (): void => {
      const bytes = socket.read(count) as Buffer | null;
      if (bytes?.length === count) done(() => resolve(bytes));
    };
    const onClose = (): void => done(() => reject(new Error('it closed the connection')));
    const onError = (error: Error): void => done(() => reject(error));
    socket.on('readable', read).on('close', onClose).on('error', onError);
    read();
  });
}
