import { describe, expect, it } from 'vitest'
import { countTurns } from '../lib/test/turns.ts'
import { encodeForm, type ProfileForm } from './form.ts'
import { loadMix, WHOLE } from './load.ts'
import type { ProfileRecord } from './profiles.view.ts'

/** A profile whose stacks are as many as its samples, each below the one before or a root of its own. */
const formOf = (stacks: number): ProfileForm => {
  const each = Array.from({ length: stacks }, (_, index) => index)
  const none = each.map(() => 0)
  return {
    form: 1,
    platform: 'python',
    start: 0,
    duration: stacks,
    words: ['', ...each.map((index) => `f${index}`)],
    frames: {
      name: each.map((index) => index + 1),
      file: none,
      module: none,
      address: none,
      line: none,
      column: none,
      kind: none,
    },
    stacks: { frame: each, parent: each.map((index) => (index % 10 === 0 ? -1 : index - 1)) },
    threads: [{ id: '1', name: 'main' }],
    samples: { thread: none, stack: each, at: each },
    activeThread: '1',
    about: { sdk: '', runtime: '', os: '', device: '', architecture: '' },
    notes: [],
  }
}

const load = async (blobs: readonly Uint8Array[], limit?: number) => {
  const read: string[] = []
  const stores = {
    profiles: {} as never,
    blobs: {
      get: async (key: string) => {
        read.push(key)
        return blobs[Number(key)] ?? null
      },
    },
  }
  const wanted = blobs.map((_, index) => ({
    record: { blobKey: String(index), profileId: String(index) } as ProfileRecord,
    parts: [{ ...WHOLE, thread: null }],
  }))
  return { read, loaded: await loadMix(stores, wanted, { sums: true }, limit) }
}

describe('reading stored profiles', () => {
  it('other requests are served while a large one is mixed', async () => {
    const blob = encodeForm(formOf(50_000))
    const { value, turns } = await countTurns(() => load([blob]))
    expect(value.loaded.mix.stacks.frame).toHaveLength(50_000)
    // For each 5000 stacks, and each 5000 samples.
    expect(turns).toBeGreaterThanOrEqual(18)
  })

  it('what does not fit any more is left out, and nothing behind it is read', async () => {
    const [small, large] = [encodeForm(formOf(10)), encodeForm(formOf(1000))]
    const { read, loaded } = await load([small, large, small], 2 * small.byteLength)
    expect(loaded.records.map(({ profileId }) => profileId)).toEqual(['0'])
    expect(loaded.truncated).toBe(true)
    expect(loaded.mix.stacks.frame).toHaveLength(10)
    expect(read).toEqual(['0', '1'])
  })

  it('one that is gone is left out, and those behind it are read', async () => {
    const small = encodeForm(formOf(10))
    const { loaded } = await load([small, null as never, small])
    expect(loaded.records.map(({ profileId }) => profileId)).toEqual(['0', '2'])
    expect(loaded.truncated).toBe(true)
  })
})
