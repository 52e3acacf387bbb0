import type { Report } from '../watcher/report.ts';

export interface RenderOptions {
  /** Escape sequences for colour; only the terminal reporter has any. */
  readonly colour: boolean;
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
