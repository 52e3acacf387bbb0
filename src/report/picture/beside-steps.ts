/** What belongs to a story and to no exchange of it: epochs, deadlines, marks, the end of the command. */
import type { Finding } from '../../watcher/report.ts';
import type { ExchangeView, HistoryView } from './history-view.ts';
import type { Step } from './step.ts';
import { durationInWords } from './words.ts';

/** Epochs, deadlines and marks that belong to what is shown. */
export function besideSteps(
  history: HistoryView,
  core: readonly ExchangeView[],
  evidence: ReadonlySet<number>,
  finding: Finding,
): readonly Step[] {
  const lanes = new Set(core.map(({ request }) => request.lane));
  const from = core[0]!.request.seq;
  const until = Math.max(...core.map(({ facts }) => facts.at(-1)?.seq ?? 0));
  return history.beside.flatMap((fact): readonly Step[] => {
    const base = { seq: fact.seq, at: fact.at, evidence: evidence.has(fact.seq), raw: [] };
    switch (fact.kind) {
      case 'session-restarted': {
        if (!lanes.has(fact.lane) || fact.seq < from || fact.seq > until) return [];
        const text = `epoch ${fact.epoch}: another session behind the same id`;
        const sentence = `Epoch ${fact.epoch} begins: the server's session was replaced behind the id that the client holds.`;
        return [{ ...base, kind: 'epoch', text, tone: 'break', sentence }];
      }
      case 'deadline-elapsed': {
        if (!evidence.has(fact.seq)) return [];
        const after = durationInWords(history.started?.options.deadlineMs ?? 0);
        const text = `deadline: ${after} without a reaction`;
        return [
          {
            ...base,
            kind: 'deadline',
            text,
            tone: 'break',
            sentence: `The deadline of ${after} has passed.`,
          },
        ];
      }
      case 'mark': {
        if (!evidence.has(fact.seq) && fact.requestId !== finding.request?.id) return [];
        const of = fact.name ?? fact.tool ?? 'a call';
        const text = `the suite: ${of} ${fact.phase}${fact.error === undefined ? '' : `, ${fact.error}`}`;
        return [
          { ...base, kind: 'note', text, tone: 'plain', sentence: `The suite says: ${text.slice(11)}.` },
        ];
      }
      default:
        return [];
    }
  });
}

/** The client's own deadline, where it was told to us and is what ended the call. */
export function clientDeadline(history: HistoryView, finding: Finding): readonly Step[] {
  const timeoutMs = history.started?.options.clientTimeoutMs;
  const asked = finding.request === null ? undefined : history.exchange(finding.request.exchange)?.request.at;
  if (timeoutMs === undefined || asked === undefined || finding.outcome !== 'timed-out') return [];
  return [
    {
      seq: 0,
      at: asked + timeoutMs,
      kind: 'deadline',
      text: `the client's own timeout, ${durationInWords(timeoutMs)}`,
      tone: 'break',
      sentence: `The client's own timeout of ${durationInWords(timeoutMs)} is over.`,
      evidence: false,
      raw: [],
    },
  ];
}

/** Who is still waiting waits until the command ends. */
export function endOfRun(history: HistoryView, finding: Finding): readonly Step[] {
  const { exited } = history;
  const waits = ['hung', 'stuck', 'crashed', 'undetermined'].includes(finding.outcome);
  if (exited === undefined || (!waits && !finding.evidence.includes(exited.seq))) return [];
  const how = exited.signal === null ? `exited with ${exited.code}` : `was ended by ${exited.signal}`;
  return [
    {
      seq: exited.seq,
      at: exited.at,
      kind: 'note',
      text: `the command ${how}`,
      tone: 'plain',
      sentence: `The command ${how}.`,
      evidence: finding.evidence.includes(exited.seq),
      raw: [],
    },
  ];
}
