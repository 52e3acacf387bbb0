/** Fifty sessions at once: every finding belongs to the session and the request that it names. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { RequestFact } from '../../src/history/fact.ts';
import { clients, columns } from '../clients/matrix.ts';
import { matrixProfile, type Patient, runWard, type WardRun } from '../clients/run-ward.ts';

const admitted = clients.filter(({ only }) => only === undefined);
// Every client, and every fault at least once; all number their requests from 1, so that ids alone tell nobody apart.
const patients: readonly Patient[] = Array.from({ length: 50 }, (_, index) => {
  const client = admitted[(index * 7) % admitted.length]!;
  const column = columns[index % columns.length]!;
  return {
    client: client.file,
    scope: `${index}-${client.slug}/${column.slug}`,
    env: { CALLS: '3', MARKS: '1', PARTS: '20', PART_MS: '20', ...client.env },
  };
});

let run: WardRun;
beforeAll(async () => {
  run = await runWard(patients, matrixProfile(), { atOnce: 50 });
}, 240_000);

describe('fifty sessions at once', () => {
  it('were at work at the same time', () => {
    const spans = new Map<string, { from: number; to: number }>();
    for (const fact of run.journal) {
      if (fact.kind !== 'request') continue;
      const span = spans.get(fact.scope) ?? { from: fact.at, to: fact.at };
      spans.set(fact.scope, { from: span.from, to: fact.at });
    }
    const all = [...spans.values()];
    const most = Math.max(
      ...all.map(({ from }) => all.filter((other) => other.from <= from && from <= other.to).length),
    );
    expect(spans.size).toBe(50);
    expect(most).toBe(50);
  });

  it('have findings that name the scope, the session and the request of the fault', () => {
    const requests = new Map<number, RequestFact>();
    const bodies = new Map<number, string>();
    const sessionsOf = new Map<string, Set<string | undefined>>();
    for (const fact of run.journal) {
      if (fact.kind === 'request') {
        requests.set(fact.exchange, fact);
        sessionsOf.set(fact.scope, (sessionsOf.get(fact.scope) ?? new Set()).add(fact.session));
      }
      if (fact.kind === 'request-body' && 'text' in fact.body) bodies.set(fact.exchange, fact.body.text);
    }
    const decisions = new Map(run.report.decisions.map((decision) => [decision.id, decision]));
    expect(run.report.findings.length).toBeGreaterThanOrEqual(45);
    for (const finding of run.report.findings) {
      const { request, decision, scope, session } = finding;
      const label = `${finding.id} of ${scope}`;
      if (decision !== null) {
        const { site, fault } = decisions.get(decision)!;
        expect(decodeURIComponent(site.split('/')[1]!), label).toBe(scope);
        expect(columns.find(({ slug }) => scope.endsWith(`/${slug}`))?.fault, label).toBe(fault);
      }
      for (const seq of finding.evidence) {
        const fact = run.journal[seq - 1]!;
        const exchange = 'exchange' in fact ? fact.exchange : undefined;
        if (exchange !== undefined) expect(requests.get(exchange)?.scope, label).toBe(scope);
        if (fact.kind === 'mark') expect(fact.scope, label).toBe(scope);
      }
      if (request === null) continue;
      const asked = requests.get(request.exchange)!;
      expect(asked.scope, label).toBe(scope);
      // A greedy client comes back under the other id that it was shown; the session stays the one that began.
      if (!/greedy|adopting/.test(scope)) expect(asked.session, label).toBe(session);
      expect(sessionsOf.get(scope), label).toContain(session);
      expect(JSON.parse(bodies.get(request.exchange)!), label).toMatchObject({
        id: request.id,
        method: request.method,
        params: { name: request.tool },
      });
    }
  });

  it('have no finding in the scope of a client that nothing was done to, and none outside all scopes', () => {
    const scopes = new Set(patients.map(({ scope }) => scope));
    expect([...run.byScope.keys()].filter((scope) => !scopes.has(scope))).toEqual([]);
    expect(run.report.void).toBe(false);
  });
});
