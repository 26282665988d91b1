/** Go's error texts for connection errors, by the error code of Node.js. */
const texts: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'connection refused'],
  ['ECONNRESET', 'connection reset by peer'],
  ['EHOSTUNREACH', 'no route to host'],
  ['ENETUNREACH', 'network is unreachable'],
  ['EADDRNOTAVAIL', 'cannot assign requested address'],
  ['EPIPE', 'broken pipe'],
  ['ETIMEDOUT', 'connection timed out'],
]);

type SocketError = NodeJS.ErrnoException & {
  readonly address?: string;
  readonly port?: number;
  /** The reason that OpenSSL reports. */
  readonly reason?: string;
};

/** Returns Go's error text for an error while a connection is opened. `host` is the host name or the IP address. */
export function dialFault(error: Error, host: string): string {
  const first = firstOf(error);
  const { code = '', syscall, address, port } = first as SocketError;
  if (code === 'ENOTFOUND') return `dial tcp: lookup ${host}: no such host`;
  if (code === 'EAI_AGAIN') return `dial tcp: lookup ${host}: server misbehaving`;
  const text = texts.get(code);
  if (text === undefined || syscall === undefined) return tlsFault(first);
  if (address === undefined || port === undefined) return `${syscall} tcp: ${syscall}: ${text}`;
  return `dial tcp ${address.includes(':') ? `[${address}]` : address}:${port}: connect: ${text}`;
}

/** Returns Go's error text for an error on an open connection before the webhook has answered. */
export function requestFault(error: Error): string {
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  const text = texts.get(code);
  // If the webhook closes the connection without an error, Node.js reports ECONNRESET without a system call.
  if (text === undefined || syscall === undefined) return code === 'ECONNRESET' ? 'EOF' : error.message;
  return `${syscall} tcp: ${syscall}: ${text}`;
}

/** Returns Go's error text for an error of the TLS handshake. */
function tlsFault(error: Error): string {
  const { code, reason } = error as SocketError;
  if (reason === undefined) return code === 'ECONNRESET' ? 'EOF' : error.message;
  // OpenSSL reads the first bytes of a response without TLS as the version of the protocol.
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER') return 'http: server gave HTTP response to HTTPS client';
  return `remote error: tls: ${reason.replace(/^(?:ssl\/)?tlsv1 alert /, '')}`;
}

/** Returns the error of the first address if the host name has several addresses. Returns any other error unchanged. */
function firstOf(error: Error): Error {
  const [first] = error instanceof AggregateError ? (error.errors as readonly Error[]) : [];
  return first ?? error;
}
