/**
 * What holds for every history: a verdict, once given, stands; strangers do not move it; a broken clock or an
 * unknown fact makes it undetermined at most; nothing makes the watcher throw.
 */
import fc from 'fast-check';
import { expect, describe as group, test } from 'vitest';
import { decodeJournal, encodeFact } from '../../src/history/codec.ts';
import type { Fact } from '../../src/history/fact.ts';
import { judge } from '../../src/watcher/judge.ts';
import type { Finding, Report } from '../../src/watcher/report.ts';
import { createWatcher } from '../../src/watcher/watcher.ts';
import { stories } from './stories/index.ts';
import { Story } from './story.ts';

const seed = 20261129;

const corpus: readonly (readonly [string, () => Story])[] = stories.flatMap(
  ({ slug, holds, violates, alone }) =>
    Object.entries({ ...holds, ...violates, ...alone }).map(
      ([name, tell]) => [`${slug}: ${name}`, tell] as const,
    ),
);

function verdicts(findings: readonly Finding[]): ReadonlyMap<string, string> {
  return new Map(findings.map((finding) => [finding.id, finding.verdict]));
}

/** Whatever depends on where in the journal a fact stands. */
function unplaced({ id, evidence, request, decision, reproduce, ...rest }: Finding): unknown {
  return { ...rest, request: request && { ...request, exchange: 0 } };
}

test('the corpus is worth the name', () => {
  expect(corpus.length).toBeGreaterThan(80);
});

group('on any prefix of a journal', () => {
  test.each(corpus)('the verdict is the final one or undetermined: %s', (_, tell) => {
    const { facts } = tell();
    const final = verdicts(judge(facts).findings);
    const watcher = createWatcher();
    for (const [index, fact] of facts.entries()) {
      watcher.observe(fact);
      for (const finding of watcher.findings()) {
        if (finding.verdict === 'undetermined') continue;
        expect(finding.verdict, `after fact ${index + 1}: ${finding.message.did}`).toBe(
          final.get(finding.id),
        );
      }
    }
  });

  test.each(corpus)('a live watcher and one that reads the prefix from the start agree: %s', (_, tell) => {
    const { facts } = tell();
    const watcher = createWatcher();
    for (let length = 0; length < facts.length; length += 1) {
      watcher.observe(facts[length]!);
      if (length % 7 === 0) expect(watcher.finish()).toEqual(judge(facts.slice(0, length + 1)));
    }
  });
});

group('beside an unrelated session', () => {
  /** Two histories in one journal, interleaved by the given choices; exchanges and names kept apart. */
  function interleave(
    first: readonly Fact[],
    second: readonly Fact[],
    choices: readonly boolean[],
  ): readonly Fact[] {
    const merged: Fact[] = [];
    const seqs = [new Map<number, number>(), new Map<number, number>()] as const;
    const at = [0, 0];
    let choice = 0;
    const lists = [first, second] as const;
    while (at[0]! < first.length || at[1]! < second.length) {
      const wanted = choices[choice++ % choices.length] ? 1 : 0;
      const which = at[wanted]! < lists[wanted]!.length ? wanted : 1 - wanted;
      const fact = lists[which]![at[which]!]!;
      at[which]! += 1;
      const seq = merged.length + 1;
      seqs[which]!.set(fact.seq, seq);
      const renamed = which === 0 ? fact : aside(fact);
      const since =
        renamed.kind === 'deadline-elapsed' ? { since: seqs[which]!.get(renamed.since) ?? seq } : {};
      merged.push({ ...renamed, ...since, seq } as Fact);
    }
    return merged;
  }

  function aside(fact: Fact): Fact {
    const moved: Record<string, unknown> = { ...fact };
    for (const key of ['session', 'stream', 'decision', 'lane']) {
      if (typeof moved[key] === 'string') moved[key] = `other ${moved[key]}`;
    }
    if (typeof moved.exchange === 'number') moved.exchange = moved.exchange + 10_000;
    if (moved.kind === 'decision') moved.id = `other ${moved.id as string}`;
    if (moved.kind === 'request') moved.scope = 'other';
    return moved as unknown as Fact;
  }

  /** A session in another scope that is dropped, resumed, and lives on. */
  function stranger(): readonly Fact[] {
    const story = new Story({ header: false });
    const client = story.client().initialize();
    for (let n = 0; n < 3; n += 1) {
      const call = client.call('other', { n });
      call.progress('1', '2');
      call.drop('fin');
      call.missed(1, true);
      const leg = call.resume('2', { due: { ids: ['3', '4'], answers: true } });
      leg.show('3', call.progressMessage(3));
      leg.show('4', call.answerMessage());
      leg.complete();
    }
    client.delete();
    return story.facts;
  }

  test.each(corpus)('findings stay as they are: %s', (_, tell) => {
    const { facts } = tell();
    const end = facts.findIndex((fact) => fact.kind === 'child-exited');
    const body = end === -1 ? facts : facts.slice(0, end);
    const alone = judge(facts).findings.map(unplaced);
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 20, maxLength: 60 }), (choices) => {
        const merged = interleave(body, stranger(), choices);
        const tail =
          end === -1 ? [] : facts.slice(end).map((fact, n) => ({ ...fact, seq: merged.length + 1 + n }));
        const found = judge(monotonic([...merged, ...tail])).findings.filter(
          ({ scope }) => scope !== 'other',
        );
        expect(found.map(unplaced)).toEqual(alone);
      }),
      { seed, numRuns: 2 },
    );
  });

  /** The stranger takes no time of its own: its facts bear the time of the story's last. */
  function monotonic(facts: readonly Fact[]): readonly Fact[] {
    let now = 0;
    return facts.map((fact) => {
      const mine = !('exchange' in fact) || typeof fact.exchange !== 'number' || fact.exchange < 10_000;
      if (mine) now = Math.max(now, fact.at);
      return { ...fact, at: now };
    });
  }
});

group('with reordered timestamps', () => {
  test.each(corpus)('the verdict is the same or undetermined: %s', (_, tell) => {
    const { facts } = tell();
    const final = verdicts(judge(facts).findings);
    fc.assert(
      fc.property(
        fc.shuffledSubarray(
          facts.map((fact) => fact.at),
          { minLength: facts.length },
        ),
        (times) => {
          const moved = facts.map((fact, index) => ({ ...fact, at: times[index]! }));
          for (const finding of judge(moved).findings) {
            if (finding.verdict === 'undetermined') continue;
            expect(finding.verdict, finding.message.did).toBe(final.get(finding.id));
          }
        },
      ),
      { seed, numRuns: 6 },
    );
  });
});

group('whatever a journal holds', () => {
  test.each(corpus)('the same report comes from disk: %s', (_, tell) => {
    const { facts } = tell();
    const { facts: read, problems } = decodeJournal(facts.map(encodeFact).join(''));
    expect(problems).toEqual([]);
    expect(judge(read)).toEqual(judge(facts));
  });

  test('fact kinds of a later format change nothing', () => {
    for (const [, tell] of corpus) {
      const { facts } = tell();
      const strange = { seq: 0, at: 0, kind: 'weather', exchange: 1 } as unknown as Fact;
      const mixed = facts.flatMap((fact) => [fact, { ...strange, seq: fact.seq, at: fact.at }]);
      expect(judge(mixed)).toEqual(judge(facts));
    }
  });

  test('lost, doubled and displaced facts never make it throw', () => {
    const all = corpus.map(([, tell]) => tell().facts);
    fc.assert(
      fc.property(
        fc.nat(all.length - 1),
        fc.array(fc.tuple(fc.constantFrom('drop', 'double', 'swap'), fc.nat(200)), { maxLength: 20 }),
        (which, edits) => {
          const facts = [...all[which]!];
          for (const [edit, place] of edits) {
            const at = place % Math.max(1, facts.length - 1);
            if (edit === 'drop') facts.splice(at, 1);
            else if (edit === 'double') facts.splice(at, 0, facts[at]!);
            else if (facts.length > 1) [facts[at], facts[at + 1]] = [facts[at + 1]!, facts[at]!];
          }
          const report: Report = judge(facts);
          expect(report.schemaVersion).toBe(1);
        },
      ),
      { seed, numRuns: 600 },
    );
  });

  test('an empty history and a journal without its header give a report', () => {
    expect(judge([])).toMatchObject({
      findings: [],
      void: false,
      coverage: { detection: { detected: 0, total: 0 } },
    });
    const headless = new Story({ header: false });
    headless.client().initialize().call().answer('1');
    expect(judge(headless.facts).notes.join()).toContain('no header');
  });
});
