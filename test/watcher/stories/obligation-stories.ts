/** For each obligation: histories in which it holds, is violated, and must be left alone. */
import type { Story } from '../story.ts';

export interface ObligationStories {
  readonly slug: string;
  readonly holds: Readonly<Record<string, () => Story>>;
  readonly violates: Readonly<Record<string, () => Story>>;
  /** Nothing may be held against the client here. */
  readonly alone: Readonly<Record<string, () => Story>>;
}
