import { getReplayPicture } from '@firsthand/contract'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Route } from '../../http/index.ts'
import { silentLogger } from '../../storage/conformance/engines.ts'
import { DamagedBlob } from '../../lib/store-fault.ts'
import type { AssetRecord } from '../asset.ts'
import type { Pack } from '../ledger/replay-packs.ts'
import { LIMITS } from '../limits.ts'
import { createRecordings, page, says } from '../playback/playback.fixture.ts'
import { START } from '../replay.fixture.ts'
import { ALL_THERE, recordOf } from '../replay-record.fixture.ts'
import type { SegmentRecord } from '../replay.ts'
import { createPictureMaking } from './make-picture.ts'
import { createPictureRoutes } from './pictures.routes.ts'
import { EMPTY_PICTURE, PICTURE_POLICY } from './write-picture.ts'

describe('pictures for lists of replays', () => {
  const drawing = createPictureMaking()
  let recordings: ReturnType<typeof createRecordings>
  let segments: SegmentRecord[]
  let pack: Pack | null
  let kept: AssetRecord[]
  let routes: readonly Route[]

  beforeEach(() => {
    recordings = createRecordings()
    segments = []
    pack = null
    const record = recordOf({ replayId: 'a'.repeat(32) })
    const services = {
      ...ALL_THERE,
      replays: {
        find: () => Promise.resolve(record),
        segments: () => Promise.resolve(segments),
      },
    }
    const packs = { find: () => Promise.resolve(pack === null ? null : { replay: record, pack }) }
    kept = []
    routes = createPictureRoutes({
      ...services,
      assets: { of: () => Promise.resolve(kept) },
      blobs: recordings.blobs,
      packs,
      drawing,
      logger: silentLogger,
    })
  })
  afterAll(() => drawing.close())

  /** The page, or null for an empty one. */
  const picture = async (at?: number, signal = new AbortController().signal, words?: string) => {
    const route = routes.find(({ endpoint }) => endpoint === getReplayPicture)
    const reply = await route?.handle({
      params: { org: 'acme', replay: 'a'.repeat(32) },
      query: { ...(at !== undefined && { at }), ...(words !== undefined && { words }) },
      body: null,
      request: { organization: { id: 1, slug: 'acme' }, signal } as never,
    })
    if (reply === undefined || !('bytes' in reply)) throw new Error('no such route')
    return reply.bytes === EMPTY_PICTURE
      ? null
      : { html: Buffer.from(reply.bytes as Uint8Array).toString(), headers: reply.headers }
  }

  it('R35 shows the page as it stood at a moment; without one, some seconds after the beginning', async () => {
    segments = [
      recordings.segment('one', [...page(START), says(START + 2000, 'loaded')]),
      recordings.segment('two', [says(START + 20_000, 'later')], { hasSnapshot: false }),
    ]
    expect((await picture(START))?.html).toContain('first')
    expect((await picture())?.html).toContain('loaded')
    expect((await picture(START + 30_000))?.html).toContain('later')
    // From the last whole page on nothing before it is read.
    segments.push(recordings.segment('three', page(START + 40_000, 'next')))
    recordings.asked.length = 0
    expect((await picture(START + 50_000))?.html).toContain('next')
    expect(recordings.asked).toEqual(['three'])
    // What was searched is outlined.
    expect((await picture(START + 50_000, undefined, 'next'))?.html).toContain('outline:')
    expect((await picture(START + 50_000, undefined, 'never'))?.html).not.toContain('outline:')
  })

  it('R35 of a replay that is cut into chunks it reads the chunk of that moment', async () => {
    segments = [recordings.segment('one', page(START))]
    const chunk = (key: string, from: number, words: string) => {
      const json = Buffer.from(JSON.stringify(page(from, words)))
      recordings.payloads.set(key, json)
      return { from, to: from, bytes: json.byteLength, nodes: 4, key }
    }
    const chunks = [chunk('first', START, 'cut first'), chunk('second', START + 9000, 'cut second')]
    pack = { version: 1, segments: 1, lastAt: START, chunks }
    expect((await picture())?.html).toContain('cut first')
    expect((await picture(START + 10_000))?.html).toContain('cut second')
    expect(recordings.asked).toEqual(['first', 'second'])
  })

  it('R35 of a replay that begins blank it shows the first thing to be seen, as its player does', async () => {
    const LATER = START + LIMITS.REPLAY_FIRST_SIGHT_MS
    const blank = (key: string, drawsAt: number): SegmentRecord[] => [
      recordings.segment(`${key} begins`, page(START, ' ')),
      recordings.segment(`${key} draws`, [says(drawsAt, 'drawn')], { hasSnapshot: false }),
      recordings.segment(`${key} goes on`, [says(drawsAt + 500, 'later')], { hasSnapshot: false }),
    ]
    segments = blank('soon', START + 12_000)
    expect((await picture())?.html).toContain('drawn')
    // Whoever asks for a moment is shown that.
    expect((await picture(START + 6000))?.html).not.toContain('drawn')
    const chunk = (key: string, from: number, words: string) => {
      const json = Buffer.from(JSON.stringify(page(from, words)))
      recordings.payloads.set(key, json)
      return { from, to: from, bytes: json.byteLength, nodes: 4, key }
    }
    const chunks = [chunk('empty', START, ' '), chunk('full', START + 12_000, 'cut and drawn')]
    pack = { version: 1, segments: 1, lastAt: START, chunks }
    expect((await picture())?.html).toContain('cut and drawn')
    pack = null
    segments = blank('just', LATER)
    expect((await picture())?.html).toContain('drawn')
    segments = blank('late', LATER + 1)
    expect((await picture())?.html).not.toMatch(/drawn|later/)
  })

  it('R35 nothing runs in it, nothing is fetched for it, and it is of no origin', async () => {
    segments = [recordings.segment('one', page(START, '"><script>alert(1)</script>'))]
    const shown = await picture()
    expect(shown?.headers['content-security-policy']).toBe(PICTURE_POLICY)
    const policy = new Map(PICTURE_POLICY.split('; ').map((line) => line.split(/ (.*)/s) as [string, string]))
    expect(policy.get('default-src')).toBe("'none'")
    expect(policy.get('sandbox')).toBeUndefined()
    expect(policy.has('script-src')).toBe(false)
    for (const name of ['img-src', 'font-src']) expect(policy.get(name)).toBe('data:')
    expect(shown?.html).not.toContain('<script')
    expect(shown?.html).toContain('<iframe sandbox title')
  })

  it('R35 has none where no page was recorded, it cannot be read, or it is too much for a list', async () => {
    expect(await picture()).toBeNull()
    segments = [recordings.segment('none', [says(START, 'x')], { hasSnapshot: false })]
    expect(await picture()).toBeNull()
    segments = [recordings.segment('broken', page(START), { broken: 'corrupt' })]
    expect(await picture()).toBeNull()
    segments = [recordings.segment('large', page(START), { rawBytes: LIMITS.REPLAY_PICTURE_READ_BYTES + 1 })]
    expect(await picture()).toBeNull()
    segments = [recordings.segment('damaged', page(START))]
    recordings.blobs.get = () => Promise.reject(new DamagedBlob('cut off', { cause: new Error('cut off') }))
    expect(await picture()).toBeNull()
  })

  it('R35 shows the page without a damaged segment behind it', async () => {
    const later = recordings.segment('two', [says(START + 1, 'later')], { hasSnapshot: false })
    segments = [recordings.segment('one', page(START)), later]
    const { get } = recordings.blobs
    recordings.blobs.get = (key) =>
      key === 'two' ? Promise.reject(new DamagedBlob('cut off', { cause: new Error('cut off') })) : get(key)
    expect((await picture(START + 30_000))?.html).toContain('first')
  })

  describe('with what was kept of its page', () => {
    const CDN = 'https://cdn.example'
    const add = (id: number, tagName: string, attributes: object) => ({
      parentId: 3,
      nextId: null,
      node: { type: 2, id, tagName, attributes, childNodes: [] },
    })
    const keep = (name: string, type: string, content: string, more: Partial<AssetRecord> = {}): void => {
      const blobKey = `kept-${name}`
      recordings.payloads.set(blobKey, Buffer.from(content))
      const bytes = content.length
      const id = kept.length
      kept.push({ id, url: `${CDN}/${name}`, state: 'kept', reason: '', type, bytes, blobKey, imports: [], ...more })
    }
    const dataOf = (type: string, content: string): string =>
      `data:${type};base64,${Buffer.from(content).toString('base64')}`

    beforeEach(() => {
      const adds = [
        add(10, 'link', { rel: 'stylesheet', href: `${CDN}/site.css` }),
        add(11, 'img', { src: `${CDN}/photo.png` }),
      ]
      const data = { source: 0, adds, removes: [], texts: [], attributes: [] }
      segments = [recordings.segment('one', [...page(START), { type: 3, timestamp: START + 1, data }])]
      keep('unused.png', 'image/png', 'unused')
      keep('photo.png', 'image/png', 'photo')
      keep('site.css', 'text/css', `p{background:url("${CDN}/back.png")}b{src:url("${CDN}/font")}`, {
        imports: [{ url: `${CDN}/base.css`, condition: 'print' }],
      })
      keep('base.css', 'text/css', `q{background:url("${CDN}/back.png")}`)
      keep('back.png', 'image/webp', 'back')
      keep('font', 'font/woff2', 'font')
    })

    it('R35 R69 it shows sheets, those that they import, and images of both; what it does not name is not read', async () => {
      const shown = await picture()
      expect(shown?.html).toContain('p{background:url')
      expect(shown?.html).toContain('@media print{q{background')
      expect(shown?.html).toContain(dataOf('image/png', 'photo'))
      expect(shown?.html.split(dataOf('image/webp', 'back'))).toHaveLength(3)
      expect(shown?.html).not.toContain('cdn.example')
      expect(recordings.asked).toEqual(['one', 'kept-site.css', 'kept-base.css', 'kept-photo.png', 'kept-back.png'])
      expect(shown?.headers['cache-control']).toContain('max-age')
    })

    it('R35 R69 what of it is damaged is left out, and takes nothing else away', async () => {
      const get = recordings.blobs.get
      recordings.blobs.get = (key) =>
        key === 'kept-photo.png'
          ? Promise.reject(new DamagedBlob('cut off', { cause: new Error('cut off') }))
          : get(key)
      const shown = await picture()
      expect(shown?.html).toContain('p{background:url')
      expect(shown?.html).not.toContain(dataOf('image/png', 'photo'))
    })

    it('R35 R69 it is not kept by browsers while something of it is still to be fetched', async () => {
      keep('late.png', '', '', { state: 'waiting', blobKey: null })
      expect((await picture())?.headers['cache-control']).toBe('no-store')
    })

    it('R35 R69 it shows so many bytes of it and no more, however often the page names them', async () => {
      const half = 'x'.repeat(LIMITS.REPLAY_PICTURE_ASSET_BYTES / 2)
      const adds = Array.from({ length: 50 }, (_, index) => add(20 + index, 'img', { src: `${CDN}/large${index % 3}` }))
      const data = { source: 0, adds, removes: [], texts: [], attributes: [] }
      segments = [recordings.segment('two', [...page(START), { type: 3, timestamp: START + 1, data }])]
      for (const index of [0, 1, 2]) keep(`large${index}`, 'image/png', half)
      const shown = await picture()
      expect(recordings.asked).toEqual(['two', 'kept-large0', 'kept-large1'])
      const put = (shown?.html.split(dataOf('image/png', half)).length ?? 1) - 1
      expect(put).toBe(Math.floor(LIMITS.REPLAY_PICTURE_PUT_IN_CHARS / dataOf('image/png', half).length))
      expect(shown?.html.split('<img')).toHaveLength(51)
    })

    it('R35 R69 sheets that import each other end', async () => {
      kept = kept.filter(({ type }) => type !== 'text/css')
      keep('site.css', 'text/css', 'p{color:red}', { imports: [{ url: `${CDN}/base.css`, condition: '' }] })
      keep('base.css', 'text/css', 'q{color:red}', { imports: [{ url: `${CDN}/site.css`, condition: '' }] })
      expect((await picture())?.html).toContain('q{color:red}\np{color:red}')
    })
  })

  it('R35 reads nothing for a list that was left', async () => {
    segments = [recordings.segment('one', page(START))]
    expect(await picture(START, AbortSignal.abort())).toBeNull()
    expect(recordings.asked).toEqual([])
  })

  it('R35 a page of any size is bounded', async () => {
    const many = page(START, 'beginning')
    const adds = Array.from({ length: 20_000 }, (_, index) => ({
      parentId: 3,
      nextId: null,
      node: { type: 3, id: 100 + index, textContent: 'word '.repeat(20) },
    }))
    const change = { type: 3, timestamp: START + 1, data: { source: 0, adds, removes: [], texts: [], attributes: [] } }
    segments = [recordings.segment('one', [...many, change])]
    const html = (await picture())?.html ?? ''
    expect(html).toContain('beginning')
    expect(html.split('word ').length - 1).toBeLessThanOrEqual(LIMITS.REPLAY_PICTURE_NODES * 20)
    expect(html.length).toBeLessThan(LIMITS.REPLAY_PICTURE_CHARS * 1.1)
  })
})
