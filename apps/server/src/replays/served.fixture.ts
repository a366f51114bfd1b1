import { join } from 'node:path'
import { DEFAULT_PROJECT_SETTINGS } from '../accounts/index.ts'
import { CAPABILITIES } from '../capabilities.ts'
import type { Served } from '../capability.ts'
import { RECEIVED_AT } from '../event/normalise/digest-item.fixture.ts'
import type { DigestItem } from '../ingest/index.ts'
import { createFileBlobs } from '../storage/blobs/file-blobs.ts'
import { createBlobFreeing } from '../storage/blobs/freeing.ts'
import {
  LEDGER_ENGINES,
  seedOrganization,
  silentLogger,
  TELEMETRY_ENGINES,
  temporaryFolder,
  testClock,
} from '../storage/conformance/engines.ts'
import { createRowWriter } from '../storage/telemetry/row-writer.ts'
import { createReplayItems } from './replay-items.ts'
import { meta, segment, snapshot, type SegmentSpec } from './replay.fixture.ts'
import { serveReplays } from './serve.ts'

/** Test helper: replays as the server has them, on real stores, with what is received of them. */

const NO_BLOBS = { recording: null, video: null }

/** Ada, who is user 7. */
const ADA = { id: 7, email: 'ada@acme.example', name: 'Ada', password_hash: '', preferences: '{}', created_at: 0 }

export const openServedReplays = async (ledgerEngine = LEDGER_ENGINES[0]) => {
  const [telemetryEngine] = TELEMETRY_ENGINES
  if (ledgerEngine === undefined || telemetryEngine === undefined) throw new Error('no engine')
  const folder = temporaryFolder()
  const blobs = createFileBlobs(join(folder.path, 'blobs'))
  const clock = testClock(RECEIVED_AT)
  const opened = await ledgerEngine.open()
  const telemetry = await telemetryEngine.open()
  const { ledger } = opened
  const { client } = telemetry.telemetry
  await seedOrganization(ledger)
  await ledger.db.insertInto('users').values(ADA).execute()
  const settingsOf = { organizationId: 1, settings: DEFAULT_PROJECT_SETTINGS, platform: '' }
  const served: Served = serveReplays({
    accounts: { lookup: { byProjectId: () => Promise.resolve(settingsOf) } },
    blobs,
    client,
    clock,
    config: { reachableRanges: [] },
    consoleDir: folder.path,
    freeing: createBlobFreeing({
      ledger,
      client,
      blobs,
      columns: CAPABILITIES.flatMap(({ blobColumns = [] }) => blobColumns),
    }),
    ledger,
    live: { publish: () => {} },
    logger: silentLogger,
  })
  const kind = createReplayItems({ blobs, writer: createRowWriter({ client, logger: silentLogger }) })
  let batches = 0

  /** As the digest does it. @returns how each item ended */
  const receive = async (items: readonly DigestItem[]): Promise<readonly string[]> => {
    batches += 1
    const context = { settings: DEFAULT_PROJECT_SETTINGS, siblings: items.map(({ item }) => item) }
    const entries = items.flatMap((item) => {
      const expanded = kind.expand(item, context)
      return expanded.ok ? [{ item, value: expanded.value, id: () => '', followers: 0 }] : []
    })
    const ready = (await kind.prepare?.(entries)) ?? []
    const verdicts = await ledger.transaction((transaction) => {
      const work = { transaction, dialect: ledger.dialect, batch: batches, isRepeated: false, now: clock.now() }
      return kind.apply?.(work, entries, ready) ?? Promise.resolve([])
    })
    const stored = entries.flatMap((entry, index) =>
      verdicts[index]?.isStored === true ? [{ entry, ready: ready[index] ?? NO_BLOBS, stored: null }] : [],
    )
    await kind.write?.(stored, { token: `served:${batches}`, again: false })
    return verdicts.map((verdict) => (verdict.isStored ? 'stored' : verdict.outcome.reason))
  }

  return {
    blobs,
    client,
    clock,
    ledger,
    receive,
    routes: served.routes ?? [],
    served,
    /** A replay of one segment of the first project, that begins then. */
    record: async (replayId: string, at: number, { user, ...spec }: SegmentSpec & { readonly user?: object } = {}) => {
      const event = { replay_start_timestamp: at / 1000, ...(user === undefined ? {} : { user }) }
      const events = [meta(at), snapshot(at + 1)]
      const items = segment({ projectId: 1, replayId, receivedAt: at + 1000, events, ...spec, event })
      const ended = await receive(items)
      if (!ended.includes('stored')) throw new Error(`The replay was not stored: ${ended.join(', ')}`)
    },
    /** Runs a job by its name. */
    runJob: async (name: string): Promise<void> => {
      const job = served.jobs?.find((one) => one.name === name)
      if (job === undefined) throw new Error(`There is no job of the name ${name}`)
      await job.run()
    },
    close: async (): Promise<void> => {
      served.end?.()
      await telemetry.close()
      await opened.close()
      folder.remove()
    },
  }
}

export type ServedReplays = Awaited<ReturnType<typeof openServedReplays>>
