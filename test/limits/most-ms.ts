/** Upper limit of the time in which the server serves no other request, in milliseconds on the reference machine. */
export const mostMs = 100;
