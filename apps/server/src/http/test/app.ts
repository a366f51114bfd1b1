import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { API_PREFIX, ENDPOINTS } from '@firsthand/contract'
import { createAccountRoutes } from '../../accounts/accounts.routes.ts'
import { createAccounts } from '../../accounts/index.ts'
import type { Accounts } from '../../accounts/index.ts'
import { createPasswords } from '../../accounts/passwords.ts'
import type { Passwords } from '../../accounts/passwords.ts'
import { createEnvironmentRoutes } from '../../issues/environments.routes.ts'
import { createEnvironmentView } from '../../issues/ledger/environment-view.ts'
import { createLedgerReleaseView } from '../../releases/ledger/release-view.ts'
import { createCodeMappingRoutes } from '../../releases/code-mappings.routes.ts'
import { createDeployRoutes } from '../../releases/deploys.routes.ts'
import { createCodeMappings } from '../../releases/ledger/code-mappings.ts'
import { createDeploys } from '../../releases/ledger/deploys.ts'
import { createRepositories } from '../../releases/ledger/repositories.ts'
import { createQuestions } from '../../lib/questions.ts'
import { createReleaseRoutes } from '../../releases/releases.routes.ts'
import { createRepositoryRoutes } from '../../releases/repositories.routes.ts'
import { createLogger } from '../../lib/logger.ts'
import { createAccountStore } from '../../accounts/ledger/account-store.ts'
import { createAddressing } from '../addressing.ts'
import { createHttpApp } from '../app.ts'
import type { HttpAppOptions } from '../app.ts'
import type { Route } from '../bind.ts'
import { createLive, createLiveRoutes } from '../live.ts'
import { openEmptyLedger } from '../../../test/stores/open.ts'

/** Tests: the application in process, on a real ledger in a folder of its own, with a clock that the test moves. */

/** These tests are not about the cost of guessing. */
const CHEAP = { memoryKib: 64, passes: 1 }

export const START = Date.UTC(2026, 10, 20, 12)
export const PASSWORD = 'orchid-lantern-42'
/** Opens the set-up page of a test's application. */
export const SETUP_TOKEN = 'test-set-up-token'

export const createTestClock = () => {
  let now = START
  return { now: () => now, advance: (ms: number) => (now += ms) }
}

/** Answers every endpoint that has no function yet, so that what comes before the function can be tested. */
const stubsFor = (routes: readonly Route[]): Route[] => {
  const bound = new Set(routes.map((route) => route.endpoint))
  return Object.values(ENDPOINTS)
    .filter((endpoint) => !bound.has(endpoint))
    .map((endpoint) => ({ endpoint, handle: () => Promise.resolve({ body: { stub: true } }) }))
}

/** Remembers cookies and the CSRF token, as a browser with the console would. */
export interface Visitor {
  cookie: string
  csrf: string
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
}

export interface Reply {
  readonly status: number
  // Tests look into answers of many shapes.
  readonly body: Record<string, never> & { detail: string; fields: Record<string, string>; digest: string }
  readonly headers: Headers
}

type Send = (path: string, init?: RequestInit) => Promise<Response>

const newVisitor = (send: Send): Visitor => ({
  cookie: '',
  csrf: '',
  async call(method, path, body, headers = {}) {
    const response = await send(API_PREFIX + path, {
      method,
      headers: {
        host: 'localhost',
        ...(this.cookie === '' ? {} : { cookie: this.cookie }),
        ...(this.csrf === '' ? {} : { 'x-csrf-token': this.csrf }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const set = response.headers.get('set-cookie')
    if (set !== null) this.cookie = set.split(';')[0] ?? ''
    const isStream = response.headers.get('content-type') === 'text/event-stream'
    if (isStream) await response.body?.cancel()
    const text = isStream ? '' : await response.text()
    const json = (text === '' ? null : JSON.parse(text)) as Reply['body']
    const session = (json as unknown as { session?: { csrfToken?: string } } | null)?.session ?? json
    const token = (session as unknown as { csrfToken?: unknown } | null)?.csrfToken
    if (typeof token === 'string') this.csrf = token
    return { status: response.status, body: json, headers: response.headers }
  },
})

/** Somebody who is signed in, as owner of an organisation with one project. */
const setUpOwner = async (browser: Visitor, accounts: Accounts, slug: string) => {
  const publicUrl = 'http://localhost'
  const email = `owner@${slug}.example`
  const made = await accounts.setup.ensure({
    email,
    password: PASSWORD,
    organizationSlug: slug,
    projectSlug: 'web',
    publicUrl,
  })
  if (!made.ok) throw new Error(made.error.detail)
  await browser.call('POST', '/auth/login/', { email, password: PASSWORD })
  return { ...browser, ...made.value, email }
}

/** Somebody who was invited into the organisation of an owner and is signed in. */
const inviteAndJoin = async (browser: Visitor, inviter: Visitor, slug: string, role: string, email: string) => {
  const invited = await inviter.call('POST', `/organizations/${slug}/members/`, { email, role })
  const link = (invited.body as unknown as { inviteLink: string }).inviteLink
  await browser.call('POST', `/accept-invite/${link.split('/').at(-1) ?? ''}/`, { name: role, password: PASSWORD })
  return { ...browser, memberId: (invited.body as unknown as { id: string }).id, email }
}

export const createTestApp = async (
  more: {
    readonly routes?: readonly Route[]
    readonly options?: Partial<HttpAppOptions>
    readonly publicUrl?: string | null
    readonly passwords?: Passwords
  } = {},
) => {
  const dir = await mkdtemp(join(tmpdir(), 'firsthand-http-'))
  const clock = createTestClock()
  const lines: string[] = []
  const logger = createLogger('debug', (line) => lines.push(line), clock.now)
  const ledger = await openEmptyLedger(join(dir, 'ledger.sqlite'), { logger, clock })
  const live = createLive()
  const accounts = createAccounts({
    store: createAccountStore(ledger),
    clock,
    setupToken: SETUP_TOKEN,
    passwords: more.passwords ?? createPasswords(CHEAP),
    onAccessLost: (userId) => void live.review(userId),
  })
  const view = createLedgerReleaseView({ ledger })
  const repositories = createRepositories({ ledger })
  const routes = [
    ...createAccountRoutes({ accounts, clock, version: '0.0.0', ownTracesSampleRate: 1 }),
    ...createEnvironmentRoutes(accounts, createEnvironmentView({ ledger })),
    ...createReleaseRoutes({ accounts, ask: createQuestions().ask, view, ledger, clock, repositories }),
    ...createDeployRoutes({ view, deploys: createDeploys({ ledger }), clock }),
    ...createRepositoryRoutes({ repositories, clock }),
    ...createCodeMappingRoutes({ accounts, mappings: createCodeMappings({ ledger }), repositories, view, clock }),
    ...createLiveRoutes({ live, authenticator: accounts.authenticator, resolveProjects: accounts.projects.resolve }),
    ...(more.routes ?? []),
  ]
  const app = createHttpApp({
    routes: [...routes, ...stubsFor(routes)],
    authenticator: accounts.authenticator,
    addressing: createAddressing({ publicUrl: more.publicUrl ?? null, trustedProxies: ['10.0.0.0/8'] }),
    logger,
    version: '0.0.0',
    isReady: () => true,
    consoleDir: join(dir, 'console'),
    ...more.options,
  })

  const send = async (path: string, init: RequestInit = {}, remoteAddress = '192.0.2.1'): Promise<Response> =>
    app.request(path, init, { incoming: { socket: { remoteAddress } } })

  const visitor = (): Visitor => newVisitor(send)

  return {
    app,
    accounts,
    clock,
    dir,
    ledger,
    live,
    lines,
    send,
    visitor,
    owner: (slug = 'acme') => setUpOwner(visitor(), accounts, slug),
    join: (inviter: Visitor, slug: string, role: string, email = `${role}@${slug}.example`) =>
      inviteAndJoin(visitor(), inviter, slug, role, email),
    async close() {
      live.close()
      await ledger.close()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

export type TestApp = Awaited<ReturnType<typeof createTestApp>>
