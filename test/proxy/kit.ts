/** A proxy in front of an upstream, with its facts in a list. */
import { readFileSync } from 'node:fs';
import type { Fact, FactBody } from '../../src/history/fact.ts';
import { ofKind } from '../../src/history/queries.ts';
import { fromWire } from '../../src/history/wire-bytes.ts';
import { parseProfile } from '../../src/profiles/parse.ts';
import { type ProxyOptions, type RunningProxy, startProxy } from '../../src/proxy/proxy.ts';

export interface Observed extends RunningProxy {
  readonly facts: readonly Fact[];
  of<Kind extends Fact['kind']>(kind: Kind): readonly (Fact & { readonly kind: Kind })[];
  /** What the journal says the client was shown in an exchange. */
  shown(exchange: number): Buffer;
}

/** A built-in profile by its name. */
export function profile(name: string): ProxyOptions['profile'] {
  const file = new URL(`../../profiles/${name}.yaml`, import.meta.url);
  return parseProfile(readFileSync(file, 'utf8'), file.pathname);
}

export async function proxyTo(url: string, options: Partial<ProxyOptions> = {}): Promise<Observed> {
  const facts: Fact[] = [];
  const record = (body: FactBody): number => {
    facts.push({ seq: facts.length + 1, at: facts.length, ...body });
    return facts.length;
  };
  const proxy = await startProxy({
    upstream: { name: 'upstream', url: new URL(url) },
    profile: profile('calm'),
    seed: '1',
    record,
    store: { maxEvents: 1000, maxBytes: 10_000_000 },
    deadlineMs: 60_000,
    ...options,
  });
  const of: Observed['of'] = (kind) => ofKind(facts, kind);
  return {
    ...proxy,
    facts,
    of,
    shown: (exchange) =>
      Buffer.concat(
        of('bytes')
          .filter((fact) => fact.exchange === exchange && fact.side !== 'upstream')
          .map((fact) => fromWire(fact.body)),
      ),
  };
}
