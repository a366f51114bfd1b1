import { statfs } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { createAccounts, effectiveScopes, setupLink } from './accounts/index.ts'
import type { Accounts, Failure, Scope } from './accounts/index.ts'
import { createAccountStore } from './accounts/ledger/account-store.ts'
import { CAPABILITIES } from './capabilities.ts'
import type { Capability, Served, ServerParts } from './capability.ts'
import type { ServerBase, ServerStores } from './compose-base.ts'
import { composeDoor, composeQuotas, guardedLookup } from './compose-door.ts'
import { startHousekeeping } from './compose-housekeeping.ts'
import { resolverOf, routesOf } from './compose-routes.ts'
import { blobsOf, describeBlobs, openLedgerOf, openTelemetryOf } from './compose-stores.ts'
import type { Config } from './config.ts'
import { adviceOn } from './config-advice.ts'
import { checkRoom, lockDataFolder, makeDataFolder } from './data-folder.ts'
import { closeToOthers } from './data-privacy.ts'
import { createEntrance } from './entrance.ts'
import type { Entrance } from './entrance.ts'
import { createFindingsFile } from './findings-file.ts'
import { createAddressing, createHttpApp, createLive } from './http/index.ts'
import type { HttpApp, HttpAppOptions, Live } from './http/index.ts'
import { boundRequestTime } from './http/request-time.ts'
import {
  createBackfillBoard,
  createDigestHandle,
  createRefusals,
  comparePositions,
  createSettledClock,
  createSubmit,
  openSpool,
} from './ingest/index.ts'
import type { BackfillBoard, DigestHandle, Spool, SpoolPosition } from './ingest/index.ts'
import { guardLedger } from './ledger-guard.ts'
import type { LedgerGuard } from './ledger-guard.ts'
import { systemClock } from './lib/clock.ts'
import { createSteadyClock } from './lib/steady-clock.ts'
import type { SteadyClock } from './lib/steady-clock.ts'
import type { Clock } from './lib/clock.ts'
import { createFindings } from './lib/findings.ts'
import type { Finding, Findings } from './lib/findings.ts'
import { createLogger } from './lib/logger.ts'
import type { Logger } from './lib/logger.ts'
import { createQuestions } from './lib/questions.ts'
import { ok } from './lib/result.ts'
import type { Result } from './lib/result.ts'
import { LIMITS as HTTP_LIMITS } from './http/limits.ts'
import { LIMITS as INGEST_LIMITS } from './ingest/limits.ts'
import { createSmtpMailer, readSmtpUrl } from './mail/mailer.ts'
import { noteAddress, readNotedAddress } from './noted-address.ts'
import { createSdkPages } from './sdk/index.ts'
import { createStatus, watchParts } from './status.ts'
import type { Status } from './status.ts'
import { tellLedgerFaults, trustClock } from './storage/index.ts'
import type { Ledger, Telemetry } from './storage/index.ts'
import { createBlobFreeing } from './storage/blobs/freeing.ts'
import { createDigestLedger } from './storage/ledger/digest-ledger.ts'
import { installationSecret, setupTokenOf } from './storage/ledger/installation-secret.ts'
import { VERSION } from './version.ts'

/** The one place that builds things. */

export interface RunningServer {
  readonly url: string
  /** Where the first owner's account is made; null when there is an owner. */
  setupLink(): Promise<string | null>
  /** Stops listening, lets answers and the batch under way finish, closes the stores. */
  close(reason: string): Promise<void>
}

const CONSOLE_DIR = join(import.meta.dirname, '..', '..', 'console', 'dist')
const SDK_DIR = join(import.meta.dirname, '..', '..', '..', 'packages', 'browser', 'dist', 'script')

const hostInUrl = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

const explainListen = (error: NodeJS.ErrnoException, port: number, host: string): Error => {
  switch (error.code) {
    case 'EADDRINUSE':
      return new Error(
        `Port ${port} is in use. Stop the other program, or choose another port with --port or FIRSTHAND_PORT.`,
      )
    case 'EACCES':
      return new Error(
        `Port ${port} may not be used by this user. Choose one above 1023 with --port or FIRSTHAND_PORT.`,
      )
    case undefined:
    default:
      return new Error(
        `Firsthand cannot listen at ${host} (${error.code ?? error.message}). Name an address of this machine with --host or FIRSTHAND_HOST; 0.0.0.0 is all of them.`,
        { cause: error },
      )
  }
}

const listen = (server: Server, port: number, host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explainListen(error, port, host)))
    server.listen(port, host, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })

/** What a test may add or replace. */
export interface StartOptions {
  readonly capabilities?: readonly Capability[]
  /** Module of the digest's thread, which has its own list of capabilities. */
  readonly digestWorker?: URL
}

/** @throws with a sentence for the person who starts the server */
export const startServer = async (
  config: Config,
  writeLog: (line: string) => void,
  { capabilities = CAPABILITIES, digestWorker }: StartOptions = {},
): Promise<RunningServer> => {
  const clock = systemClock
  const logger = createLogger(config.logLevel, (line) => writeLog(line.trimEnd()), clock.now)
  const startedAt = clock.now()
  const findings = createLoggedFindings(clock, logger)
  const base: ServerBase = { config, clock, logger, findings, capabilities }
  makeDataFolder(config.dataDir)
  checkRoom(config.dataDir)
  closeToOthers(config.dataDir, logger)
  const lock = await lockDataFolder(config.dataDir)
  // Before the stores are opened: a port that is taken is told at once, and who comes now waits instead of being turned away.
  const entrance = createEntrance(INGEST_LIMITS.DRAIN_TIMEOUT_MS)
  const server = createEntranceServer(entrance)
  const port = await listen(server, config.port, config.host)
  const url = config.publicUrl ?? `http://${hostInUrl(config.host)}:${port}`

  const stores = await openStores(base, { url, port })
  const { ledger, telemetry } = stores
  const setupToken = await setupTokenOf(ledger)
  const live = createLive()
  const store = createAccountStore(ledger)
  const accounts = createAccounts({ store, clock, setupToken, ...whoLeaves(live, () => served) })
  await accounts.ownProject.ensure()

  const spool = await openSpoolBehind(ledger, base)
  const refusals = createRefusals({ spool, clock, logger })
  const addressing = createAddressing(config)
  const mailer = config.smtpUrl === null ? null : createSmtpMailer(readSmtpUrl(config.smtpUrl))
  const backfills = createBackfillBoard({ clock })
  const received = createSteadyClock(clock)
  const road = composeRoad(spool, received, () => digest.threads())
  const served = await serveAll(base, stores, { accounts, live, addressing, url, mailer, backfills, ...road })
  const digest: DigestHandle = startDigest(base, { spool, telemetry, served, backfills, worker: digestWorker })

  const isDataGone = (): boolean => config.postgresUrl === null && spool.pressure() === 'gone'
  const guard = guardLedger({ config, findings, isDataGone })
  const explain = tellLedgerFaults(findings)
  const quotas = await composeQuotas(config, logger)
  const lookup = guardedLookup(accounts.lookup, guard, explain)
  const door = composeDoor({ ...base, clock: received }, served, { lookup, spool, refusals, quotas })

  watchParts(findings, { spool, digest, telemetry })
  const advice = adviceOn(config, url)
  const status = composeStatus(base, stores, { startedAt, spool, digest, advice, accounts })
  const noteFindings = createFindingsFile({ dataDir: config.dataDir, findings, clock, logger })
  const housekeeping = startHousekeeping(base, served, stores, quotas.save)
  // What is under way is stored; whatever else writes to the ledger by itself ends.
  guard.watch(() => {
    Promise.all([digest.drain(), housekeeping.stop()]).catch((error: unknown) =>
      logger.warn('not everything that writes to the ledger ended', { error: String(error) }),
    )
  })
  const app = composeApp(base, served, { accounts, live, status, addressing, explain, guard, isDataGone, telemetry })
  const serveApp = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  entrance.open((request, response) => {
    void door(request, response).then((taken) => {
      if (taken) return undefined
      boundRequestTime(request, HTTP_LIMITS.REQUEST_TIMEOUT_MS)
      return serveApp(request, response)
    })
  })
  await logStart(base, stores, { url, advice, accounts })

  let closing: Promise<void> | null = null
  const close = async (reason: string): Promise<void> => {
    logger.info('stopping', { reason })
    await housekeeping.stop()
    noteFindings.close()
    live.close()
    mailer?.close()
    await closeEntrance(server, entrance)
    await refusals.close()
    await quotas.save().catch((error: unknown) => logger.warn('quotas: not written down', { error: String(error) }))
    await digest.drain()
    await spool.close()
    await telemetry.close()
    await ledger.close()
    guard.close()
    lock.release()
    logger.info('stopped')
  }
  return {
    url,
    setupLink: async () => ((await accounts.setup.needed()) ? setupLink(url, setupToken) : null),
    close: (reason) => (closing ??= close(reason)),
  }
}

/** Ledger, telemetry, blobs; where the server is reached is noted in the ledger for commands that run beside it. */
const openStores = async (
  { capabilities, clock, config, findings, logger }: ServerBase,
  address: { readonly url: string; readonly port: number },
): Promise<ServerStores> => {
  const ledger = await openLedgerOf(config, { logger, clock, capabilities, inThreads: true })
  await noteAddress(ledger, address)
  const telemetry = await openTelemetryOf(config, { logger, findings, capabilities })
  return { ledger, telemetry, blobs: blobsOf(config) }
}

/** The spool, going on behind what the ledger says is digested. */
const openSpoolBehind = async (ledger: Ledger, { clock, config, logger }: ServerBase): Promise<Spool> => {
  const spool = await openSpool({ directory: join(config.dataDir, 'spool'), logger })
  const { position, pending } = await createDigestLedger({ ledger, clock }).progress(spool.id)
  await spool.startAfter(pending ?? position)
  return spool
}

/** Lets go what people had, once they may not have it any more. */
const whoLeaves = (
  live: Live,
  served: () => readonly Served[],
): Pick<Parameters<typeof createAccounts>[0], 'onAccessLost' | 'onMemberRemoved' | 'onRoleChanged'> => ({
  onAccessLost: (userId) => void live.review(userId),
  onMemberRemoved: async (organizationId, userId) => {
    for (const { memberRemoved } of served()) await memberRemoved?.(organizationId, userId)
  },
  onRoleChanged: async (organizationId, userId, scopes) => {
    for (const { roleChanged } of served()) await roleChanged?.(organizationId, userId, scopes)
  },
})

type RoadParts = Pick<ServerParts, 'letGoReceived' | 'submit' | 'settled' | 'settledWhole'>

/** What capabilities see of the road. Its first thread passes all that is not heavy, and nobody waits for what is. */
const composeRoad = (spool: Spool, clock: SteadyClock, threads: DigestHandle['threads']): RoadParts => {
  const begin: SpoolPosition = { segment: 0, offset: 0 }
  const passed = (): SpoolPosition => threads().find(({ part }) => part === 'light')?.passed ?? begin
  const passedByAll = (): SpoolPosition =>
    threads()
      .map((thread) => thread.passed)
      .toSorted(comparePositions)[0] ?? begin
  return {
    submit: createSubmit({ spool, clock }),
    letGoReceived: () => spool.leaveSegment(),
    settled: createSettledClock({ spool, passed, clock }),
    settledWhole: createSettledClock({ spool, passed: passedByAll, clock }),
  }
}

/** One after the other: a capability may build on those before it. */
const serveAll = async (
  { capabilities, clock, config, findings, logger }: ServerBase,
  { blobs, ledger, telemetry }: ServerStores,
  others: RoadParts & Pick<ServerParts, 'accounts' | 'live' | 'addressing' | 'url' | 'mailer' | 'backfills'>,
): Promise<Served[]> => {
  const questions = createQuestions()
  const served: Served[] = []
  const datasets = await Promise.all(capabilities.map(async (capability) => (await capability.datasets?.()) ?? []))
  const parts: ServerParts = {
    ...others,
    datasets: datasets.flat(),
    config,
    ledger,
    client: telemetry.client,
    blobs,
    freeing: createBlobFreeing({
      ledger,
      client: telemetry.client,
      blobs,
      columns: capabilities.flatMap(({ blobColumns = [] }) => blobColumns),
    }),
    findings,
    clock,
    logger,
    consoleDir: CONSOLE_DIR,
    keyFor: await installationSecret(ledger),
    version: VERSION,
    ask: questions.ask,
    // What builds on others goes before them.
    personal: () => served.toReversed().flatMap(({ personal = [] }) => personal),
  }
  for (const { serve } of capabilities) {
    if (serve === undefined) continue
    const one = await serve(parts)
    questions.learn(one.knows ?? [])
    served.push(one)
  }
  return served
}

/** In a thread of its own. Its news go to the capabilities that listen. */
const startDigest = (
  { clock, config, logger }: ServerBase,
  parts: {
    readonly spool: Spool
    readonly telemetry: Telemetry
    readonly served: readonly Served[]
    readonly backfills: BackfillBoard
    readonly worker: URL | undefined
  },
): DigestHandle => {
  const { spool, telemetry, served, backfills, worker } = parts
  const listeners = Map.groupBy(
    served.flatMap(({ hear = {} }) => Object.entries(hear)),
    ([kind]) => kind,
  )
  return createDigestHandle({
    config: { ...config, telemetry: telemetry.endpoint },
    spool,
    logger,
    clock,
    backfills,
    onNews: (news) => {
      for (const one of news) for (const [, hear] of listeners.get(one.kind) ?? []) hear(one)
    },
    ...(worker !== undefined && { worker }),
  })
}

type Advice = readonly Omit<Finding, 'since'>[]

const composeStatus = (
  { config, findings }: ServerBase,
  { ledger, telemetry }: ServerStores,
  parts: {
    readonly startedAt: number
    readonly spool: Spool
    readonly digest: DigestHandle
    readonly advice: Advice
    readonly accounts: Accounts
  },
): Status => {
  const { accounts, ...others } = parts
  return createStatus({
    ...others,
    version: VERSION,
    findings,
    unknownMakers: async (organizationId) =>
      (await accounts.store.tokens(organizationId)).filter(({ isMakerKnown }) => !isMakerKnown).length,
    descriptions: { ledger: ledger.description, telemetry: telemetry.description, blobs: describeBlobs(config) },
    disk: async () => {
      const { bavail, blocks, bsize } = await statfs(config.dataDir)
      return { freeBytes: bavail * bsize, totalBytes: blocks * bsize, reserveBytes: INGEST_LIMITS.DISK_RESERVE_BYTES }
    },
  })
}

const composeApp = (
  { logger }: ServerBase,
  served: readonly Served[],
  parts: Required<Pick<HttpAppOptions, 'addressing' | 'explain' | 'isDataGone'>> & {
    readonly accounts: Accounts
    readonly live: Live
    readonly status: Status
    readonly guard: LedgerGuard
    readonly telemetry: Telemetry
  },
): HttpApp => {
  const { accounts, addressing, explain, guard, isDataGone, live, status, telemetry } = parts
  return createHttpApp({
    routes: routesOf(served, { accounts, live, status }),
    resolve: resolverOf(served),
    authenticator: accounts.authenticator,
    addressing,
    logger,
    version: VERSION,
    isReady: () => telemetry.state().kind === 'ready',
    explain,
    assertUsable: guard.assertSame,
    isDataGone,
    consoleDir: CONSOLE_DIR,
    pages: [
      ...createSdkPages({
        dir: SDK_DIR,
        projectOf: async (publicKey) => {
          const key = await accounts.lookup.byPublicKey(publicKey)
          return key?.active === true ? key.projectId : null
        },
      }),
      ...served.flatMap(({ pages = [] }) => pages),
    ],
  })
}

/** What the operator reads first. */
const logStart = async (
  { config, logger }: ServerBase,
  { ledger, telemetry }: ServerStores,
  { url, advice, accounts }: { readonly url: string; readonly advice: Advice; readonly accounts: Accounts },
): Promise<void> => {
  logger.info('started', {
    version: VERSION,
    url,
    data: config.dataDir,
    spool: 'files',
    ledger: ledger.description,
    telemetry: telemetry.description,
    blobs: describeBlobs(config),
  })
  for (const { id, message } of advice) logger.warn(message, { finding: id })
  if (await accounts.setup.needed()) {
    logger.info(
      'this installation has no owner yet: open the link to the set-up page, which standard output has; `firsthand setup-link` prints it again',
    )
  }
}

/** Findings that are logged when they come and go. */
const createLoggedFindings = (clock: Clock, logger: Logger): Findings =>
  createFindings({
    now: clock.now,
    changed: ({ id, message }, state) => {
      if (state === 'new') logger.warn(`found: ${message}`, { finding: id })
      else logger.info('found no longer', { finding: id })
    },
  })

/** The largest body, as slow as it may come, and the time of the headers before it. */
const LONGEST_REQUEST_MS =
  HTTP_LIMITS.REQUEST_TIMEOUT_MS + (INGEST_LIMITS.ENVELOPE_BYTES / INGEST_LIMITS.BODY_BYTES_PER_SECOND) * 1000

const createEntranceServer = (entrance: Entrance): Server => {
  const server = createServer(
    {
      headersTimeout: HTTP_LIMITS.HEADERS_TIMEOUT_MS,
      // The application bounds the time of its own requests, the door that of its bodies.
      requestTimeout: LONGEST_REQUEST_MS,
      connectionsCheckingInterval: HTTP_LIMITS.REQUEST_CHECK_MS,
    },
    entrance.handle,
  )
  server.on('connection', entrance.connected)
  server.on('clientError', entrance.broken)
  return server
}

/** Answers that are under way are finished; who takes too long is cut off. */
const closeEntrance = async (server: Server, entrance: Entrance): Promise<void> => {
  const closed = new Promise((resolve) => server.close(resolve))
  entrance.close()
  server.closeIdleConnections()
  const impatient = setTimeout(() => server.closeAllConnections(), HTTP_LIMITS.SHUTDOWN_GRACE_MS)
  await closed
  clearTimeout(impatient)
}

/** What a command works with, beside a running server or without one. */
export interface Offline {
  readonly accounts: ReturnType<typeof createAccounts>
  /** Of the server that the same configuration would start or, when no port is given, of the one that was started last. */
  readonly publicUrl: string
  /** False: nobody said where the server is and none was started yet, so `publicUrl` is only what it would be by default. */
  readonly isPublicUrlKnown: boolean
  /** Where the first owner's account is made; null when there is an owner. */
  setupLink(): Promise<string | null>
  /**
   * Null when the organisation does not exist, or nobody with that e-mail address is in it.
   *
   * @param token.email of the maker; without it the owner who has been there for longest
   * @param token.scopes null for all that the maker may do
   */
  createToken(token: {
    organizationSlug: string
    email: string | null
    name: string
    scopes: readonly Scope[] | null
  }): Promise<Result<{ readonly token: string; readonly maker: string }, Failure> | null>
  /** From now on the clock is believed; answers what it says, in milliseconds since the epoch. */
  trustClock(): Promise<number>
  close(): Promise<void>
}

/** Opens only the ledger, so that a running server is not in the way. */
export const openOffline = async (config: Config, writeLog: (line: string) => void): Promise<Offline> => {
  const clock = systemClock
  const logger = createLogger('warn', (line) => writeLog(line.trimEnd()), clock.now)
  makeDataFolder(config.dataDir)
  closeToOthers(config.dataDir, logger)
  const ledger = await openLedgerOf(config, { logger, clock })
  const store = createAccountStore(ledger)
  const setupToken = await setupTokenOf(ledger)
  const accounts = createAccounts({ store, clock, setupToken })
  const noted = config.portGiven ? null : await readNotedAddress(ledger)
  const publicUrl = config.publicUrl ?? noted?.url ?? `http://${hostInUrl(config.host)}:${config.port}`
  const isPublicUrlKnown = config.publicUrl !== null || noted !== null || config.portGiven
  return {
    accounts,
    publicUrl,
    isPublicUrlKnown,
    setupLink: async () => ((await accounts.setup.needed()) ? setupLink(publicUrl, setupToken) : null),
    createToken: async ({ organizationSlug, email, name, scopes: wanted }) => {
      const organization = await store.organizationBySlug(organizationSlug)
      if (organization === null) return null
      const maker =
        email === null ? await store.firstOwner(organization.id) : await store.userByEmail(email.trim().toLowerCase())
      const membership = maker === null ? null : await store.membership(maker.id, String(organization.id))
      if (maker === null || membership === null) return null
      const scopes = effectiveScopes(membership.role, null)
      const made = await accounts.organizations.createToken(
        organization,
        { userId: maker.id, scopes, tokenExpiresAt: null, tokenId: null },
        { name, scopes: wanted ?? [...scopes], publicUrl: isPublicUrlKnown ? publicUrl : null },
      )
      return made.ok ? ok({ token: made.value.secret, maker: maker.email }) : made
    },
    trustClock: async () => {
      const now = clock.now()
      await trustClock(ledger, now)
      return now
    },
    close: () => ledger.close(),
  }
}
