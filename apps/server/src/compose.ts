import { statfs } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { createAccounts } from './accounts/index.ts'
import type { Scope } from './accounts/index.ts'
import { blobsOf, describeBlobs, openLedgerOf } from './compose-stores.ts'
import { createResolve, createRoutes } from './compose-routes.ts'
import type { Config } from './config.ts'
import { lockDataFolder, makeDataFolder } from './data-folder.ts'
import { createEntrance } from './entrance.ts'
import { createErrorPage } from './feedback/error-page.ts'
import { createCountMemory } from './issues/index.ts'
import { createReporterJob, createThreadPage, THREAD_PATH, threadToken } from './feedback/index.ts'
import { createAddressing, createHttpApp, createLive } from './http/index.ts'
import { createDigestHandle, createRefusals, createSubmit, openSpool } from './ingest/index.ts'
import { createDoor } from './ingest/door.routes.ts'
import { createQuotas } from './ingest/door/quotas.ts'
import { startJobs } from './jobs.ts'
import { systemClock } from './lib/clock.ts'
import { createLogger } from './lib/logger.ts'
import { LIMITS } from './limits.ts'
import { createSmtpMailer, readSmtpUrl } from './mail/mailer.ts'
import { noteAddress, readNotedAddress } from './noted-address.ts'
import { createSdkPages } from './sdk/index.ts'
import { createStatus } from './status.ts'
import { createIssueJobs, createRetention, openTelemetry } from './storage/index.ts'
import { createAccountStore } from './storage/ledger/accounts.ts'
import { createLedgerThreads } from './storage/ledger/feedback-threads.ts'
import { installationSecret } from './storage/ledger/installation-secret.ts'
import { createIssueStore } from './storage/ledger/issue-store.ts'
import { VERSION } from './version.ts'

/** The one place that builds things. */

export interface RunningServer {
  readonly url: string
  needsSetup(): Promise<boolean>
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

/** @throws with a sentence for the person who starts the server */
export const startServer = async (config: Config, writeLog: (line: string) => void): Promise<RunningServer> => {
  const clock = systemClock
  const logger = createLogger(config.logLevel, (line) => writeLog(line.trimEnd()), clock.now)
  const startedAt = clock.now()
  makeDataFolder(config.dataDir)
  const lock = await lockDataFolder(config.dataDir)
  const entrance = createEntrance()
  const server = createServer(
    {
      headersTimeout: LIMITS.HEADERS_TIMEOUT_MS,
      requestTimeout: LIMITS.REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: LIMITS.REQUEST_CHECK_MS,
    },
    entrance.handle,
  )
  server.on('clientError', entrance.broken)
  // Before the stores are opened: a port that is taken is told at once, and who comes now waits instead of being turned away.
  const port = await listen(server, config.port, config.host)
  const url = config.publicUrl ?? `http://${hostInUrl(config.host)}:${port}`

  const ledger = await openLedgerOf(config, { logger, clock })
  await noteAddress(ledger, { url, port })
  const telemetry = await openTelemetry(
    config.clickhouseUrl === null ? { dataDir: config.dataDir } : { url: config.clickhouseUrl },
    { logger },
  )
  const blobs = blobsOf(config)
  const accounts = createAccounts({ store: createAccountStore(ledger), clock })

  await accounts.ownProject.ensure()

  const spool = await openSpool({ directory: join(config.dataDir, 'spool'), logger })
  const { position, pending } = await createIssueStore({ ledger, clock }).progress(spool.id)
  await spool.startAfter(pending ?? position)
  spool.settled(position)
  const refusals = createRefusals({ spool, clock, logger })
  const live = createLive()
  const counts = createCountMemory({
    clock,
    maxAgeMs: config.clickhouseUrl === null ? LIMITS.COUNTS_REMEMBERED_MS : LIMITS.COUNTS_REMEMBERED_SHARED_MS,
  })
  const digest = createDigestHandle({
    config: { ...config, telemetry: telemetry.endpoint },
    spool,
    logger,
    clock,
    onFacts: (facts) => {
      for (const fact of facts) {
        counts.forget(fact.issueIds)
        if (fact.issueIds.length > 0) live.publish(fact)
        if (fact.reports > 0) live.publishFeedback(fact)
      }
    },
  })

  const addressing = createAddressing(config)
  const threadKey = (await installationSecret(ledger))('threads')
  const door = createDoor({
    lookup: accounts.lookup,
    spool: { append: spool.append, pressure: spool.pressure },
    refused: refusals,
    quotas: createQuotas(),
    limits: LIMITS,
    clock,
    logger,
    trustedProxies: config.trustedProxies,
    ownHosts: config.publicUrl === null ? [] : [new URL(config.publicUrl).hostname],
    tunnelPath: config.tunnelPath,
    threadUrl: (request, feedback) => {
      const header = (name: string) => {
        const value = request.headers[name]
        return typeof value === 'string' ? value : undefined
      }
      const { publicUrl } = addressing.resolve({ remoteAddress: request.socket.remoteAddress ?? null, header })
      return `${publicUrl}${THREAD_PATH}${threadToken(threadKey, feedback)}`
    },
  })

  const mailer = config.smtpUrl === null ? null : createSmtpMailer(readSmtpUrl(config.smtpUrl))
  const threads = createLedgerThreads({ ledger })
  const reporters = createReporterJob({ threads, mailer, publicUrl: url, clock, logger })
  const status = createStatus({
    version: VERSION,
    startedAt,
    spool,
    digest,
    telemetry,
    descriptions: { ledger: ledger.description, telemetry: telemetry.description, blobs: describeBlobs(config) },
    disk: async () => {
      const { bavail, blocks, bsize } = await statfs(config.dataDir)
      return { freeBytes: bavail * bsize, totalBytes: blocks * bsize, reserveBytes: LIMITS.DISK_RESERVE_BYTES }
    },
  })
  const retention = createRetention({ ledger, client: telemetry.client, blobs, clock, logger })
  const issueJobs = createIssueJobs({ ledger, client: telemetry.client, clock })
  const jobs = startJobs(
    [
      { name: 'retention', everyMs: LIMITS.RETENTION_INTERVAL_MS, run: () => retention.run() },
      { name: 'deleted issues', everyMs: LIMITS.HOUSEKEEPING_INTERVAL_MS, run: () => retention.purge() },
      { name: 'new issues', everyMs: LIMITS.HOUSEKEEPING_INTERVAL_MS, run: () => issueJobs.ageIssues() },
      { name: 'answers to reporters', everyMs: LIMITS.FEEDBACK_MAIL_INTERVAL_MS, run: () => reporters.run() },
      { name: 'archived issues', everyMs: LIMITS.ARCHIVE_REVIEW_INTERVAL_MS, run: () => issueJobs.reviewArchived() },
    ],
    { logger, firstMs: LIMITS.HOUSEKEEPING_INTERVAL_MS },
  )
  const app = createHttpApp({
    routes: createRoutes({
      accounts,
      ledger,
      telemetry,
      blobs,
      live,
      status,
      counts,
      clock,
      canSendEmail: mailer !== null,
      submit: createSubmit({ spool, clock }),
    }),
    resolve: createResolve({ ledger }),
    authenticator: accounts.authenticator,
    addressing,
    logger,
    version: VERSION,
    isReady: () => telemetry.state().kind === 'ready',
    consoleDir: CONSOLE_DIR,
    pages: [
      ...createSdkPages({ dir: SDK_DIR }),
      {
        methods: ['GET', 'POST'],
        path: `${THREAD_PATH}:token`,
        handle: createThreadPage({
          threads,
          clock,
          answered: ({ organizationId, projectId }) =>
            live.publishFeedback({ organizationId, projectId, at: clock.now() }),
        }),
      },
      { methods: ['GET'], path: '/api/embed/error-page', handle: createErrorPage({ lookup: accounts.lookup }) },
    ],
  })

  const serveApp = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  entrance.open((request, response) => {
    void door(request, response).then((taken) => (taken ? undefined : serveApp(request, response)))
  })
  logger.info('started', {
    version: VERSION,
    url,
    data: config.dataDir,
    spool: 'files',
    ledger: ledger.description,
    telemetry: telemetry.description,
    blobs: describeBlobs(config),
  })

  let closing: Promise<void> | null = null
  const close = async (reason: string): Promise<void> => {
    logger.info('stopping', { reason })
    await Promise.all([jobs.stop(), retention.close()])
    live.close()
    mailer?.close()
    const closed = new Promise((resolve) => server.close(resolve))
    entrance.close()
    server.closeIdleConnections()
    const impatient = setTimeout(() => server.closeAllConnections(), LIMITS.SHUTDOWN_GRACE_MS)
    await closed
    clearTimeout(impatient)
    await refusals.close()
    await digest.drain()
    await spool.close()
    await telemetry.close()
    await ledger.close()
    lock.release()
    logger.info('stopped')
  }
  return {
    url,
    needsSetup: () => accounts.setup.needed(),
    close: (reason) => (closing ??= close(reason)),
  }
}

/** What a command works with, beside a running server or without one. */
export interface Offline {
  readonly accounts: ReturnType<typeof createAccounts>
  /** Of the server that the same configuration would start or, when no port is given, of the one that was started last. */
  readonly publicUrl: string
  /** Null when the organisation does not exist. */
  createToken(token: { organizationSlug: string; name: string; scopes: readonly Scope[] }): Promise<string | null>
  close(): Promise<void>
}

/** Opens only the ledger, so that a running server is not in the way. */
export const openOffline = async (config: Config, writeLog: (line: string) => void): Promise<Offline> => {
  const clock = systemClock
  const logger = createLogger('warn', (line) => writeLog(line.trimEnd()), clock.now)
  makeDataFolder(config.dataDir)
  const ledger = await openLedgerOf(config, { logger, clock })
  const store = createAccountStore(ledger)
  const accounts = createAccounts({ store, clock })
  const noted = config.portGiven ? null : await readNotedAddress(ledger)
  const publicUrl = config.publicUrl ?? noted?.url ?? `http://${hostInUrl(config.host)}:${config.port}`
  return {
    accounts,
    publicUrl,
    createToken: async ({ organizationSlug, name, scopes }) => {
      const organization = await store.organizationBySlug(organizationSlug)
      if (organization === null) return null
      const made = await accounts.organizations.createToken(
        organization,
        { role: 'owner', scopes: new Set(scopes) },
        { name, scopes, publicUrl },
      )
      if (!made.ok) throw new Error(made.error.detail)
      return made.value.secret
    },
    close: () => ledger.close(),
  }
}
