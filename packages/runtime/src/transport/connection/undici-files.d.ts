// The types of the files of undici that the transport imports. The main file of undici also loads fetch, WebSocket, caches and mocks,
// which cost three times as much CPU time and twice as much memory at start, and replaces the dispatcher of the global fetch.

declare module 'undici/lib/core/connect.js' {
  import { buildConnector } from 'undici';

  export default buildConnector;
}

declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici';

  export default Pool;
}
