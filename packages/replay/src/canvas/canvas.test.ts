import { describe, expect, it } from 'vitest'
import { settingsOf } from '../options.ts'
import { canvasEvent } from './event.ts'
import { createPace, isDue, isNew, isWorthIt, newWatched } from './pace.ts'
import { boundsOf, fit, MAX_CANVAS } from './size.ts'

describe('pictures of canvases', () => {
  it.each([
    [2560, 1440, 1280, 720],
    [1200, 3000, 512, 1280],
    [640, 400, 640, 400],
    [1280, 1280, 1280, 1280],
    [1281, 1281, 1280, 1280],
    [20_000, 10, 1280, 1],
    [10, 20_000, 1, 1280],
    [20_000, 20_000, 1280, 1280],
  ])('R71, R72: canvas recording at most 1280 × 1280: %i × %i is recorded as %i × %i', (width, height, w, h) => {
    expect(fit(width, height, boundsOf(undefined))).toEqual({ width: w, height: h })
  })

  it('R71 A page may ask for smaller pictures, never for larger ones', () => {
    expect(MAX_CANVAS).toBe(1280)
    expect(boundsOf([4000, 300.7])).toEqual({ width: 1280, height: 300 })
    expect(boundsOf([0, Number.NaN])).toEqual({ width: 1280, height: 1280 })
  })

  it('R71 The event names the size of the canvas itself', () => {
    const { data } = canvasEvent(7, { width: 2560, height: 1440, base64: 'AAAA', type: 'image/webp' }, 5)
    expect(data).toMatchObject({ source: 9, id: 7, type: 0 })
    const [clear, draw] = (data as { commands: { property: string; args: unknown[] }[] }).commands
    expect([clear?.property, clear?.args]).toEqual(['clearRect', [0, 0, 2560, 1440]])
    expect([draw?.property, draw?.args.slice(1)]).toEqual(['drawImage', [0, 0, 2560, 1440]])
  })

  it('R73 Low, medium and high are at most 1, 2 and 4 pictures in a second; without a word there are none', () => {
    expect(settingsOf({}).canvas).toBe(undefined)
    expect(settingsOf({ canvas: false }).canvas).toBe(undefined)
    const intervals = (['low', 'medium', 'high'] as const).map((quality) => {
      const { fps = 0 } = settingsOf({ canvas: { quality } }).canvas ?? {}
      return createPace(fps).intervalMs
    })
    expect(intervals).toEqual([1000, 500, 250])
    expect(settingsOf({ canvas: true }).canvas).toEqual(settingsOf({ canvas: { quality: 'medium' } }).canvas)
  })

  it('R74 An unchanged canvas is looked at less and less, and sends nothing; a changed one at once', () => {
    const one = newWatched()
    let looks = 0
    let sent = 0
    const look = (thumbnail: number, picture: string, at: number): void => {
      if (!isWorthIt(one, thumbnail, at)) return
      looks += 1
      one.madeAt = at
      one.thumbnail = thumbnail
      if (isNew(one, picture)) sent += 1
    }
    for (let at = 0; at <= 60_000; at += 250) look(1, 'same', at)
    expect([looks, sent]).toEqual([6, 1])
    look(2, 'other', 60_250)
    expect(sent).toBe(2)
    // What a thumbnail does not show is found when it is due.
    for (let at = 60_500; at <= 63_000; at += 250) look(2, 'one more dot', at)
    expect(sent).toBe(3)
    one.isBusy = true
    expect([isDue(one, 1e9), isWorthIt(one, 3, 1e9)]).toEqual([true, false])
  })

  it('more than 1.5 million characters in five seconds are not sent', () => {
    const pace = createPace(4)
    expect(pace.isFull(0)).toBe(false)
    pace.sent(1_000_000, 0)
    pace.sent(500_000, 4000)
    expect([pace.isFull(4999), pace.isFull(5000)]).toEqual([true, false])
    pace.sent(1, 5000)
    expect(pace.isFull(5001)).toBe(false)
  })

  it('R80 Pictures that take more than a tenth of the page come half as often, down to an eighth', () => {
    const pace = createPace(4)
    expect([pace.worked(60, 0), pace.worked(40, 900), pace.worked(100, 1000), pace.intervalMs]).toEqual([
      false,
      false,
      false,
      250,
    ])
    expect([pace.worked(1, 1500), pace.intervalMs]).toEqual([true, 500])
    expect([pace.worked(101, 3000), pace.worked(101, 5000), pace.worked(101, 7000), pace.intervalMs]).toEqual([
      true,
      true,
      false,
      2000,
    ])
  })
})
