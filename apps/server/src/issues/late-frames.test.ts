import { describe, expect, it } from 'vitest'
import type { FrameResolver } from '../artifacts/resolve/index.ts'
import { createLogger } from '../lib/logger.ts'
import type { LoadedEvent } from './events.view.ts'
import { withLateFrames } from './late-frames.ts'
import { NOW, sampleEvent } from './test/issue-app.ts'

const frame = { abs_path: 'https://shop.example/app.js', lineno: 1, colno: 400, in_app: true }
const event = sampleEvent({
  kind: 'cart',
  event: {
    platform: 'javascript',
    exception: { values: [{ type: 'TypeError', value: 'cart', stacktrace: { frames: [frame] } }] },
    errors: [{ type: 'js_no_source', name: frame.abs_path, reason: 'Nothing of it was uploaded.' }],
  },
})
const place = { organizationId: 1, projectId: 7, storedIssueId: 1, timestamp: NOW, eventId: event.event_id }
const stored: LoadedEvent = { place, receivedAt: NOW, event, bytes: 1, title: 'cart', culprit: 'a', grouping: null }

/** Reads the stored event by what a resolver knows. */
const readBy = async (frames: FrameResolver) => {
  const lines: string[] = []
  const logger = createLogger(
    'debug',
    (line) => lines.push(line),
    () => NOW,
  )
  const events = { load: async () => stored, outermost: async () => ({ ...stored, beside: null }) }
  const late = withLateFrames({ events, frames, logger })
  const latest = await late.outermost(
    { organizationId: 1, projectIds: [7], issueIds: null, period: null, environments: [], filter: null },
    'latest',
    null,
  )
  return { loaded: await late.load(place), latest, lines }
}

describe('frames of events that came before their maps', () => {
  it('stay as they came where nothing was ever uploaded', async () => {
    const { latest, loaded } = await readBy({
      projects: async () => new Set(),
      find: async () => null,
      ask: async () => ({ files: new Map(), mappings: new Map() }),
      aboutNative: async () => [],
    })
    expect(loaded).toBe(stored)
    expect(latest).toEqual({ ...stored, beside: null })
  })

  it('say why they have no source as it is today, and not as it was', async () => {
    const reason = 'This file was uploaded, but not its source map app.js.map.'
    const { latest, loaded } = await readBy({
      projects: async () => new Set([7]),
      find: async () => ({
        files: new Map([[frame.abs_path, { kind: 'none', type: 'js_no_source', reason }]]),
        mappings: new Map(),
      }),
      ask: async () => ({ files: new Map(), mappings: new Map() }),
      aboutNative: async () => [],
    })
    for (const read of [loaded, latest]) {
      expect(read?.event.errors).toEqual([{ type: 'js_no_source', name: frame.abs_path, reason }])
      expect(read?.culprit).toBe('a')
    }
  })

  it('keep nobody from reading an event when the store of maps is away', async () => {
    const { loaded, lines } = await readBy({
      projects: async () => new Set([7]),
      find: () => Promise.reject(new Error('the disk is away')),
      ask: async () => ({ files: new Map(), mappings: new Map() }),
      aboutNative: async () => [],
    })
    expect(loaded).toBe(stored)
    expect(lines.join()).toContain('the disk is away')
  })

  it('L107: that are addresses say what is missing, also where nothing was ever uploaded', async () => {
    const note = { type: 'native_missing_dsym', name: 'shop', reason: 'Missing: debug id 1.' }
    const { loaded, latest } = await readBy({
      projects: async () => new Set(),
      find: async () => null,
      ask: async () => ({ files: new Map(), mappings: new Map() }),
      aboutNative: async () => [note],
    })
    expect(loaded?.event.errors.at(-1)).toEqual(note)
    expect(latest?.event.errors.at(-1)).toEqual(note)
    expect(loaded).toMatchObject({ title: 'cart', culprit: 'a' })
  })
})
