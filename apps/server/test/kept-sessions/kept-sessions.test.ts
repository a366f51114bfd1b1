import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'main.ts')
const FLAGS = ['--disable-warning=ExperimentalWarning']
/** More than one batch of the later digest. */
const ENVELOPES = 1200
/** Four servers start one after the other, on machines that may be busy. */
const PATIENCE_MS = 180_000

/** Envelopes hold a session of their own each; every tenth crashed, and every seventh comes twice. */
const sessionsOf = (place: number, startedAt: string): string => {
  const session = {
    sid: (place + 1).toString(16).padStart(32, '0'),
    init: true,
    started: startedAt,
    timestamp: startedAt,
    status: place % 10 === 0 ? 'crashed' : 'exited',
    errors: place % 10 === 0 ? 1 : 0,
    did: `person ${place % 50}`,
    attrs: { release: 'web@1.0.0', environment: 'production' },
  }
  return `{}\n{"type":"session"}\n${JSON.stringify(session)}\n`
}

/** What a server added up, as often as it is sent: the moment at which it was sent says that it is the same. */
const countsOf = (startedAt: string): string => {
  const item = {
    aggregates: [{ started: startedAt, exited: 5, errored: 2, crashed: 1 }],
    attrs: { release: 'api@1.0.0' },
  }
  return `{"sent_at":"${startedAt}"}\n{"type":"sessions"}\n${JSON.stringify(item)}\n`
}

describe('sessions that were kept before they were counted', () => {
  const startedAt = new Date(Date.now() - 60_000).toISOString()
  let dataDir: string
  let server: ChildProcess
  let url: string
  let account: { dsn: string; projectId: string; token: string }

  const environment = (): NodeJS.ProcessEnv => ({
    ...process.env,
    FIRSTHAND_DATA_DIR: dataDir,
    FIRSTHAND_HOST: '127.0.0.1',
    FIRSTHAND_PORT: '0',
    FIRSTHAND_LOG_LEVEL: 'error',
    FIRSTHAND_PASSWORD: 'correct horse battery',
  })
  const start = async (program: readonly string[]): Promise<void> => {
    server = spawn(process.execPath, [...FLAGS, ...program], {
      env: environment(),
      stdio: ['ignore', 'pipe', 'inherit'],
      // In a group of its own, so that the engine is killed in the same instant.
      detached: true,
    })
    if (server.stdout === null) throw new Error('The server has no output.')
    const [line] = await once(createInterface({ input: server.stdout }), 'line', {
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    url = /http:\/\/\S+/.exec(String(line))?.[0] ?? ''
  }
  const kill = async (): Promise<void> => {
    const ended = once(server, 'exit')
    process.kill(-(server.pid ?? 0), 'SIGKILL')
    await ended
  }
  const send = async (body: string): Promise<void> => {
    const { username } = new URL(account.dsn)
    const address = `${url}/api/${account.projectId}/envelope/?sentry_key=${username}`
    const answer = await fetch(address, { method: 'POST', body })
    expect(answer.status).toBe(200)
  }
  const api = async <Body>(path: string): Promise<Body> => {
    const answer = await fetch(`${url}/api/0/organizations/acme/${path}`, {
      headers: { authorization: `Bearer ${account.token}` },
    })
    expect(answer.status, path).toBe(200)
    return (await answer.json()) as Body
  }
  const accepted = async (): Promise<number> => {
    const { totals } = await api<{ totals: { itemType: string; outcome: string; quantity: number }[] }>(
      'receipts/?statsPeriod=1h',
    )
    return totals
      .filter(({ itemType, outcome }) => itemType.startsWith('session') && outcome === 'accepted')
      .reduce((sum, { quantity }) => sum + quantity, 0)
  }
  /** @returns sessions, crashed ones and people of each release */
  const counted = async (): Promise<Record<string, readonly [number, number, number]>> => {
    const found = await api<
      { version: string; sessions: { total: number; crashed: number }; users: { total: number } }[]
    >('release-health/?release=web@1.0.0&release=api@1.0.0&statsPeriod=1d')
    return Object.fromEntries(
      found.map(({ sessions, users, version }) => [version, [sessions.total, sessions.crashed, users.total]]),
    )
  }
  const waitFor = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
    const deadline = Date.now() + PATIENCE_MS
    while (!(await holds())) {
      if (Date.now() > deadline) {
        const told = JSON.stringify([await counted(), await api('backfills/'), await api('receipts/?statsPeriod=1h')])
        throw new Error(`It did not come to this: ${what}: ${told}`)
      }
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'firsthand-kept-sessions-'))
    const setup = 'setup --email ann@example.com --organization acme --project shop --json'
    const { stdout } = await promisify(execFile)(process.execPath, [...FLAGS, MAIN, ...setup.split(' ')], {
      env: environment(),
    })
    account = JSON.parse(stdout) as typeof account
    await start([join(import.meta.dirname, 'older-server.ts')])
  }, PATIENCE_MS * 2)
  afterAll(async () => {
    if (server.exitCode === null && server.signalCode === null) await kill()
    await rm(dataDir, { recursive: true, force: true })
  })

  it('are counted once each, wherever two kills of everything find them, and once more sent are the same', async () => {
    const places = Array.from({ length: ENVELOPES }, (_, place) => place)
    const bodies = [
      ...places.flatMap((place) => {
        const body = sessionsOf(place, startedAt)
        return place % 7 === 0 ? [body, body] : [body]
      }),
      countsOf(startedAt),
      countsOf(startedAt),
    ]
    const rest = [...bodies]
    const sendSome = async (): Promise<void> => {
      for (let body = rest.pop(); body !== undefined; body = rest.pop()) await send(body)
    }
    await Promise.all(Array.from({ length: 8 }, sendSome))
    await waitFor('all of them kept', async () => (await accepted()) === bodies.length)
    await kill()

    const expected = { 'web@1.0.0': [ENVELOPES, ENVELOPES / 10, 50], 'api@1.0.0': [8, 1, 0] }
    await start([MAIN, 'serve'])
    // How far it has come by then is the machine's affair: at the first of them hardly anywhere, at the second somewhere.
    await waitFor('it has begun', async () => (await api<unknown[]>('backfills/')).length > 0)
    await kill()
    await start([MAIN, 'serve'])
    await waitFor('some of them counted', async () => Object.keys(await counted()).length > 0)
    await kill()
    await start([MAIN, 'serve'])
    await waitFor('all of them counted', async () => {
      const found = await counted()
      return found['web@1.0.0']?.[0] === ENVELOPES && found['api@1.0.0'] !== undefined
    })
    await waitFor('nothing left to do', async () =>
      (await api<{ state: string }[]>('backfills/')).every(({ state }) => state === 'done'),
    )
    expect(await counted()).toEqual(expected)
    // They were counted as received when they came, and are not once more.
    expect(await accepted()).toBe(bodies.length)
    await send(sessionsOf(0, startedAt))
    await send(countsOf(startedAt))
    await waitFor('those that came again digested', async () => (await accepted()) === bodies.length + 2)
    expect(await counted()).toEqual(expected)
  }, 900_000)
})
