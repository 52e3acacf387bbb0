import type { Fact } from '../history/fact.ts';
import type { Report } from '../watcher/report.ts';

export interface RenderOptions {
  /** Escape sequences for colour; only the terminal reporter has any. */
  readonly colour: boolean;
  /** For reporters that draw (`html`); asked for once, and only by them. */
  readonly drawing?: () => Drawing;
}

/** What a page needs beside the report, and the core cannot get by itself. */
export interface Drawing {
  /** The history that the report was judged from, or of one seed of a sweep; empty where it is not at hand. */
  history(seed?: number): readonly Fact[];
  /** The page's program and its looks, bundled by the build. */
  readonly script: string;
  readonly style: string;
  /** gzip. */
  compress(text: string): Uint8Array;
}

/** A pure function from the report of a run (or of a sweep) to a text, with the name it is asked for by. */
export interface Reporter<Subject = Report> {
  /** As in `--report <name>`. */
  readonly name: string;
  /** What it is for, in some words. */
  readonly summary: string;
  /** Of the file that it is written to, without the dot. */
  readonly extension: string;
  render(report: Subject, options: RenderOptions): string;
}

export function defineReporter(reporter: Reporter): Reporter {
  return reporter;
}
