import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isBomb, sniffImage } from './sniff.ts'

const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === 'string' ? Array.from(part, (letter) => letter.charCodeAt(0)) : [...part],
    ),
  )
const u32 = (value: number): number[] => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]
const u16 = (value: number): number[] => [value >> 8, value & 255]
const zeros = (count: number): number[] => Array.from({ length: count }, () => 0)

const png = (width: number, height: number): Uint8Array =>
  bytes('\x89PNG\r\n\x1a\n', u32(13), 'IHDR', u32(width), u32(height), [8, 2, 0, 0, 0])

describe('sniffImage', () => {
  it('reads type and size of every accepted format', () => {
    expect(sniffImage(png(640, 480))).toEqual({ type: 'image/png', width: 640, height: 480 })
    const jpeg = bytes(
      [0xff, 0xd8],
      [0xff, 0xe1],
      u16(6),
      'Exif',
      [0xff, 0xff, 0xc2],
      u16(17),
      [8],
      u16(480),
      u16(640),
      zeros(8),
    )
    expect(sniffImage(jpeg)).toEqual({ type: 'image/jpeg', width: 640, height: 480 })
    expect(sniffImage(bytes('GIF89a', [0x80, 2, 0xe0, 1]))).toEqual({ type: 'image/gif', width: 640, height: 480 })
    const lossy = bytes('RIFF', zeros(4), 'WEBPVP8 ', zeros(4), zeros(3), [0x9d, 1, 0x2a], [0x80, 2, 0xe0, 1])
    expect(sniffImage(lossy)).toEqual({ type: 'image/webp', width: 640, height: 480 })
    const extended = bytes('RIFF', zeros(4), 'WEBPVP8X', zeros(4), zeros(4), [0x7f, 2, 0], [0xdf, 1, 0])
    expect(sniffImage(extended)).toEqual({ type: 'image/webp', width: 640, height: 480 })
    const avif = bytes(u32(20), 'ftypavif', zeros(8), u32(20), 'ispe', u32(0), u32(640), u32(480))
    expect(sniffImage(avif)).toEqual({ type: 'image/avif', width: 640, height: 480 })
    const bmp = bytes('BM', zeros(12), [40, 0, 0, 0], [0x80, 2, 0, 0], [0x20, 0xfe, 0xff, 0xff])
    expect(sniffImage(bmp)).toEqual({ type: 'image/bmp', width: 640, height: 480 })
  })

  it('refuses SVG, HTML, HEIC, empty and cut-off files', () => {
    expect(sniffImage(bytes('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'))).toBeNull()
    expect(sniffImage(bytes('<?xml version="1.0"?><svg/>'))).toBeNull()
    expect(sniffImage(bytes('<!doctype html><img>'))).toBeNull()
    expect(sniffImage(bytes(u32(24), 'ftypheic', zeros(40)))).toBeNull()
    expect(sniffImage(new Uint8Array())).toBeNull()
    expect(sniffImage(png(640, 480).slice(0, 20))).toBeNull()
    expect(sniffImage(png(0, 480))).toBeNull()
  })

  it('widget 98: an image bomb is known by its header', () => {
    expect(isBomb(sniffImage(png(50_000, 50_000)) ?? { width: 0, height: 0 })).toBe(true)
    expect(isBomb(sniffImage(png(4_000_000_000, 1)) ?? { width: 0, height: 0 })).toBe(true)
    expect(isBomb({ width: 20_000, height: 10 })).toBe(true)
    expect(isBomb({ width: 8000, height: 6000 })).toBe(false)
  })

  it('any bytes after any magic give a header or null, and end', () => {
    const magic = fc.constantFrom(
      '',
      '\x89PNG\r\n\x1a\n',
      '\xff\xd8\xff',
      'GIF89a',
      'RIFF0000WEBPVP8X',
      '0000ftypavif',
      'BM',
    )
    expect.hasAssertions()
    fc.assert(
      fc.property(magic, fc.uint8Array({ maxLength: 400 }), (start, rest) => {
        const header = sniffImage(bytes(start, [...rest]))
        expect(header === null || (header.width > 0 && header.height > 0)).toBe(true)
      }),
    )
  })
})
