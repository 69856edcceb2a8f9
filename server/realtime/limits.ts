/** What one server, one address and one socket may use. Tests pass smaller ones. */
export type Limits = {
  sockets: number;
  socketsPerAddress: number;
  channelsPerSocket: number;
  subscriptionsPerChannel: number;
  frameBytes: number;
  /** Unreadable frames before the socket is closed. */
  malformedFrames: number;
  /** Frames waiting for their turn; a client that waits for answers has few. */
  waitingFrames: number;
  framesPerWindow: number;
  windowMs: number;
  /** Frames of all sockets of one address: at once, and then per second. */
  framesAtOncePerAddress: number;
  framesPerSecondPerAddress: number;
  silenceMs: number;
  silenceCheckMs: number;
  /** Bytes a slow reader may leave unread. */
  unreadBytes: number;
};

export const defaultLimits: Limits = {
  sockets: 1_000,
  socketsPerAddress: 200,
  channelsPerSocket: 20,
  subscriptionsPerChannel: 10,
  frameBytes: 16 * 1024,
  malformedFrames: 10,
  waitingFrames: 100,
  framesPerWindow: 500,
  windowMs: 10_000,
  // After a restart 200 browsers behind one address join their channels again, with about ten frames each.
  framesAtOncePerAddress: 2_000,
  framesPerSecondPerAddress: 100,
  silenceMs: 60_000,
  silenceCheckMs: 10_000,
  unreadBytes: 1024 * 1024,
};
