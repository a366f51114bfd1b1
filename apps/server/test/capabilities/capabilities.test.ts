import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { linesThatName, NAMED, ORDINARY } from './named.ts'

const SOURCE = join(import.meta.dirname, '..', '..', 'src')
const FLAGS = ['--disable-warning=ExperimentalWarning']

describe('the road, the stores, searches and the composition', () => {
  const filesBelow = (folder: string): string[] =>
    readdirSync(join(SOURCE, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
  const composition = readdirSync(SOURCE).filter((name) =>
    /^(compose.*|capability|jobs|digest-worker|main)\.ts$/.test(name),
  )
  const files = [...filesBelow('ingest'), ...filesBelow('storage'), ...filesBelow('search'), ...composition].filter(
    (name) => name.endsWith('.ts') && !/\.test\.ts$|\/conformance\/|\/test-[\w-]+\.ts$/.test(name),
  )
  const sources = files.map((name) => ({ name, source: readFileSync(join(SOURCE, name), 'utf8') }))

  it('name no capability', () => {
    expect(files.length).toBeGreaterThan(100)
    expect(sources.flatMap(({ name, source }) => linesThatName(name, source))).toEqual([])
  })

  it('use every word that they may', () => {
    const suspects = sources.flatMap(({ name, source }) =>
      source
        .split('\n')
        .filter((line) => linesThatName(name, line, []).length > 0)
        .map((line) => ({ name, line })),
    )
    const unused = ORDINARY.filter((one) => {
      const others = ORDINARY.filter((other) => other !== one)
      return !suspects.some(({ name, line }) => linesThatName(name, line, others).length > 0)
    })
    expect(unused.map(({ words, why }) => `${words.join(', ')}: ${why}`)).toEqual([])
  })

  it.each(NAMED.map(({ name }) => name))('would be found to name %s', (name) => {
    // Under its name the folder is found as well.
    const folder = name.replaceAll(' ', '-')
    expect(existsSync(join(SOURCE, folder, 'capability.ts'))).toBe(true)
    const type = name.replaceAll(' ', '_').replace(/s$/, '')
    const own = name.split(' ').map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    const lines = [
      `import { x } from '../../${folder}/index.ts'`,
      `if (type === '${type}') return null`,
      `const SPECIAL = new Set(["${type}"])`,
      `  | 'otlp_${type}s'`,
      `  ['otlp/v1/${type}s', 'other'],`,
      `const read${own.join('')} = () => null`,
    ]
    for (const file of [
      'ingest/door/route.ts',
      'ingest/digest/digest.ts',
      'ingest/spool/spool.ts',
      'search/fields.ts',
    ]) {
      expect(lines.filter((line) => linesThatName(file, line).length === 0)).toEqual([])
    }
    // There, and in the stores, some have words of their own.
    expect(lines.slice(0, 3).filter((line) => linesThatName('compose.ts', line).length === 0)).toEqual([])
  })

  it.each(NAMED.flatMap(({ itemRules = [] }) => [...itemRules].map(([type]) => type)))(
    'would be found to do something else to items of type %s',
    (type) => {
      for (const file of [
        'ingest/digest/prepare-batch.ts',
        'ingest/spool/spool.ts',
        'storage/retention/retention.ts',
      ]) {
        expect(linesThatName(file, `if (item.header.type === '${type}') return`)).not.toEqual([])
      }
    },
  )
})

describe('a capability that is added from outside', () => {
  let dataDir: string
  /** What Node has compiled of the program, for its next start. */
  let compiled: string
  let server: ChildProcess
  let url: string
  let account: { dsn: string; projectId: string; token: string }

  const environment = (): NodeJS.ProcessEnv => ({
    ...process.env,
    FIRSTHAND_DATA_DIR: dataDir,
    FIRSTHAND_HOST: '127.0.0.1',
    FIRSTHAND_PORT: '0',
    FIRSTHAND_LOG_LEVEL: 'error',
    NODE_COMPILE_CACHE: compiled,
  })

  /** @param program the one that knows greetings, or the product */
  const start = async (program = [join(import.meta.dirname, 'server.ts')]): Promise<void> => {
    server = spawn(process.execPath, [...FLAGS, ...program], {
      env: environment(),
      stdio: ['ignore', 'pipe', 'inherit'],
      // In a group of its own, so that the engine can be killed at the same instant.
      detached: true,
    })
    if (server.stdout === null) throw new Error('The server has no output.')
    const [line] = await once(createInterface({ input: server.stdout }), 'line', {
      signal: AbortSignal.timeout(60_000),
    })
    url = /http:\/\/\S+/.exec(String(line))?.[0] ?? ''
  }
  const kill = async (): Promise<void> => {
    const ended = once(server, 'exit')
    process.kill(-(server.pid ?? 0), 'SIGKILL')
    await ended
  }

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'firsthand-capability-'))
    compiled = await mkdtemp(join(tmpdir(), 'firsthand-compiled-'))
    // By a program that does not know it, so that the next start brings its tables to a data folder that exists.
    const setup = 'setup --email ann@example.com --organization acme --project shop --json'
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...FLAGS, join(SOURCE, 'main.ts'), ...setup.split(' ')],
      { env: { ...environment(), FIRSTHAND_PASSWORD: 'correct horse battery' } },
    )
    account = JSON.parse(stdout) as typeof account
    await start([join(SOURCE, 'main.ts'), 'serve'])
    await keepSome()
    const ended = once(server, 'exit')
    server.kill('SIGTERM')
    await ended
    await start()
  }, 180_000)
  afterAll(async () => {
    if (server.exitCode === null && server.signalCode === null) await kill()
    for (const folder of [dataDir, compiled]) await rm(folder, { recursive: true, force: true })
  })

  const greet = async (id: string, type = 'greeting'): Promise<boolean> => {
    const { username } = new URL(account.dsn)
    const answer = await fetch(`${url}/api/${account.projectId}/envelope/?sentry_key=${username}`, {
      method: 'POST',
      body: `{"event_id":"${id}"}\n{"type":"${type}"}\n{"text":"hello"}\n`,
    }).catch(() => null)
    return answer?.status === 200
  }
  /** Items that the product keeps, because it knows nothing that takes them; more than one batch of the later digest. */
  const kept: string[] = []
  const keepSome = async (): Promise<void> => {
    const keepOne = async (): Promise<void> => {
      while (kept.length < 1200) {
        const id = newId()
        kept.push(id)
        expect(await greet(id, 'form_data')).toBe(true)
      }
    }
    await Promise.all(Array.from({ length: 8 }, keepOne))
    const deadline = Date.now() + 60_000
    const isKept = async (): Promise<boolean> => {
      const { totals } = await api<{ totals: { itemType: string; quantity: number }[] }>('receipts/?statsPeriod=1h')
      return totals.some(({ itemType, quantity }) => itemType === 'form_data' && quantity === kept.length)
    }
    while (!(await isKept())) {
      if (Date.now() > deadline) throw new Error('The items were not kept in time.')
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  const api = async <Body>(path: string): Promise<Body> => {
    const answer = await fetch(`${url}/api/0/organizations/acme/${path}`, {
      headers: { authorization: `Bearer ${account.token}` },
    })
    expect(answer.status).toBe(200)
    return (await answer.json()) as Body
  }
  const read = () => api<{ counted: string[]; stored: string[] }>('greetings/')
  const backfills = () => api<{ state: string; items: number; ended: number }[]>('backfills/')
  const newId = (): string => randomUUID().replaceAll('-', '')

  it('gets what was kept before it existed, once, also when everything is killed meanwhile', async () => {
    const deadline = Date.now() + 90_000
    let kills = 0
    const toldBefore: unknown[] = []
    for (;;) {
      const { counted, stored } = await read()
      if (counted.length > 0 && kills < 2) {
        toldBefore.push(...(await backfills()))
        kills += 1
        await kill()
        await start()
        continue
      }
      if (stored.length >= kept.length || Date.now() > deadline) break
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    const { counted, stored } = await read()
    expect(kills).toBe(2)
    expect(counted.toSorted()).toEqual(kept.toSorted())
    expect(stored.toSorted()).toEqual(kept.toSorted())
    // What is told of it goes on where the process before had got to. One that found nothing more to do tells nothing.
    const isOver = (told: Awaited<ReturnType<typeof backfills>>): boolean => told.every(({ state }) => state === 'done')
    while (!isOver(await backfills()) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20))
    expect((await backfills()).filter(({ state, ended }) => state !== 'done' || ended !== kept.length)).toEqual([])
    expect(toldBefore[0]).toMatchObject({
      projectId: account.projectId,
      itemTypes: ['form_data'],
      items: kept.length,
    })
    // They were counted when they came, and are not counted again.
    const receipts = await api<{ totals: { itemType: string; quantity: number }[] }>('receipts/?statsPeriod=1h')
    expect(receipts.totals.filter(({ itemType }) => itemType === 'form_data')).toMatchObject([
      { outcome: 'accepted', quantity: kept.length },
    ])
  }, 180_000)

  it('goes the whole road: door, spool, digest, both stores, its route, receipts and live updates', async () => {
    const watching = new AbortController()
    const live = await fetch(`${url}/api/0/organizations/acme/live/`, {
      headers: { authorization: `Bearer ${account.token}` },
      signal: AbortSignal.any([watching.signal, AbortSignal.timeout(30_000)]),
    })
    const id = newId()
    expect(await greet(id)).toBe(true)
    let heard = ''
    for await (const chunk of live.body ?? []) {
      heard += Buffer.from(chunk).toString()
      if (heard.includes(id)) break
    }
    watching.abort()
    expect(heard).toContain('event: greetings')
    const { counted, stored } = await read()
    expect([counted, stored].map((ids) => ids.filter((one) => one === id))).toEqual([[id], [id]])
    const receipts = await api<{ totals: unknown[] }>('receipts/?statsPeriod=1h')
    expect(receipts.totals).toContainEqual(
      expect.objectContaining({ itemType: 'greeting', outcome: 'accepted', quantity: 1 }),
    )
    // The second type had a looser rule while it was only kept.
    for (const type of ['greeting', 'form_data']) {
      const refused = await fetch(
        `${url}/api/${account.projectId}/envelope/?sentry_key=${new URL(account.dsn).username}`,
        { method: 'POST', body: `{}\n{"type":"${type}"}\nno json\n` },
      )
      expect(refused.status).toBe(400)
    }
  }, 60_000)

  it('hears who is no member any more: nothing stays assigned to them', async () => {
    const send = async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
      const answer = await fetch(`${url}/api/0/${path}`, {
        method,
        headers: { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      expect(answer.ok, `${method} ${path} ${answer.status}`).toBe(true)
      const text = await answer.text()
      return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
    }
    const { username } = new URL(account.dsn)
    await fetch(`${url}/api/${account.projectId}/store/?sentry_key=${username}`, {
      method: 'POST',
      body: JSON.stringify({ message: 'Somebody has to look at this' }),
    })
    const { id, inviteLink } = await send('POST', 'organizations/acme/members/', {
      email: 'bob@example.com',
      role: 'member',
    })
    const invitation = String(inviteLink).split('/').at(-1)
    await send('POST', `accept-invite/${invitation}/`, { name: 'Bob', password: 'correct horse battery' })
    const deadline = Date.now() + 30_000
    let issues: { id: string }[] = []
    while (issues.length === 0 && Date.now() < deadline) issues = await api('issues/?project=-1')
    const issue = `organizations/acme/issues/${issues[0]?.id}/`
    expect(await send('PUT', issue, { assignedTo: 'bob@example.com' })).toMatchObject({ assignedTo: { name: 'Bob' } })
    await send('DELETE', `organizations/acme/members/${String(id)}/`)
    expect(await send('GET', issue)).toMatchObject({ assignedTo: null })
  }, 60_000)

  it('loses and doubles nothing when everything is killed under load', async () => {
    const before = new Set((await read()).stored)
    const sent = new Set<string>()
    const acknowledged = new Set<string>()
    for (let round = 0; round < 3; round += 1) {
      const over = new AbortController()
      const senders = Array.from({ length: 4 }, async () => {
        while (!over.signal.aborted) {
          const id = newId()
          sent.add(id)
          if (await greet(id)) acknowledged.add(id)
        }
      })
      const target = acknowledged.size + 150
      const deadline = Date.now() + 90_000
      while (acknowledged.size < target && Date.now() < deadline) await new Promise((resolve) => setImmediate(resolve))
      expect(acknowledged.size).toBeGreaterThanOrEqual(target)
      await kill()
      over.abort()
      await Promise.all(senders)
      await start()
    }
    const last = newId()
    expect(await greet(last)).toBe(true)
    const deadline = Date.now() + 90_000
    while (!(await read()).stored.includes(last) && Date.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 50))
    // A start that finds nothing more to do tells nothing.
    expect(await backfills()).toEqual([])
    const { counted, stored } = await read()
    for (const ids of [counted, stored]) {
      expect(new Set(ids).size).toBe(ids.length)
      expect([...acknowledged, ...before, last].filter((id) => !ids.includes(id))).toEqual([])
      expect(ids.filter((id) => id !== last && !before.has(id) && !sent.has(id))).toEqual([])
    }
  }, 180_000)
})
