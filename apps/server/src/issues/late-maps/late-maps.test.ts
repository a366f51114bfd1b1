import { encode } from '@jridgewell/sourcemap-codec'
import { describe, expect, it } from 'vitest'
import { NO_FUNCTIONS } from '../../artifacts/maps/function-names.ts'
import { prepareMap, PreparedMap } from '../../artifacts/maps/prepared-map.ts'
import { readSourceMap } from '../../artifacts/maps/source-map.ts'
import type { FrameResolver } from '../../artifacts/resolve/index.ts'
import { OpenMap } from '../../artifacts/resolve/open-map.ts'
import type { NormalisedEvent } from '../../event/event.ts'
import { createLogger } from '../../lib/logger.ts'
import { LEDGER_ENGINES } from '../../storage/conformance/engines.ts'
import type { EventPlace } from '../events.view.ts'
import { noteLateUploads } from '../ledger/late-maps.ts'
import { LIMITS } from '../limits.ts'
import { createTelemetryEventView } from '../telemetry/events.view.ts'
import { createIssueApp, NOW, sampleEvent, type IssueApp, type TestOrganization } from '../test/issue-app.ts'
import { createLookBack } from './look-back.ts'

/** Both engines start here, on machines that may be busy. */
const ENGINES_START_MS = 240_000

/** A map whose third line comes from a source of this name. */
const mapTo = (source: string): OpenMap => {
  const json = {
    version: 3,
    sources: [source],
    sourcesContent: ['boom()'],
    names: [],
    mappings: encode([[], [], [[0, 0, 0, 0]]]),
  }
  const read = readSourceMap(JSON.stringify(json))
  const map = read.ok ? PreparedMap.of(prepareMap(read.value, NO_FUNCTIONS)) : null
  if (map === null) throw new Error('the form of today')
  return new OpenMap(map)
}

/** Sources by the addresses of the code. */
const resolverOf = (sources: (address: string) => string): FrameResolver => ({
  projects: async (ids) => new Set(ids),
  find: async (_, event) => ({
    files: new Map(
      addressesOf(event).map((address) => [
        address,
        { kind: 'open', open: mapTo(sources(address)), key: sources(address), url: '~/app.js.map', found: 'release' },
      ]),
    ),
    mappings: new Map(),
  }),
  ask: async () => ({ files: new Map(), mappings: new Map() }),
  aboutNative: async () => [],
})

const addressesOf = (event: NormalisedEvent): string[] =>
  (event.exception?.values ?? []).flatMap(({ stacktrace }) =>
    (stacktrace?.frames ?? []).flatMap(({ abs_path: path }) => path ?? []),
  )

/** What a minified file threw. */
const thrownIn = (
  file: string,
  { release = 'web@1', ago = 1000, message = file, isMapped = false } = {},
): NormalisedEvent => {
  const path = `https://x.example/${file}.js`
  const frame = { filename: path, abs_path: path, function: 'a', lineno: 3, in_app: true }
  // Of one that was mapped when it came, another frame is of a file that has no map.
  const frames = isMapped ? [frame, { ...frame, data: { symbolicated: true } }] : [frame]
  const value = { type: 'TypeError', value: message, stacktrace: { frames } }
  return sampleEvent({ kind: file, ago, event: { release, exception: { values: [value] } } })
}

const noteUpload = (
  app: IssueApp,
  place: TestOrganization,
  bundleId: number,
  release = 'web@1',
  now: number = NOW,
): Promise<void> => {
  const { organizationId, projectId } = place
  return app.ledger.transaction((transaction) =>
    noteLateUploads(transaction, [{ organizationId, projectId, bundleId, release }], now),
  )
}

/** As after a start of the server. @returns the events that it looked at */
const lookBack = async (
  app: IssueApp,
  frames: FrameResolver,
  workMs: number = LIMITS.LATE_MAPS_WORK_MS,
): Promise<readonly EventPlace[]> => {
  const events = createTelemetryEventView({ client: app.client })
  const looked: EventPlace[] = []
  await createLookBack({
    ledger: app.ledger,
    client: app.client,
    clock: app.clock,
    logger: createLogger('error', () => undefined, app.clock.now),
    events: {
      load: (place) => {
        looked.push(place)
        return events.load(place)
      },
    },
    frames,
    settings: { byProjectId: async () => null },
    changed: () => undefined,
    workMs,
  })()
  return looked
}

const hashesOf = async (app: IssueApp, issueId: number): Promise<readonly string[]> => {
  const rows = await app.ledger.db.selectFrom('issue_hashes').select('hash').where('issue_id', '=', issueId).execute()
  return rows.map(({ hash }) => hash)
}

const waiting = (app: IssueApp) => app.ledger.db.selectFrom('late_maps').selectAll().execute()

describe.each(LEDGER_ENGINES)('maps that came late, with a ledger on $name', (engine) => {
  const within = async (test: (app: IssueApp, acme: TestOrganization) => Promise<void>): Promise<void> => {
    const app = await createIssueApp(engine)
    try {
      await test(app, await app.organization('acme'))
    } finally {
      await app.close()
    }
  }

  it(
    'L61: give issues the hashes of their sources, and make one of two that were one all along',
    () =>
      within(async (app, acme) => {
        const [one = 0, two = 0, apart = 0, other = 0] = await app.store(acme, [
          thrownIn('one'),
          thrownIn('two'),
          thrownIn('apart'),
          thrownIn('other', { release: 'web@2' }),
        ])
        await app.store(acme, [thrownIn('two', { message: 'again' })])
        const before = await hashesOf(app, apart)
        await noteUpload(app, acme, 1)
        await lookBack(
          app,
          resolverOf((address) => (address.includes('apart') ? 'src/apart.ts' : 'src/same.ts')),
        )
        const issue = async (id: number) => (await acme.call('GET', `/organizations/acme/issues/${id}/`)).body
        // The one with most events stays, and its address is that of both.
        expect(await issue(one)).toMatchObject({ id: String(two), count: '3' })
        expect(await issue(apart)).toMatchObject({
          id: String(apart),
          culprit: expect.stringContaining('src/apart.ts'),
        })
        expect(await hashesOf(app, apart)).toEqual(expect.arrayContaining([...before]))
        expect((await hashesOf(app, apart)).length).toBeGreaterThan(before.length)
        // Of a release that has no files.
        expect(await issue(other)).toMatchObject({ culprit: expect.not.stringContaining('src/') })
        expect(await waiting(app)).toEqual([])
      }),
    ENGINES_START_MS,
  )

  it(
    'leave an event alone of which they change no frame, also where its hash leads to another issue by now',
    () =>
      within(async (app, acme) => {
        const [one = 0, two = 0] = await app.store(acme, [
          thrownIn('one', { isMapped: true }),
          thrownIn('two', { isMapped: true }),
        ])
        // Somebody split it off: what comes next is of the other issue, what came stays.
        await app.ledger.db.updateTable('issue_hashes').set({ issue_id: two }).where('issue_id', '=', one).execute()
        await noteUpload(app, acme, 1)
        const found = { files: new Map(), mappings: new Map() }
        const frames = { ...resolverOf((address) => address), find: async () => found }
        const looked = await lookBack(app, frames)
        expect(looked).toHaveLength(2)
        const issue = async (id: number) => (await acme.call('GET', `/organizations/acme/issues/${id}/`)).body
        expect(await issue(one)).toMatchObject({ id: String(one), count: '1' })
        expect(await issue(two)).toMatchObject({ id: String(two), count: '1' })
      }),
    ENGINES_START_MS,
  )

  it(
    'L62: are looked for by one event of each hash, step by step, and after a restart from where that ended',
    () =>
      within(async (app, acme) => {
        const files = Array.from({ length: LIMITS.LATE_MAPS_STEP_EVENTS + 30 }, (_, index) => `file-${index}`)
        await app.store(
          acme,
          files.flatMap((file) => [thrownIn(file, { ago: 5000 }), thrownIn(file), thrownIn(file)]),
        )
        await noteUpload(app, acme, 1)
        const looked: EventPlace[] = []
        const frames = resolverOf((address) => `src/${address.split('/').at(-1)}.ts`)
        // It goes on until its time is over, which may be at once: each time it begins anew.
        while ((await waiting(app)).length > 0) looked.push(...(await lookBack(app, frames)))
        const issues = looked.map(({ storedIssueId }) => storedIssueId)
        expect(new Set(issues).size).toBe(files.length)
        // At most the last issue of a full step is looked at a second time.
        expect(issues.length).toBeLessThanOrEqual(files.length + 1)
      }),
    ENGINES_START_MS,
  )

  it(
    'are looked for once for mappings that come together',
    () =>
      within(async (app, acme) => {
        await app.store(acme, [thrownIn('one'), thrownIn('two')])
        const frames = resolverOf((address) => `src/${address.split('/').at(-1)}.ts`)
        const looked: EventPlace[] = []
        for (let index = 0; index < 3; index += 1) {
          app.clock.set(NOW + index * 3000)
          await noteUpload(app, acme, 0, '', app.clock.now())
          looked.push(...(await lookBack(app, frames)))
        }
        expect(looked).toEqual([])
        // However many come, from the first on.
        app.clock.set(NOW + LIMITS.LATE_MAPS_TOGETHER_MS)
        expect(await lookBack(app, frames)).toHaveLength(2)
        expect(await waiting(app)).toEqual([])
      }),
    ENGINES_START_MS,
  )

  it.each([0, 7])(
    'go on to the end when more of bundle %i is uploaded meanwhile, and once more for that, also after restarts',
    (bundleId) =>
      within(async (app, acme) => {
        const [one, two, three] = await app.store(
          acme,
          ['one', 'two', 'three'].map((file) => thrownIn(file)),
        )
        const frames = resolverOf((address) => `src/${address.split('/').at(-1)}.ts`)
        const turns: number[] = []
        // An issue for each turn, and an upload after each of the first.
        for (let turn = 0; turn < 20 && (turn === 0 || (await waiting(app)).length > 0); turn += 1) {
          app.clock.set(NOW + turn * LIMITS.LATE_MAPS_TOGETHER_MS)
          if (turn < 3) await noteUpload(app, acme, bundleId, 'web@1', app.clock.now())
          const looked = await lookBack(app, frames, 0)
          turns.push(...looked.map(({ storedIssueId }) => storedIssueId))
        }
        expect(turns).toEqual([one, two, three, one, two, three])
      }),
    ENGINES_START_MS,
  )

  it(
    'are left for the next time in the middle of a step, where an issue ends, when the time is over',
    () =>
      within(async (app, acme) => {
        const files = ['one', 'two', 'three']
        await app.store(acme, [...files.map((file) => thrownIn(file)), thrownIn('two', { message: 'again' })])
        await noteUpload(app, acme, 1)
        const frames = resolverOf((address) => `src/${address.split('/').at(-1)}.ts`)
        const turns: number[][] = []
        while ((await waiting(app)).length > 0) {
          const looked = await lookBack(app, frames, 0)
          turns.push([...new Set(looked.map(({ storedIssueId }) => storedIssueId))])
        }
        expect(turns.map((turn) => turn.length)).toEqual([1, 1, 1])
        expect(new Set(turns.flat()).size).toBe(3)
      }),
    ENGINES_START_MS,
  )

  it(
    'wait until the maps are ready, and leave alone what nobody wants or what cannot be read',
    () =>
      within(async (app, acme) => {
        const [kept = 0, wanted = 0] = await app.store(acme, [thrownIn('kept'), thrownIn('wanted')])
        const { db } = app.ledger
        const bundle = {
          organization_id: acme.organizationId,
          checksum: 'a',
          release_version: 'web@1',
          dist: '',
          state: 'ok' as const,
        }
        const { id } = await db
          .insertInto('artifact_bundles')
          .values({
            ...bundle,
            chunks: '[]',
            bytes: 1,
            files: 1,
            attempts: 1,
            uploaded_at: NOW,
            error: null,
            ended_at: NOW,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        const file = {
          organization_id: acme.organizationId,
          bundle_id: id,
          type: 'source_map',
          url: '~/a.js.map',
          blob_key: 'a',
        }
        await db
          .insertInto('artifact_files')
          .values({
            ...file,
            kind: 'source_map',
            headers: '{}',
            bytes: 1,
            sha1: 'a',
            debug_id: null,
            source_map: null,
            prepared_key: null,
            prepared_form: null,
            map_error: null,
          })
          .execute()
        await noteUpload(app, acme, id)
        const frames = resolverOf((address) => `src/${address.split('/').at(-1)}.ts`)
        expect(await lookBack(app, frames)).toEqual([])
        expect(await waiting(app)).toHaveLength(1)

        await db.updateTable('artifact_files').set({ prepared_form: 1 }).execute()
        // What is deleted for good is not brought back, and what cannot be read keeps nothing waiting.
        await acme.call('DELETE', `/organizations/acme/issues/?id=${kept}`)
        const damaged: FrameResolver = {
          ...frames,
          find: (projectId, event) =>
            addressesOf(event).some((address) => address.includes('kept'))
              ? Promise.reject(new Error('damaged'))
              : frames.find(projectId, event),
        }
        expect(await lookBack(app, damaged)).toHaveLength(2)
        expect(await waiting(app)).toEqual([])
        expect((await hashesOf(app, wanted)).length).toBeGreaterThan(1)
      }),
    ENGINES_START_MS,
  )
})
