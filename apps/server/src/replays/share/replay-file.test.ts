import type { SharedReplay } from '@firsthand/contract'
import { expect, it } from 'vitest'
import { roomFor } from '../../http/files-under-way.ts'
import { replayFile } from './replay-file.ts'

const readAsset = () => Promise.resolve(null)
const PIECE_BYTES = 100_003
const LONGEST_BYTES = 64 * 1024

it.each([
  { script: 'write("</script>")', style: '' },
  { script: 'write("<!-- ")', style: '' },
  { script: '', style: 'p::after { content: "</style>" }' },
])('R100 a player that would end the element it stands in is refused, each time that it is asked for: %j', (player) => {
  const made = () =>
    replayFile({ film: '', ...player }, {} as SharedReplay, {
      chunks: [],
      readAsset,
      videos: [],
      shown: { from: 0, to: 1 },
    })
  for (let time = 0; time < 3; time += 1) expect(made).toThrow('ends the element it stands in')
})

it('R118 a film is read piece by piece as its file is taken, in pieces that are small, and is whole', async () => {
  const film = Buffer.from(Array.from({ length: 5 * PIECE_BYTES + 2 }, (_, at) => (at * 31) % 251))
  const small = [film.subarray(0, 1), film.subarray(1, 3), film.subarray(3, 3), film.subarray(3, 50_000)]
  let given = 0
  const content = replayFile({ film: '', script: '', style: '' }, {} as SharedReplay, {
    chunks: [
      {
        number: 1,
        bytes: 20_000_000,
        read: () => Promise.resolve({ bytes: film, named: [], rawBytes: 0, sheetsLeftOut: 0 }),
      },
    ],
    readAsset,
    videos: [
      {
        segmentId: 3,
        type: 'video/mp4',
        touches: () => Promise.resolve(Buffer.from('[]')),
        pieces: async function* () {
          yield* small
          for (let at = 50_000; at < film.byteLength; at += PIECE_BYTES) {
            const piece = film.subarray(at, at + PIECE_BYTES)
            given += piece.byteLength
            yield await Promise.resolve(piece)
          }
        },
      },
    ],
    shown: { from: 0, to: 1 },
  })
  if (content instanceof Uint8Array) throw new Error('It was made as a whole')
  expect(roomFor(content)).toBe(20_000_000)
  let html = ''
  let longest = 0
  let ahead = 0
  for await (const piece of content.pieces) {
    html += Buffer.from(piece).toString()
    longest = Math.max(longest, piece.byteLength)
    const taken = html.length - Math.max(0, html.indexOf('id="video-3"'))
    if (given > 0) ahead = Math.max(ahead, given - (taken * 3) / 4)
  }
  expect(longest).toBeLessThanOrEqual(LONGEST_BYTES)
  expect(ahead).toBeLessThan(2 * PIECE_BYTES)
  for (const id of ['chunk-1', 'video-3']) {
    const written = new RegExp(`id="${id}"[^>]*>([^<]*)<`).exec(html)?.[1] ?? ''
    expect(Buffer.from(written, 'base64').equals(film)).toBe(true)
    expect(written).toHaveLength(4 * Math.ceil(film.byteLength / 3))
  }
})
