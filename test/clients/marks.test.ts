/**
 * Marks decide what the wire leaves open: of a client that says what became of its calls nothing is undetermined.
 * A client that its runner tears down says "closed"; what there was is the runner's to tell.
 */
import { expect, it } from 'vitest';
import { clients, columns, isAdmitted } from './matrix.ts';
import { matrixProfile, type Patient, runWard, scopeOf } from './run-ward.ts';

const sample = ['drop-fin', 'no-id', 'expire-call', 'regress', 'silence', 'refuse-resume'];
/** What a runner marks by itself. */
const withRunner = { RUNNER_MARKS: '1' };

const patients: readonly Patient[] = columns
  .filter(({ slug }) => sample.includes(slug))
  .flatMap((column) =>
    clients
      .filter((client) => client.only === undefined && isAdmitted(client, column))
      .map((client) => ({
        client: client.file,
        scope: scopeOf(client, column),
        env: { CALLS: '3', MARKS: '1', ...withRunner, ...client.env },
      })),
  );

it('with marks nothing of the ward is undetermined, and a client that is torn down has detected nothing', async () => {
  const { report, byScope } = await runWard(patients, matrixProfile());
  expect(report.findings.length).toBeGreaterThanOrEqual(patients.length * 0.9);
  // What became of the call, that is: whether a last call that was told of a 404 would have been followed by a
  // new session, nobody can say, and its verdict stays open.
  const undetermined = report.findings.filter(({ outcome }) => outcome === 'undetermined');
  expect(undetermined.map(({ scope, message }) => `${scope}: ${message.did}`)).toEqual([]);
  const torn = [...byScope].filter(([scope]) =>
    /^torn-down.*\/(no-id|regress|silence|refuse-resume)$/.test(scope),
  );
  expect(torn).toHaveLength(8);
  for (const [, found] of torn) {
    expect(found).toMatchObject([{ outcome: 'timed-out', detected: false, confidence: 'inferred' }]);
  }
}, 600_000);
