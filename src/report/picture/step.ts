/**
 * One line of a sequence diagram. Client on the left, mcp-chaos in the middle, server on the right: a step
 * has an arrow in either half, in both, or is a remark across them.
 */

export type Tone =
  /** As it would have been without us. */
  | 'plain'
  /** mcp-chaos did it. */
  | 'injected'
  /** It never reached the client. */
  | 'lost'
  /** What the finding turns on. */
  | 'break'
  /** Beside the point; for orientation. */
  | 'quiet';

export interface Arrow {
  readonly to: 'client' | 'server';
  /** The event id in this half, which may differ from the other's. */
  readonly id?: string;
  readonly label: string;
  readonly tone: Tone;
  /** It stops at mcp-chaos. */
  readonly stops?: true;
}

export interface RawText {
  readonly title: string;
  readonly text: string;
}

export interface Step {
  /** The fact it stands for; the first where it stands for several. */
  readonly seq: number;
  /** Milliseconds since the run began. */
  readonly at: number;
  readonly kind: 'request' | 'head' | 'frame' | 'end' | 'note' | 'epoch' | 'deadline' | 'pause' | 'folded';
  /** Between client and mcp-chaos. */
  readonly left?: Arrow;
  /** Between mcp-chaos and server. */
  readonly right?: Arrow;
  /** A remark across the lanes. */
  readonly text?: string;
  /** What would have been delivered instead. */
  readonly instead?: string;
  readonly tone: Tone;
  /** The whole step in one sentence, for those who listen. */
  readonly sentence: string;
  /** The finding rests on it. */
  readonly evidence: boolean;
  /** Bytes and parameters behind it. */
  readonly raw: readonly RawText[];
}
