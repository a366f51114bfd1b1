import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Encoder, encodeWithin, fitInto } from './encode.ts'

/** A browser that encodes the given types; a picture has `size` bytes at full quality and full size. */
const browser = (types: readonly string[], size: number, calls: string[] = []): Encoder => {
  return (type, quality, scale) => {
    calls.push(`${type} ${quality} ${scale}`)
    const answered = types.includes(type) ? type : 'image/png'
    const weight = answered === 'image/png' ? 1 : quality
    return Promise.resolve(new Blob([new Uint8Array(Math.round(size * weight * scale * scale))], { type: answered }))
  }
}

describe('encodeWithin', () => {
  it('widget 98: WebP first, JPEG where a browser has none, PNG at last', async () => {
    expect((await encodeWithin(browser(['image/webp', 'image/jpeg'], 100))).type).toBe('image/webp')
    expect((await encodeWithin(browser(['image/jpeg'], 100))).type).toBe('image/jpeg')
    expect((await encodeWithin(browser([], 100))).type).toBe('image/png')
  })

  it('widget 98: two steps down in quality, then smaller, until it fits', async () => {
    const calls: string[] = []
    const blob = await encodeWithin(browser(['image/webp'], 1000, calls), 400)
    expect(blob.size).toBeLessThanOrEqual(400)
    expect(calls).toEqual([
      'image/webp 0.85 0',
      'image/webp 0.85 1',
      'image/webp 0.7 1',
      'image/webp 0.5 1',
      'image/webp 0.5 0.75',
    ])
  })

  it('says so when nothing fits', async () => {
    await expect(encodeWithin(browser([], 1_000_000), 10)).rejects.toThrow('could not be encoded')
  })
})

it('widget 98: the longest side is at most 2560 px, and no picture grows', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 16_384 }), fc.integer({ min: 1, max: 16_384 }), (width, height) => {
      const size = fitInto({ width, height })
      expect(Math.max(size.width, size.height)).toBeLessThanOrEqual(2560)
      expect(size.width).toBeLessThanOrEqual(width)
      expect(size.height).toBeLessThanOrEqual(height)
      expect(Math.min(size.width, size.height)).toBeGreaterThanOrEqual(1)
    }),
  )
  expect(fitInto({ width: 5120, height: 2880 })).toEqual({ width: 2560, height: 1440 })
})
