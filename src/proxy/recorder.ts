import type { FactBody } from '../history/fact.ts';

/** Appends a fact to the history; returns its sequence number. */
export type Recorder = (body: FactBody) => number;
