/** Limits per server, address and socket. Tests pass smaller ones. */
export type Limits = {
  sockets: number;
  socketsPerAddress: number;
  channelsPerSocket: number;
  subscriptionsPerChannel: number;
  frameBytes: number;
  /** Unreadable frames before the socket is closed. */
  malformedFrames: number;
  /** Frames in the queue; a client that waits for replies has few. */
  waitingFrames: number;
  framesPerWindow: number;
  windowMs: number;
  /** Frames of all sockets of one address: burst, then rate per second. */
  framesAtOncePerAddress: number;
  framesPerSecondPerAddress: number;
  silenceMs: number;
  silenceCheckMs: number;
  /** Unread bytes before a slow socket is closed. */
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
  // After a restart 200 browsers behind one address rejoin their channels, with about ten frames each.
  framesAtOncePerAddress: 2_000,
  framesPerSecondPerAddress: 100,
  silenceMs: 60_000,
  silenceCheckMs: 10_000,
  unreadBytes: 1024 * 1024,
};
