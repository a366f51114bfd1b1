import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { installProgram, makeRepository, runProgram, type Ended } from '../../lib/programs.ts'
import { joinServer, type SharedServer } from '../../lib/shared.ts'
import { until } from '../../lib/until.ts'
import { ROWS, SCOPES, type Row, type World } from './rows.ts'

/** What becomes of the commands of Sentry's own programs; the table in the references is written here. */

const ORGANIZATION = 'artifacts-commands'
const DOCUMENT = join(import.meta.dirname, '..', '..', '..', 'docs', 'reference', 'sentry-cli.md')
/** Of the code that the programs upload. */
const FRAME = {
  filename: '/static/app.js',
  abs_path: 'https://shop.example/static/app.js',
  in_app: true,
  lineno: 1,
  colno: 1,
}
const TRACE = `${'a'.repeat(31)}1`

/** One grey point. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const PROGRAMS = [
  { name: 'sentry-cli', package: '@sentry/cli', version: '2.58.6' },
  { name: 'sentry-cli', package: '@sentry/cli', version: '3.8.0' },
  { name: 'sentry', package: 'sentry', version: '0.49.0' },
] as const
type Program = (typeof PROGRAMS)[number]

let server: SharedServer
let url: string
let folder: string
let repository: string
const paths = new Map<Program, string>()
const tokens = new Map<string, string>()

const ask = async <Body>(path: string, init: RequestInit = {}): Promise<Body> => {
  const answer = await fetch(`${url}/api/0${path}`, {
    ...init,
    headers: { authorization: `Bearer ${server.account.token}`, 'content-type': 'application/json' },
  })
  expect(answer.ok, `${path}: ${answer.status}`).toBe(true)
  return (await answer.json()) as Body
}

const send = async (header: object, payload: object): Promise<void> => {
  const { pathname, username } = new URL(server.account.dsn)
  const { status } = await fetch(`${url}/api${pathname}/envelope/?sentry_key=${username}`, {
    method: 'POST',
    body: ['{}', JSON.stringify(header), JSON.stringify(payload)].join('\n'),
  })
  expect(status).toBe(200)
}

const eventIdOf = (place: number): string => `${'e'.repeat(31)}${place}`

/** An issue for each program, and a trace with a log line. */
const sendAll = async (): Promise<void> => {
  const now = Date.now() / 1000
  const of = { platform: 'javascript', release: 'shop@1.0.0', environment: 'production', timestamp: now - 60 }
  const trace = { trace_id: TRACE, span_id: 'b'.repeat(16), op: 'pageload' }
  await Promise.all(
    PROGRAMS.map((_, place) =>
      send(
        { type: 'event' },
        {
          ...of,
          event_id: eventIdOf(place),
          fingerprint: [`program ${place}`],
          contexts: { trace },
          exception: { values: [{ type: 'TeaError', value: `cup ${place}`, stacktrace: { frames: [FRAME] } }] },
        },
      ),
    ),
  )
  await send(
    { type: 'transaction' },
    {
      ...of,
      type: 'transaction',
      event_id: 'f'.repeat(32),
      transaction: '/',
      start_timestamp: now - 61,
      contexts: { trace },
    },
  )
  await send(
    { type: 'log', item_count: 1, content_type: 'application/vnd.sentry.items.log+json' },
    { items: [{ timestamp: now - 50, trace_id: TRACE, level: 'info', body: 'tea poured', attributes: {} }] },
  )
}

const waitForAll = async (): Promise<void> => {
  await until('the issues', async () =>
    (await ask<unknown[]>(`/projects/${ORGANIZATION}/shop/issues/?query=`)).length === PROGRAMS.length ? true : null,
  )
  for (const [dataset, field] of [
    ['logs', 'message'],
    ['spans', 'id'],
    ['errors', 'id'],
  ] as const)
    await until(dataset, async () => {
      const query = `dataset=${dataset}&field=${field}&statsPeriod=1h`
      const { data } = await ask<{ data: unknown[] }>(`/organizations/${ORGANIZATION}/events/?${query}`)
      return data.length > 0 ? true : null
    })
}

const write = (name: string, content: string | Buffer): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

/** What a bundler writes: one file, its map, and a line that says so. */
const writeBuild = (name: string): string => {
  const build = join(folder, name)
  mkdirSync(build)
  write(join(name, 'app.js'), `!function(){throw Error("${name}")}();\n//# sourceMappingURL=app.js.map\n`)
  const map = { version: 3, file: 'app.js', sources: ['app.ts'], names: [], mappings: 'AAAA', sourcesContent: [name] }
  write(join(name, 'app.js.map'), JSON.stringify(map))
  return build
}

const worldOf = async (place: number): Promise<World> => {
  const build = writeBuild(`build-${place}`)
  const bundle = writeBuild(`native-${place}`)
  const event = { message: 'written down', level: 'error', platform: 'other' }
  const envelope = [{ event_id: `${'8'.repeat(31)}${place}` }, { type: 'event' }, event]
  const pictures = join(folder, `pictures-${place}`)
  mkdirSync(pictures)
  write(join(`pictures-${place}`, 'cup.png'), Buffer.from(PICTURE, 'base64'))
  const java = join(folder, `java-${place}`)
  mkdirSync(java)
  write(join(`java-${place}`, 'Tea.java'), 'class Tea {}\n')
  const eventId = eventIdOf(place)
  const { groupID } = await ask<{ groupID: string }>(`/projects/${ORGANIZATION}/shop/events/${eventId}/`)
  const { shortId } = await ask<{ shortId: string }>(`/organizations/${ORGANIZATION}/issues/${groupID}/`)
  return {
    organization: ORGANIZATION,
    release: `tea-${place}@1.0.0+7`,
    files: {
      build,
      bundle: join(bundle, 'app.js'),
      sourceMap: join(build, 'app.js.map'),
      event: write(`event-${place}.json`, JSON.stringify(event, null, 2)),
      envelope: write(`envelope-${place}`, `${envelope.map((line) => JSON.stringify(line)).join('\n')}\n`),
      mappings: write(`mappings-${place}.json`, '[{"stackRoot":"com/acme","sourceRoot":"src/com/acme"}]'),
      proguard: write(`mapping-${place}.txt`, 'com.acme.Tea -> a.a:\n    1:1:void pour() -> a\n'),
      pictures,
      java,
    },
    issue: { id: groupID, shortId, eventId },
    trace: TRACE,
    token: tokens.get('reading') ?? '',
  }
}

const argumentsFor = (row: Row, { name, version }: Program, world: World): readonly string[] | null => {
  if (name === 'sentry') return row.sentry?.(world) ?? null
  return row.only === undefined || row.only === version ? (row.cli?.(world) ?? null) : null
}

const environmentOf = (row: Row, { name }: Program, place: number): NodeJS.ProcessEnv => {
  const home = join(folder, `home-${place}`)
  const isAlone = row.needs === 'no server'
  // The program `sentry` wants one for all that it does, though it sends it nowhere then.
  const token = tokens.get(isAlone && name === 'sentry' ? 'org:ci' : row.needs)
  return {
    PATH: process.env['PATH'],
    HOME: home,
    SENTRY_CONFIG_DIR: home,
    SENTRY_CLI_NO_TELEMETRY: '1',
    // Not the login that one of the commands has stored.
    SENTRY_FORCE_ENV_TOKEN: '1',
    NO_COLOR: '1',
    ...(!isAlone && { SENTRY_URL: url, SENTRY_ORG: ORGANIZATION, SENTRY_PROJECT: 'shop' }),
    ...(row.needs === 'DSN' && { SENTRY_DSN: server.account.dsn }),
    ...(token !== undefined && { SENTRY_AUTH_TOKEN: token }),
  }
}

/** `works`, or what the program says instead. */
const outcomeOf = (row: Row, { status, stderr, stdout }: Ended): string => {
  const isDone = status === (row.ends ?? 0) && (status !== 0 || !/error/i.test(stderr))
  if (isDone && stdout.includes(row.shows ?? '')) return 'works'
  const said = `${stderr}\n${stdout}`
  const sentence = /Firsthand does not have this yet: .*?\.(?= \(http|\s*$)/m.exec(said)?.[0]
  return sentence === undefined
    ? `${status}: ${said
        .trim()
        .replaceAll(folder, '')
        .replaceAll(/\s*\n\s*/g, ' / ')}`
    : `“${sentence}”`
}

const wordsOf = (row: Row, name: Program['name'], world: World): string => {
  const words = (name === 'sentry' ? row.sentry : row.cli)?.(world)
  if (words === undefined) return ''
  const shown = words.filter((word, place) => place < 2 || word.startsWith('--'))
  const named = shown.filter((word) => !word.includes('/') && word !== '--' && !word.startsWith('-m'))
  return `\`${name} ${named.join(' ')}\``
}

/** A registry may lack a version: some copy others, and not everything. Its column is left as it is then, and it is said. */
const install = async (program: Program): Promise<void> => {
  try {
    paths.set(program, await installProgram(folder, program.package, program.version, program.name))
  } catch (error) {
    if (!/ETARGET|E404|No matching version/.test(String(error))) throw error
    process.stdout.write(`${program.package} ${program.version} is not in this registry: its commands are not run\n`)
  }
}

/** What the page says of a program. */
const saidOf = (place: number): readonly string[] => {
  const rows = readFileSync(DOCUMENT, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
  return rows.slice(1).map((row) => row.split(' | ')[place + 2]?.replace(/ ?\|$/, '') ?? '')
}

const INTRODUCTION = `# Commands of Sentry’s programs

What becomes of the commands of \`sentry-cli\` 2 and 3 and of the program \`sentry\`, run against this server with \`SENTRY_URL\` set. “Works”: it ends with 0 and says nothing of an error (\`monitors run\` ends with what the program that it runs ended with); where it cannot, the sentence stands here that it prints. An empty cell: the program has no such command. “Needs” is what a token must be allowed; the commands are run with tokens that are allowed no more. Debug files have tests of their own (L104–L107 in \`releases.md\`).

Not in the table: what works on files alone and sends nothing; \`build upload\`, which no test runs; \`sentry auth login\`, which ends with 30, as it asks for \`/users/me/regions/\` (set \`SENTRY_AUTH_TOKEN\` instead); \`sentry token\`, whose addresses are not there; and what \`sentry\` changes of projects and alerts.

\`e2e/artifacts/commands/commands.test.ts\` runs those of the table and compares this page with what it saw; \`-u\` writes it anew.
`

beforeAll(async () => {
  server = await joinServer(ORGANIZATION)
  url = `http://127.0.0.1:${server.port}`
  folder = mkdtempSync(join(tmpdir(), 'firsthand-commands-'))
  repository = join(folder, 'shop')
  await Promise.all([
    sendAll().then(waitForAll),
    makeRepository(repository),
    ask(`/organizations/${ORGANIZATION}/repos/`, {
      method: 'POST',
      body: JSON.stringify({ name: 'acme/web', url: 'https://github.com/acme/web' }),
    }),
    ...PROGRAMS.map(install),
    ...Object.entries(SCOPES).map(async ([name, scopes]) => {
      const body = JSON.stringify({ name, scopes })
      const made = await ask<{ token: string }>(`/organizations/${ORGANIZATION}/api-tokens/`, { method: 'POST', body })
      tokens.set(name, made.token)
    }),
  ])
  for (const place of PROGRAMS.keys()) mkdirSync(join(folder, `home-${place}`))
}, 240_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('L5, L74, L108: every command of Sentry’s programs does what the table of commands says', async () => {
  const cells = await Promise.all(
    PROGRAMS.map(async (program, place) => {
      const world = await worldOf(place)
      const path = paths.get(program)
      if (path === undefined) return { world, outcomes: saidOf(place) }
      const outcomes: string[] = []
      for (const row of ROWS) {
        const args = argumentsFor(row, program, world)
        const env = environmentOf(row, program, place)
        outcomes.push(args === null ? '' : outcomeOf(row, await runProgram(path, args, { cwd: repository, env })))
      }
      return { world, outcomes }
    }),
  )
  const world = cells[0]?.world
  if (world === undefined) throw new Error('There is no world.')
  const lines = ROWS.map((row, place) => {
    const needs = row.needs in SCOPES ? SCOPES[row.needs as keyof typeof SCOPES].join(', ') : row.needs
    const commands = [wordsOf(row, 'sentry-cli', world), wordsOf(row, 'sentry', world)].filter(Boolean).join(', ')
    return `| ${[commands, needs, ...cells.map(({ outcomes }) => outcomes[place])].join(' | ')} |`
  })
  const head = ['command', 'needs', ...PROGRAMS.map(({ name, version }) => `${name} ${version}`)]
  const table = [`| ${head.join(' | ')} |`, `|${head.map(() => '---|').join('')}`, ...lines].join('\n')
  await expect(`${INTRODUCTION}\n${table}\n`).toMatchFileSnapshot(DOCUMENT)
}, 400_000)
