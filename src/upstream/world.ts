/** What outlives a session of the embedded server: side effects that happened, and the notes it serves. */
export interface World {
  /** One entry for each time `charge` ran, in any session. */
  readonly charges: { readonly amount: number; readonly reference: string | undefined }[];
  /** Version of each note by URI; a note that nobody touched is at version 1. */
  readonly notes: Map<string, number>;
  /** Told the URI of every note that changed; each session adds itself while it lives. */
  readonly watchers: Set<(uri: string) => void>;
}

export function createWorld(): World {
  return { charges: [], notes: new Map(), watchers: new Set() };
}
