/** A literal finding: a restarted counter that went unnoticed. */
import type { Finding } from '../../src/watcher/report.ts';

export function finding(over: Partial<Finding> = {}): Finding {
  return {
    id: 'f1',
    obligation: 'validates-resumed-cursor',
    level: 'CONTRACT',
    fault: 'regress-cursor',
    decision: 'd1',
    revision: '2025-11-25',
    upstream: 'embedded',
    scope: 'main',
    session: 'abc',
    request: { id: 1, method: 'tools/call', tool: 'count', exchange: 5 },
    detectability: 'definite',
    outcome: 'timed-out',
    flags: [],
    detected: false,
    countsFor: 'detection',
    verdict: 'violated',
    confidence: 'proven',
    latencyMs: 3000,
    evidence: [1],
    message: { shown: 'resumed after id 8412 and was shown id 17.', did: 'waited.' },
    reproduce: 'mcp-chaos --profile desync --seed 1 --only d1 -- npm test',
    ...over,
  };
}
