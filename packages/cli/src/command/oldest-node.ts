/** The oldest Node.js that this runs on. */
export const OLDEST_NODE = '20.19';
