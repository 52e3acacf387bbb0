/**
 * The shape of the code, enforced: ARCHITECTURE.md names the rules, this file breaks when one is broken.
 * It reads the syntax tree, so neither a comment nor a lint suppression can hide anything from it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { faults } from '../src/faults/index.ts';
import { parseProfile } from '../src/profiles/parse.ts';
import { reporters } from '../src/report/index.ts';
import { obligations } from '../src/watcher/obligations/index.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const src = join(root, 'src');

/** Folders in the order of the flow. Imports point up this list only. */
const core = [
  'sse',
  'mcp',
  'random',
  'history',
  'cursor',
  'faults',
  'profiles',
  'schedule',
  'watcher',
  'sweep',
  'cases',
  'report',
];
const shell = ['intercept', 'proxy', 'upstream', 'control', 'runner', 'cli'];
/** Stands alone: it ships inside other people's clients. */
const alone = ['guard'];
/** Runs in a browser: it may use the core, and nothing imports it. */
const browser = ['page'];
const layers = [...core, ...shell];

/** Files that hold the words two stages share. Their *types* may be imported from anywhere in the core. */
const contracts = [
  'cursor/contract.ts',
  'history/fact.ts',
  'faults/effect.ts',
  'faults/fault.ts',
  'schedule/site.ts',
  'schedule/decision.ts',
  'watcher/report.ts',
  'sweep/record.ts',
  'sweep/report.ts',
];

/** Packages that compute and touch nothing. */
const purePackages = ['zod', 'yaml', 'seedrandom', '@noble/hashes'];

/** Clocks, chance, timers, process state and sockets: whatever makes the same input give another output. */
const impureGlobals = [
  'Buffer',
  'crypto',
  'fetch',
  'performance',
  'process',
  'queueMicrotask',
  'setImmediate',
  'setInterval',
  'setTimeout',
];

interface Import {
  readonly from: string;
  readonly specifier: string;
  readonly typeOnly: boolean;
}

interface Source {
  /** Path inside src/, with forward slashes. */
  readonly path: string;
  readonly folder: string;
  readonly lines: number;
  readonly tree: ts.SourceFile;
  readonly imports: readonly Import[];
}

const sources: readonly Source[] = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => readSource(path.replaceAll('\\', '/')))
  .sort((a, b) => (a.path < b.path ? -1 : 1));

function readSource(path: string): Source {
  const text = readFileSync(join(src, path), 'utf8');
  const kind = path.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true, kind);
  const folder = path.includes('/') ? path.slice(0, path.indexOf('/')) : '';
  return { path, folder, lines: text.split('\n').length - 1, tree, imports: importsOf(path, tree) };
}

function importsOf(path: string, tree: ts.SourceFile): readonly Import[] {
  const found: Import[] = [];
  visit(tree, (node) => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
      const specifier = (node.moduleSpecifier as ts.StringLiteral).text;
      found.push({ from: path, specifier, typeOnly: isTypeOnly(node) });
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [target] = node.arguments;
      const specifier = target && ts.isStringLiteralLike(target) ? target.text : '(computed)';
      found.push({ from: path, specifier, typeOnly: false });
    }
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      found.push({ from: path, specifier: (node.argument.literal as ts.StringLiteral).text, typeOnly: true });
    }
  });
  return found;
}

/** `import type`, or every name in the braces is a type. */
function isTypeOnly(node: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(node)) {
    if (node.isTypeOnly) return true;
    const clause = node.exportClause;
    return clause !== undefined && ts.isNamedExports(clause) && clause.elements.every((e) => e.isTypeOnly);
  }
  const clause = node.importClause;
  if (!clause) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const names = clause.namedBindings;
  return !clause.name && !!names && ts.isNamedImports(names) && names.elements.every((e) => e.isTypeOnly);
}

function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  node.forEachChild((child) => visit(child, see));
}

/** Path inside src/ that a relative import names; undefined for packages and `node:` modules. */
function target({ from, specifier }: Import): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  return relative(src, resolve(src, dirname(from), specifier)).replaceAll('\\', '/');
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : '';
}

/** Why an import is not allowed; undefined where it is. */
function objection(edge: Import): string | undefined {
  const to = target(edge);
  const here = folderOf(edge.from);
  if (to === undefined) {
    if (alone.includes(here)) return 'the guard has no dependencies';
    if (browser.includes(here))
      return /^preact(\/|$)/.test(edge.specifier) ? undefined : 'the page has no other package';
    if (!isCore(edge.from)) return undefined;
    const pure = purePackages.some(
      (name) => edge.specifier === name || edge.specifier.startsWith(`${name}/`),
    );
    return pure || (edge.typeOnly && !edge.specifier.startsWith('node:'))
      ? undefined
      : 'the core takes no I/O and no other package';
  }
  const there = folderOf(to);
  if (here === there) return undefined;
  // The public index sees everything; other files beside it (the error type) stand above every folder.
  if (edge.from === 'index.ts') return undefined;
  if (to === 'index.ts') return 'nothing inside imports the public index';
  if (there === '' && !alone.includes(here)) return undefined;
  if (alone.includes(here)) return 'the guard imports nothing of ours';
  if (alone.includes(there)) return 'the guard is for other people: nothing of ours imports it';
  if (browser.includes(here)) return core.includes(there) ? undefined : 'the page runs in a browser';
  if (browser.includes(there)) return 'the page is bundled, not imported';
  if (edge.typeOnly && contracts.includes(to)) return undefined;
  if (layers.indexOf(there) < layers.indexOf(here)) return undefined;
  return `${there}/ stands below ${here}/`;
}

/** Uses of what the core must not have, as `path:line what`. */
function impurities({ path, tree }: Source): readonly string[] {
  const found: string[] = [];
  const report = (node: ts.Node, what: string): void => {
    const { line } = tree.getLineAndCharacterOfPosition(node.getStart());
    found.push(`${path}:${line + 1} ${what}`);
  };
  visit(tree, (node) => {
    if (!ts.isIdentifier(node) || isOwnName(node)) return;
    if (impureGlobals.includes(node.text)) report(node, node.text);
    if (node.text === 'Date') report(node, 'Date');
    if (node.text === 'globalThis') report(node, 'globalThis');
    const { parent } = node;
    if (node.text === 'Math' && ts.isPropertyAccessExpression(parent) && parent.name.text === 'random') {
      report(node, 'Math.random');
    }
  });
  return found;
}

/** A property or a declared name that happens to be spelled like a global is not the global. */
function isOwnName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  if (ts.isQualifiedName(parent)) return parent.right === node;
  return 'name' in parent && parent.name === node && !ts.isShorthandPropertyAssignment(parent);
}

/** The stages of the core, and the files above them. */
function isCore(path: string): boolean {
  return core.includes(folderOf(path)) || (folderOf(path) === '' && path !== 'index.ts');
}

describe('the walk', () => {
  test('found files in every stage of the core, and the contracts', () => {
    expect(sources.length).toBeGreaterThan(10);
    for (const path of contracts) expect(sources.map((source) => source.path)).toContain(path);
    const edges = sources.flatMap(({ imports }) => imports);
    expect(edges.filter((edge) => edge.typeOnly).length).toBeGreaterThan(5);
  });

  test('knows every folder of src/', () => {
    const folders = readdirSync(src, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(
      folders.map(({ name }) => name).filter((name) => ![...layers, ...alone, ...browser].includes(name)),
    ).toEqual([]);
  });

  test('would notice each kind of breach', () => {
    const breach = (from: string, specifier: string, typeOnly = false): string | undefined =>
      objection({ from, specifier, typeOnly });
    expect(breach('sse/scan.ts', '../faults/fault.ts')).toContain('below');
    expect(breach('faults/x.ts', '../proxy/pump.ts', true)).toContain('below');
    expect(breach('history/fact.ts', '../cursor/contract.ts')).toContain('below');
    expect(breach('history/fact.ts', '../cursor/contract.ts', true)).toBeUndefined();
    expect(breach('watcher/x.ts', 'node:fs')).toContain('no I/O');
    expect(breach('watcher/x.ts', 'ws')).toContain('no I/O');
    expect(breach('errors.ts', './proxy/x.ts')).toContain('below');
    expect(breach('sse/x.ts', '../index.ts')).toContain('public index');
    expect(breach('proxy/x.ts', 'node:http')).toBeUndefined();
    expect(breach('proxy/x.ts', '../watcher/report.ts')).toBeUndefined();
    expect(breach('guard/x.ts', 'zod')).toContain('no dependencies');
    expect(breach('cli/x.ts', '../guard/guard.ts')).toContain('other people');
    expect(breach('page/x.tsx', '../cli/say.ts')).toContain('browser');
    expect(breach('page/x.tsx', 'ws')).toContain('no other package');
    expect(breach('page/x.tsx', '../report/inert.ts')).toBeUndefined();
    expect(breach('cli/x.ts', '../page/main.tsx')).toContain('bundled');
    const code =
      'const t = Date.now() + Math.random(); setTimeout(f, 1); x.process = { fetch: 1 }; new Date();';
    const tree = ts.createSourceFile('x.ts', code, ts.ScriptTarget.ES2023, true);
    const found = impurities({ path: 'x.ts', folder: 'sse', lines: 1, tree, imports: [] });
    expect(found).toEqual(['x.ts:1 Date', 'x.ts:1 Math.random', 'x.ts:1 setTimeout', 'x.ts:1 Date']);
  });
});

describe('layers', () => {
  test('imports point up the list of folders only', () => {
    const breaches = sources
      .flatMap(({ imports }) => imports)
      .map((edge) => ({ edge, why: objection(edge) }))
      .filter(({ why }) => why !== undefined)
      .map(({ edge, why }) => `${edge.from} imports ${edge.specifier}: ${why}`);
    expect(breaches).toEqual([]);
  });

  test('the core has no clock, no chance, no timer, no process', () => {
    expect(sources.filter(({ path }) => isCore(path)).flatMap(impurities)).toEqual([]);
  });

  test('a run keeps nothing in modules, which the next run of its process would find there', () => {
    const kept = sources.filter(
      ({ folder, tree }) =>
        layers.includes(folder) &&
        tree.statements.some(
          (node) => ts.isVariableStatement(node) && !(node.declarationList.flags & ts.NodeFlags.Const),
        ),
    );
    // The groups to end should this process be killed; free memory.
    expect(kept.map(({ path }) => path)).toEqual(['runner/child.ts', 'sse/slab.ts']);
  });

  test('no file or folder is named after a kind of code', () => {
    const vague = /^(utils?|helpers?|types?|common|misc|shared|manager|base)$/;
    const named = sources.filter(({ path }) =>
      path.split('/').some((part) => vague.test(part.replace(/\.ts$/, ''))),
    );
    expect(named.map(({ path }) => path)).toEqual([]);
  });
});

describe('registries', () => {
  /** Files of a folder that call `maker(...)`, with the name that call is given. */
  const madeBy = (maker: string, folder: string): readonly Source[] =>
    sources.filter((source) => {
      if (!source.path.startsWith(`${folder}/`)) return false;
      let calls = false;
      visit(source.tree, (node) => {
        if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === maker) {
          calls = true;
        }
      });
      return calls;
    });
  const exists = (path: string): boolean => sources.some((source) => source.path === path);
  const indexed = (index: string): readonly string[] =>
    sources.find(({ path }) => path === index)?.imports.flatMap((edge) => target(edge) ?? []) ?? [];

  test.each([
    ['fault', 'defineFault', 'faults'],
    ['obligation', 'defineObligation', 'watcher/obligations'],
    ['reporter', 'defineReporter', 'report'],
  ])('every %s has a file of its own and a line in the index', (_kind, maker, folder) => {
    const made = madeBy(maker, folder).map(({ path }) => path);
    expect(made.length).toBeGreaterThan(2);
    expect(made.filter((path) => !indexed(`${folder}/index.ts`).includes(path))).toEqual([]);
  });

  test('files are named after the one thing they define', () => {
    expect(faults.map(({ name }) => `faults/${name}.ts`).filter((path) => !exists(path))).toEqual([]);
    expect(reporters.map(({ name }) => `report/${name}.ts`).filter((path) => !exists(path))).toEqual([]);
    const duties = obligations.map(({ slug }) => `watcher/obligations/${slug}.ts`);
    expect(duties.filter((path) => !exists(path))).toEqual([]);
  });

  test('a fault provokes obligations that exist', () => {
    const known = obligations.map(({ slug }) => slug);
    expect(known.length).toBeGreaterThan(5);
    expect(faults.flatMap(({ provokes }) => provokes).filter((slug) => !known.includes(slug))).toEqual([]);
  });

  test('every profile is named after its file, and every fault stands in a profile', () => {
    const folder = join(root, 'profiles');
    const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
    const profiles = files.map((file) => parseProfile(readFileSync(join(folder, file), 'utf8'), file));
    expect(profiles.map(({ name }) => `${name}.yaml`)).toEqual(files);
    const named = profiles.flatMap(({ rules }) => rules.map(({ fault }) => fault));
    expect(faults.map(({ name }) => name).filter((name) => !named.includes(name))).toEqual([]);
  });
});

describe('size', () => {
  test('files over 250 lines are named, so that somebody asks whether they hold one idea', () => {
    const long = sources
      .filter(({ lines }) => lines > 250)
      .map(({ path, lines }) => `${path}: ${lines} lines`);
    if (long.length > 0) console.warn(`Over 250 lines: ${long.join(', ')}`);
    const lengths = sources.map(({ lines }) => lines).sort((a, b) => a - b);
    expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(150);
  });
});
