import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnvelope } from '@firsthand/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_PROJECT_SETTINGS } from '../accounts/index.ts'
import { digestItem, EVENT_ID, RECEIVED, RECEIVED_AT } from '../event/normalise/digest-item.fixture.ts'
import type { DigestItem } from '../ingest/index.ts'
import { findBackfills, groupsOf } from '../kept-items/backfill.ts'
import { keepItems } from '../kept-items/keep.ts'
import { KEPT_ITEMS } from '../kept-items/kept-item-row.ts'
import { AWAITED } from '../kept-items/kept-items.ts'
import { createFileBlobs } from '../storage/blobs/file-blobs.ts'
import {
  silentLogger,
  TELEMETRY_ENGINES,
  temporaryFolder,
  type OpenedTelemetry,
} from '../storage/conformance/engines.ts'
import { createRowWriter } from '../storage/telemetry/row-writer.ts'
import { decodeForm, type ProfileForm } from './form.ts'
import { LIMITS } from './limits.ts'
import { loadMix, WHOLE, type LoadedMix } from './load.ts'
import { createProfileItems } from './profile-items.ts'
import { createProfileView, type ProfileRecord, type ProfileView } from './profiles.view.ts'

/** From the bytes of an SDK, through the real engine and the files of blobs, to what is read again. */

const FIXTURES = join(import.meta.dirname, '..', '..', '..', '..', 'fixtures', 'envelopes')

/** The items of a recorded envelope, as they come to the digest. */
const recorded = (name: string, receivedAt: number): readonly DigestItem[] => {
  const parsed = parseEnvelope(readFileSync(join(FIXTURES, `${name}.envelope`)))
  if (!parsed.ok) throw new Error(parsed.error.message)
  const { header, items } = parsed.value
  const { sender } = digestItem('{}')
  return items.map((item) => ({ sender, receivedAt, header, eventId: header.eventId, item }))
}

const kindOf = (items: readonly DigestItem[], type: string): DigestItem => {
  const found = items.find(({ item }) => item.header.type === type)
  if (found === undefined) throw new Error(`no ${type}`)
  return found
}

/** Seconds, so that samples lie in the time in which they are received. */
const START = RECEIVED - 60

const profileOf = (profile: object, more: object = {}): DigestItem =>
  digestItem(
    {
      event_id: EVENT_ID,
      version: '1',
      platform: 'node',
      timestamp: new Date(START * 1000).toISOString(),
      transaction: { id: 'e'.repeat(32), name: 'GET /tea', trace_id: 'a'.repeat(32), active_thread_id: '7' },
      profile,
      ...more,
    },
    { type: 'profile' },
  )

const sampleAt = (ms: number, stack: number, thread: unknown = '7') => ({
  elapsed_since_start_ns: String(ms * 1e6),
  stack_id: stack,
  thread_id: thread,
})

const wordsOf = (form: ProfileForm, column: readonly number[]): string[] =>
  column.map((place) => form.words[place] ?? '?')

describe('what an SDK sends', () => {
  const folder = temporaryFolder()
  afterAll(() => folder.remove())
  const kind = createProfileItems({
    blobs: createFileBlobs(folder.path),
    writer: { insert: async () => undefined, insertRows: async () => new Map() },
  })
  const expand = (item: DigestItem) => kind.expand(item, { settings: DEFAULT_PROJECT_SETTINGS, siblings: [item.item] })
  const read = (item: DigestItem): ProfileForm => {
    const expanded = expand(item)
    if (!expanded.ok) throw new Error(expanded.error.detail)
    return decodeForm(expanded.value.bytes)
  }

  it.each([
    ['{}', 'A profile must have samples, stacks and frames.'],
    ['[]', 'The payload of a profile must be a JSON object.'],
    [JSON.stringify({ event_id: EVENT_ID, sampled_profile: 'AAAA' }), 'Traces of Android are not read.'],
    [JSON.stringify({ event_id: EVENT_ID, profile: { samples: [], stacks: [], frames: [] } }), 'None of its samples'],
  ])('%s is refused with a reason', (payload, detail) => {
    const expanded = expand(digestItem(payload, { type: 'profile' }))
    expect(expanded).toMatchObject({ ok: false, error: { outcome: { kind: 'invalid', reason: 'invalid_profile' } } })
    expect(expanded.ok ? '' : expanded.error.detail).toContain(detail)
  })

  it('a chunk must name its profiler', () => {
    const item = digestItem({ chunk_id: EVENT_ID, profile: { samples: [] } }, { type: 'profile_chunk' })
    expect(expand(item)).toMatchObject({ ok: false, error: { outcome: { reason: 'invalid_profile' } } })
  })

  it('indexes, times and threads that are none leave their sample out, and it says so', () => {
    const form = read(
      profileOf({
        frames: [{ function: 'good', abs_path: '/app/a.js' }, null],
        stacks: [[0], [0, 99, -1, 1.5, 'x', 1], 'none'],
        samples: [
          sampleAt(0, 0),
          sampleAt(10, 1),
          sampleAt(20, 2),
          sampleAt(30, 12),
          sampleAt(-5, 0),
          sampleAt(4e12, 0),
          sampleAt(40, 0, null),
          { ...sampleAt(50, 0), elapsed_since_start_ns: 'soon' },
          null,
        ],
      }),
    )
    expect(form.samples).toEqual({ thread: [0, 0], stack: [0, 2], at: [0, 10_000] })
    expect(form.notes).toEqual([
      '6 of its samples cannot be read: they name a stack that is not there, or no time.',
      '1 of its samples were left out: their time is far from that of the others.',
      '4 frames of its stacks are not there.',
    ])
    expect(form.threads).toEqual([{ id: '7', name: '' }])
  })

  it('T112 T115 samples and stacks without end are cut, with their sums kept', () => {
    const frames = Array.from({ length: 3000 }, (_, index) => ({ function: `f${index}`, abs_path: '/app/a.js' }))
    const deep = frames.map((_, index) => index)
    const samples = Array.from({ length: LIMITS.PROFILE_SAMPLES + 1000 }, (_, index) =>
      sampleAt(index / 1000, index % 2),
    )
    const form = read(profileOf({ frames, stacks: [deep, [0]], samples }))
    expect(form.samples.at).toHaveLength(LIMITS.PROFILE_SAMPLES)
    expect(form.stacks.frame).toHaveLength(LIMITS.PROFILE_STACK_FRAMES + 1)
    // What called all of it stands last in what an SDK sends.
    expect(form.words[form.frames.name[form.stacks.frame[0] ?? -1] ?? -1]).toBe('f2999')
    expect(form.notes).toEqual([
      '1000 of its samples were left out: there are too many.',
      '1 of its stacks were cut: they are too deep, or too many.',
    ])
  })

  it('names and files are bounded, addresses of pages lose their query, secrets go', () => {
    const form = read(
      profileOf({
        frames: [
          { function: 'n'.repeat(10_000), abs_path: `/${'p'.repeat(10_000)}` },
          { function: 'pay', abs_path: 'https://shop.example/app.js?token=abc#card' },
          { function: 'card 4111 1111 1111 1111', filename: 'a.py', in_app: true },
        ],
        stacks: [[0], [1], [2]],
        samples: [sampleAt(0, 0), sampleAt(1, 1), sampleAt(2, 2)],
      }),
    )
    const [names, files] = [wordsOf(form, form.frames.name), wordsOf(form, form.frames.file)]
    expect([names[0]?.length, files[0]?.length]).toEqual([LIMITS.PROFILE_NAME_CHARS, LIMITS.PROFILE_FILE_CHARS])
    expect(files[1]).toBe('https://shop.example/app.js')
    expect(names[2]).not.toContain('4111')
  })

  it('text without end is left out, and it says so', () => {
    const frames = Array.from({ length: 10_000 }, (_, index) => ({
      function: `${index}`.padStart(LIMITS.PROFILE_NAME_CHARS, 'n'),
      abs_path: '/app/a.js',
    }))
    const form = read(profileOf({ frames, stacks: [[9999]], samples: [sampleAt(0, 0)] }))
    expect(form.words.join('').length).toBeLessThanOrEqual(LIMITS.PROFILE_TEXT_CHARS)
    expect(form.notes[0]).toMatch(/^\d+ names of its functions and files were left out/)
    expect(form.samples.stack).toEqual([0])
  })

  it('addresses without symbols are told by their library, wherever it was loaded', () => {
    const native = (base: number) =>
      read(
        profileOf(
          {
            frames: [{ instruction_addr: `0x${(base + 0x42).toString(16)}` }, { instruction_addr: '0x10' }],
            stacks: [[0], [1]],
            samples: [sampleAt(0, 0), sampleAt(1, 1)],
          },
          {
            platform: 'cocoa',
            debug_meta: {
              images: [{ image_addr: `0x${base.toString(16)}`, image_size: 4096, code_file: '/usr/lib/libtea.dylib' }],
            },
          },
        ),
      )
    for (const base of [0x100000000, 0x200000000]) {
      const form = native(base)
      expect(wordsOf(form, form.frames.module)).toEqual(['libtea.dylib', ''])
      expect(wordsOf(form, form.frames.address)).toEqual(['+0x42', '0x10'])
    }
  })

  it('code is told from libraries and the runtime where the SDK does not say', () => {
    const form = read(
      profileOf({
        frames: [
          { function: 'a', abs_path: '/app/src/a.js' },
          { function: 'b', abs_path: '/app/node_modules/pg/b.js' },
          { function: 'c', abs_path: 'node:internal/timers' },
          { function: 'd' },
          { function: 'e', filename: 'e.py', in_app: false },
          { function: '(garbage collector)' },
          { function: '(idle)' },
        ],
        stacks: [[0], [6]],
        samples: [sampleAt(0, 0), sampleAt(1, 1)],
      }),
    )
    expect(form.frames.kind).toEqual([0, 1, 2, 2, 1, 2])
    expect(form.samples.stack).toEqual([0, -1])
  })

  it('what Node says while it waits is no run, also where it says what called it', () => {
    const form = read(kindOf(recorded('sdk-11/node11-idle-profile_chunk', RECEIVED_AT), 'profile_chunk'))
    const running = form.samples.stack.filter((stack) => stack !== -1)
    expect([running.length, form.samples.stack.length]).toEqual([13, 27])
    const frames = running.map((stack) => form.words[form.frames.name[form.stacks.frame[stack] ?? -1] ?? -1])
    expect(frames).toContain('crunch')
    expect(frames).toContain('(garbage collector)')
    expect(frames).not.toContain('(root)')
  })

  it.each([
    ['11.10.0', ['nothing', 'work', 'nothing']],
    ['10.78.0', ['nothing', 'work', 'nothing']],
    ['11.12.0', ['bottom', 'work', 'bottom']],
  ])('what browsers of the SDK %s say of a page that is idle', (version, names) => {
    const form = read(
      digestItem(
        {
          chunk_id: EVENT_ID,
          profiler_id: 'b'.repeat(32),
          version: '2',
          platform: 'javascript',
          client_sdk: { name: 'sentry.javascript.browser', version },
          profile: {
            frames: [
              { function: 'bottom', abs_path: '/a.js' },
              { function: 'work', abs_path: '/a.js' },
            ],
            stacks: [[0], [1, 0]],
            samples: [0, 1, 0].map((stack, index) => ({
              timestamp: START + index / 100,
              stack_id: stack,
              thread_id: '0',
            })),
            thread_metadata: { 0: { name: 'main' } },
          },
        },
        { type: 'profile_chunk' },
      ),
    )
    const frameOf = (stack: number): string =>
      form.words[form.frames.name[form.stacks.frame[stack] ?? -1] ?? -1] ?? 'nothing'
    expect(form.samples.stack.map(frameOf)).toEqual(names)
  })
})

describe.each(TELEMETRY_ENGINES)('profiles on $name', ({ open }) => {
  const folder = temporaryFolder()
  const blobs = createFileBlobs(folder.path)
  let opened: OpenedTelemetry
  let kind: ReturnType<typeof createProfileItems>
  let view: ProfileView
  let tokens = 0
  beforeAll(async () => {
    opened = await open()
    kind = createProfileItems({ blobs, writer: createRowWriter({ client: opened.telemetry.client }) })
    view = createProfileView({ client: opened.telemetry.client })
  })
  afterAll(async () => {
    await opened.close()
    folder.remove()
  })

  const store = async (item: DigestItem, siblings: readonly DigestItem[] = [item], token = `t:${(tokens += 1)}`) => {
    const context = { settings: DEFAULT_PROJECT_SETTINGS, siblings: siblings.map((one) => one.item) }
    const expanded = kind.expand(item, context)
    if (!expanded.ok) throw new Error(expanded.error.detail)
    const entry = { item, value: expanded.value, id: () => '', followers: 0 }
    const [ready] = (await kind.prepare?.([entry])) ?? []
    if (ready === undefined) throw new Error('nothing was prepared')
    const stored = [{ entry, ready, stored: null }]
    expect(await kind.write?.(stored, { token, again: false })).toEqual(new Map())
  }
  const scope = { organizationId: 1, projectIds: [42] }
  const period = { from: RECEIVED_AT - 86_400_000, to: RECEIVED_AT + 86_400_000 }
  const choice = { environments: [], period, transaction: null }
  const page = { limit: 100, offset: 0 }
  const load = (record: ProfileRecord): Promise<LoadedMix> =>
    loadMix({ profiles: view, blobs }, [{ record, parts: [{ ...WHOLE, thread: null }] }], { sums: false })
  const stacksOf = ({ mix }: LoadedMix): string[] =>
    mix.samples.stack.map((stack) => {
      const names: string[] = []
      for (let place = stack; place !== -1; place = mix.stacks.parent[place] ?? -1) {
        names.push(mix.words[mix.frames.name[mix.stacks.frame[place] ?? -1] ?? -1] ?? '?')
      }
      return names.reverse().join(' ')
    })

  it('T13 a profile of Node with its transaction is listed by the name of its spans, and read again', async () => {
    const items = recorded('sdk-9/node-17-transaction', RECEIVED_AT)
    await store(kindOf(items, 'profile'), items)
    const [record] = await view.ofTransaction(scope, { ...choice, transaction: 'POST /api/orders' }, 10)
    expect((await view.list(scope, choice, page)).map(({ profileId }) => profileId)).toContain(record?.profileId)
    expect(record).toMatchObject({ profilerId: '', platform: 'node', release: 'shop@1.2.3', environment: 'test' })
    expect(record?.segmentId).toMatch(/^[0-9a-f]{16}$/)
    expect(record?.traceId).toMatch(/^[0-9a-f]{32}$/)
    if (record === undefined) throw new Error('it is not listed')
    expect(await view.ofTrace(scope, record.traceId, 10)).toEqual([record])
    expect(await view.find(scope, record.profileId)).toEqual(record)
    const loaded = await load(record)
    expect(stacksOf(loaded).some((stack) => stack.includes('handleOrder loadTable'))).toBe(true)
    expect(loaded.mix.samples.weight.reduce((sum, weight) => sum + weight, 0)).toBeGreaterThan(record.duration)
  })

  it('T13 a chunk of a continuous profile alone is listed', async () => {
    await store(kindOf(recorded('sdk-11/browser11-034-profile_chunk', RECEIVED_AT), 'profile_chunk'))
    const records = await view.list(scope, choice, page)
    const record = records.find(({ profilerId }) => profilerId !== '')
    if (record === undefined) throw new Error('it is not listed')
    expect(record).toMatchObject({ samples: 100, threads: ['0'], platform: 'javascript', release: 'web@2.0.0' })
    const around = { from: record.start + 1, to: record.start + 2 }
    expect(await view.chunks(scope, [record.profilerId], around)).toEqual([record])
    expect(await view.chunks(scope, [record.profilerId], { from: 0, to: record.start - 1 })).toEqual([])
    // Its last sample stands for some time, in which a lane leads to it.
    const end = record.start + record.duration
    expect(await view.chunks(scope, [record.profilerId], { from: end + 5, to: end + 570 })).toEqual([record])
    const muchLater = { from: end + 60_000_000, to: end + 61_000_000 }
    expect(await view.chunks(scope, [record.profilerId], muchLater)).toEqual([])
    // Idle nearly all of the time.
    const { samples } = (await load(record)).mix
    expect(samples.stack.filter((stack) => stack === -1)).toHaveLength(98)
  })

  it('T13 a chunk of Node is listed, and its stacks are read again', async () => {
    await store(kindOf(recorded('sdk-9/node-18-profile_chunk', RECEIVED_AT), 'profile_chunk'))
    const records = await view.list(scope, choice, page)
    const record = records.find(({ platform, profilerId }) => platform === 'node' && profilerId !== '')
    if (record === undefined) throw new Error('it is not listed')
    expect(stacksOf(await load(record)).some((stack) => stack.includes('handleOrder priceOf'))).toBe(true)
  })

  it('T14 what was kept whole before there were profiles is read again by its kind', async () => {
    const logger = silentLogger
    const items = [
      kindOf(recorded('sdk-9/node-17-transaction', RECEIVED_AT), 'profile'),
      kindOf(recorded('sdk-11/browser11-032-profile_chunk', RECEIVED_AT), 'profile_chunk'),
    ].map((item): DigestItem => ({ ...item, sender: { ...item.sender, projectId: 43 } }))
    const entries = items.map((item, index) => ({
      item,
      value: null,
      id: () => String(index).padStart(32, '0'),
      followers: 0,
    }))
    const kept = (await keepItems(entries, { blobs, logger })).map(({ row }) => row)
    const { client } = opened.telemetry
    await createRowWriter({ client }).insertRows(KEPT_ITEMS, kept, { token: 'kept:1', again: false })
    const found = await findBackfills({ client, blobs, logger }, groupsOf([kind], AWAITED))
    expect(found.map(({ itemTypes }) => itemTypes)).toEqual([['profile'], ['profile_chunk']])
    for (const { reader } of found) {
      const { records } = await reader.read({ segment: 0, offset: 0 }, { records: 10, bytes: 1e9 })
      for (const { record } of records) {
        if (record.kind !== 'envelope') throw new Error('it is no envelope')
        const parsed = parseEnvelope(record.body)
        if (!parsed.ok) throw new Error(parsed.error.message)
        const { header, items: again } = parsed.value
        const { receivedAt, sender } = record
        for (const item of again) await store({ sender, receivedAt, header, eventId: header.eventId, item })
      }
    }
    const records = await view.list({ ...scope, projectIds: [43] }, choice, page)
    expect(records.map(({ platform, transaction, samples }) => `${platform} ${transaction} ${samples}`)).toEqual([
      'node POST /api/orders 23',
      'javascript  163',
    ])
  })

  it('T6 what is sent twice is one', async () => {
    const item = profileOf({
      frames: [{ function: 'twice', abs_path: '/app/a.js' }],
      stacks: [[0]],
      samples: [sampleAt(0, 0), sampleAt(10, 0)],
    })
    await store(item)
    await store(item)
    const listed = (await view.list(scope, choice, page)).filter(({ transaction }) => transaction === 'GET /tea')
    expect(listed).toHaveLength(1)
    expect(await view.ofTransaction(scope, { ...choice, transaction: 'GET /tea' }, 10)).toHaveLength(1)
  })
})
