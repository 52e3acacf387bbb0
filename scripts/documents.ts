/**
 * The parts of the documents that the code knows better: tables made of the registries that the program itself uses.
 * In a page they stand between `<!-- generated:name -->` and `<!-- /generated -->`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { exitCodes } from '../src/cli/exit-codes.ts';
import { type Option, options } from '../src/cli/options.ts';
import { faults } from '../src/faults/index.ts';
import { profileJsonSchema } from '../src/profiles/json-schema.ts';
import { parseProfile } from '../src/profiles/parse.ts';
import { reportJsonSchema } from '../src/report/report-schema.ts';
import { obligations } from '../src/watcher/obligations/index.ts';
import { sampleFile } from './sample.ts';
import { wardSeedsTable, wardTable } from './ward-table.ts';

export interface Document {
  /** Inside the repository. */
  readonly path: string;
  readonly file: string;
  readonly found: string;
  readonly wanted: string;
}

const root = fileURLToPath(new URL('..', import.meta.url));

/** Every page with generated parts: as it is, and as it should be. */
export async function documents(): Promise<readonly Document[]> {
  return [
    page('README.md', {
      sample: sample(),
      'exit-codes': exitCodeTable(),
      options: optionTable((group) => group !== 'Many seeds'),
      profiles: profileTable(),
      faults: faultTable(),
    }),
    page('docs/faults.md', { faults: faultPages() }),
    page('docs/obligations.md', { obligations: obligationPages() }),
    page('docs/sweep.md', { options: optionTable((group) => group === 'Many seeds') }),
    // On one line: indented it would be a tenth of the package.
    whole('schemas/profile.schema.json', `${JSON.stringify(profileJsonSchema())}\n`),
    whole('schemas/report.schema.json', `${JSON.stringify(reportJsonSchema(), null, 2)}\n`),
    page('docs/ward.md', { matrix: wardTable(), seeds: wardSeedsTable() }),
  ];
}

function page(path: string, parts: Readonly<Record<string, string>>): Document {
  const file = join(root, path);
  const found = readFileSync(file, 'utf8');
  return { path, file, found, wanted: fill(path, found, parts) };
}

/** A file that is generated from its first line to its last. */
function whole(path: string, wanted: string): Document {
  const file = join(root, path);
  return { path, file, found: existsSync(file) ? readFileSync(file, 'utf8') : '', wanted };
}

/** Puts the parts between their markers. Every marker must be known and every part must have its place. */
export function fill(path: string, text: string, parts: Readonly<Record<string, string>>): string {
  const placed = new Set<string>();
  const filled = text.replace(
    /<!-- generated:([\w-]+) -->[\s\S]*?<!-- \/generated -->/g,
    (_whole, name: string) => {
      const part = parts[name];
      if (part === undefined) throw new Error(`${path}: nothing makes generated:${name}`);
      placed.add(name);
      return `<!-- generated:${name} -->\n\n${part.trim()}\n\n<!-- /generated -->`;
    },
  );
  const homeless = Object.keys(parts).filter((name) => !placed.has(name));
  if (homeless.length > 0)
    throw new Error(`${path}: no place for generated:${homeless.join(', generated:')}`);
  return filled;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ').trim()).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function exitCodeTable(): string {
  return table(
    ['code', 'meaning'],
    exitCodes.map(({ code, meaning }) => [String(code), meaning]),
  );
}

function optionTable(shown: (group: Option['group']) => boolean): string {
  const all = (options as readonly Option[]).filter(({ group }) => shown(group));
  const groups = [...new Set(all.map(({ group }) => group))];
  return groups
    .map((wanted) => {
      const rows = all
        .filter(({ group }) => group === wanted)
        .map(({ name, value, describe, default: fallback, repeatable }) => [
          `\`--${name}${value === undefined ? '' : ` <${value}>`}\``,
          `${describe}${repeatable ? ' (repeatable)' : ''}`,
          fallback ?? '',
        ]);
      return table([wanted, '', 'default'], rows);
    })
    .join('\n\n');
}

const profiles = readdirSync(join(root, 'profiles'))
  .filter((name) => name.endsWith('.yaml'))
  .sort()
  .map((name) => parseProfile(readFileSync(join(root, 'profiles', name), 'utf8'), `profiles/${name}`));

/** Profiles that are named after their one fault need no row: the fault's says what happens. */
function profileTable(): string {
  const single = profiles.filter(({ name }) => faults.some((fault) => fault.name === name));
  const weather = profiles.filter((profile) => !single.includes(profile));
  const rows = weather.map(({ name, contract, rules, description }) => [
    `\`${name}\``,
    description,
    contract,
    [...new Set(rules.map(({ fault }) => fault))].join(', ') || 'none',
  ]);
  const names = single.map(({ name }) => `\`${name}\``).join(', ');
  return `${table(['profile', 'what it is', 'event ids', 'faults'], rows)}\n\nOne fault alone: ${names}.`;
}

function faultTable(): string {
  return table(
    ['fault', 'on the wire', 'detectable'],
    faults.map((fault) => {
      const { control, detectability } = fault.bind({});
      return [`\`${fault.name}\``, fault.summary, control ? 'control' : detectability.level];
    }),
  );
}

/** Control and detectability may depend on parameters; shown are those of the defaults, as `mcp-chaos faults` does. */
function faultPages(): string {
  return faults
    .map((fault) => {
      const { control, detectability, reach, channels, provokes } = fault.bind({});
      const facts = [
        control
          ? 'a control: a correct client survives it'
          : `detectable: ${detectability.level}, ${detectability.why}`,
        `reach: ${reach === 'session' ? 'the whole session' : 'one call'}, streams born of ${channels.join(' or ')}`,
        ...(provokes.length > 0 ? [`meant to exercise: ${provokes.join(', ')}`] : []),
      ];
      return [
        `## ${fault.name}`,
        `${fault.summary} Imitates ${fault.imitates}.`,
        facts.map((fact) => `- ${fact}`).join('\n'),
        parameterTable(fault.params),
      ]
        .filter((part) => part !== '')
        .join('\n\n');
    })
    .join('\n\n');
}

interface ParameterSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly description?: string;
}

function parameterTable(params: z.ZodType): string {
  const { properties = {} } = z.toJSONSchema(params, { io: 'input' }) as {
    readonly properties?: Readonly<Record<string, ParameterSchema>>;
  };
  const rows = Object.entries(properties).map(([name, schema]) => [
    `\`${name}\``,
    valuesOf(schema),
    schema.default === undefined ? '' : `\`${JSON.stringify(schema.default)}\``,
    schema.description ?? '',
  ]);
  return rows.length === 0 ? '' : table(['parameter', 'values', 'default', ''], rows);
}

function valuesOf({ type, enum: values, minimum, maximum }: ParameterSchema): string {
  if (values) return values.map((value) => `\`${JSON.stringify(value)}\``).join(', ');
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`;
  return type ?? '';
}

function obligationPages(): string {
  return obligations
    .map(({ slug, summary, statement, level, source, occasions }) => {
      const revisions = source.since
        ? `, ${source.since} ${source.until ? `to ${source.until}` : 'and later'}`
        : '';
      const clause = source.url ? `[${source.clause}](${source.url})` : source.clause;
      const provokers = faults
        .filter(({ provokes }) => provokes.includes(slug))
        .map(({ name }) => `\`${name}\``);
      return [
        `## ${slug}`,
        `A client ${summary}.`,
        `> ${statement}`,
        [
          `- level: ${level}${revisions}`,
          `- source: ${clause}`,
          `- occasions: ${occasions.join(', ')}`,
          `- faults that are meant to provoke it: ${provokers.join(', ') || 'none by name'}`,
        ].join('\n'),
      ].join('\n\n');
    })
    .join('\n\n');
}

function sample(): string {
  if (!existsSync(sampleFile)) throw new Error('no sample yet: npm run docs -- --sample');
  return `\`\`\`text\n${readFileSync(sampleFile, 'utf8').trimEnd()}\n\`\`\``;
}
