/** The oldest supported version of Node.js. */
export const OLDEST_NODE = '20.19';
