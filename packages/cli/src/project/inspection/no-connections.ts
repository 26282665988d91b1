import { Socket } from 'node:net';
import { KubewrightError } from '@kubewright/api/errors';

/** The address to which a socket connects. */
export interface ConnectedAddress {
  readonly host: string;
  /** Undefined for a socket of the file system. */
  readonly port: number | undefined;
}

/**
 * Replaces `Socket.connect` in this process, so that connections fail, regardless of the client library.
 *
 * @param refusal returns the error of a connection, or undefined to allow the connection; by default, all connections fail with
 *   EARLY_CONNECTION
 */
export function refuseConnections(refusal: (address: ConnectedAddress) => Error | undefined = early): void {
  const { connect } = Socket.prototype as { readonly connect: (this: Socket, ...args: readonly unknown[]) => Socket };
  Socket.prototype.connect = function refuse(this: Socket, ...args: unknown[]): Socket {
    const error = refusal(addressOf(args));
    return error === undefined ? connect.apply(this, args) : this.destroy(error);
  };
}

function early(): KubewrightError {
  return new KubewrightError(
    'EARLY_CONNECTION',
    'the program opens a connection before it calls manager.start(), which is not allowed during an inspection; open the connection in a hook or a runnable of the manager',
  );
}

/** Returns the address in the arguments of `Socket.connect`: options, a port and a host, or a path. Node.js itself passes a list. */
function addressOf([first, second]: readonly unknown[]): ConnectedAddress {
  const given: unknown = Array.isArray(first) ? first[0] : first;
  if (typeof given === 'object' && given !== null) {
    const { host, port, path } = given as { readonly host?: unknown; readonly port?: unknown; readonly path?: unknown };
    if (port !== undefined) return { host: String(host ?? 'localhost'), port: Number(port) };
    return { host: String(path), port: undefined };
  }
  const port = Number(given);
  if (Number.isNaN(port)) return { host: String(given), port: undefined };
  return { host: typeof second === 'string' ? second : 'localhost', port };
}
