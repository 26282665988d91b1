import type { Duplex, Readable, Writable } from 'node:stream';
import type { ApiObject } from '../../registry/objects/api-object.js';

/** The size of a terminal in characters. */
export interface TerminalSize {
  readonly width: number;
  readonly height: number;
}

/** A command that a client runs in a container with `exec`, or a client that attaches to a container. */
export interface ExecSession {
  readonly pod: ApiObject;
  /** The name of the container. */
  readonly container: string;
  /** The program and its arguments. Empty for `attach`. */
  readonly command: readonly string[];
  /** Whether the client has a terminal. A terminal has no separate standard error. */
  readonly tty: boolean;
  /** The standard input. Ends immediately if the client sends none. */
  readonly stdin: Readable;
  /** The standard output. Discards the data if the client has not requested the standard output. */
  readonly stdout: Writable;
  /** The standard error. Discards the data if the client has not requested the standard error. */
  readonly stderr: Writable;
  /** Calls the listener for each size of the terminal that the client reports. */
  readonly onResize: (listener: (size: TerminalSize) => void) => void;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** The result of a command: the exit code, or the standard output of a command with exit code 0. Undefined represents exit code 0. */
export type ExecResult = number | string | undefined | void;

/** Handles `exec` or `attach`. If the handler rejects, the client receives the message of the error. */
export type ExecHandler = (session: ExecSession) => Promise<ExecResult> | ExecResult;

/** A connection to a port of a Pod. */
export interface PortForwardSession {
  readonly pod: ApiObject;
  readonly port: number;
  /** The bytes of the connection in both directions. The client is connected until the stream is closed. */
  readonly stream: Duplex;
}

/** Handles a connection to a port of a Pod. If the handler rejects, the client receives the message of the error. */
export type PortForwardHandler = (session: PortForwardSession) => unknown;

/** The handlers of the sessions of Pods, by the subresource of the Pod. */
export interface SessionHandlers {
  readonly exec: ExecHandler;
  readonly attach: ExecHandler;
  readonly portforward: PortForwardHandler;
}
