import { createHash } from 'node:crypto'
import { RECORDED_PAGE_POLICY, type SharedReplay } from '@firsthand/contract'
import type { FileContent } from '../../http/index.ts'
import { LIMITS } from '../limits.ts'
import type { Shown } from './shared-playback.ts'
import type { Slice } from './slicing-thread.ts'

/**
 * A replay as one HTML file that plays from a disk, without a server and without a network. Its policy is the first thing in
 * it: only the player's script runs, and nothing is fetched. What was recorded stands in elements that no browser runs,
 * rewritten and packed.
 */

export interface PlayerParts {
  readonly script: string
  readonly style: string
  /** What plays videos, which only a file with some has. */
  readonly film: string
}

export interface FileVideo {
  readonly segmentId: number
  readonly type: string
  /** Piece by piece; none when it is gone: the player says so. */
  readonly pieces: () => AsyncIterable<Uint8Array>
  /** JSON of where fingers were on the screen. */
  readonly touches: () => Promise<Uint8Array>
}

export interface FileChunk {
  readonly number: number
  /** Of the JSON of its events with what is put in, at most, before it is packed. */
  readonly bytes: number
  /** Gzip of the JSON of its events, and what of the kept pictures and fonts stands in it. */
  readonly read: () => Promise<Slice>
}

/** The data address of a picture or font that was kept of the pages; null when it is gone: then a box is drawn. */
export type ReadAsset = (name: string) => Promise<Uint8Array | null>

/** Of an element that holds a script or JSON, what would end it, or begin something in it. */
const UNSAFE = /<(?=\/script|!--)/i

const jsonText = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

const hashOf = (script: string): string => `'sha256-${createHash('sha256').update(script).digest('base64')}'`

const policyOf = (scripts: readonly string[]): string =>
  [
    RECORDED_PAGE_POLICY,
    `script-src ${scripts.map(hashOf).join(' ')}`,
    // Of the file's own bytes.
    ...(scripts.length > 1 ? ['media-src blob:'] : []),
  ].join('; ')

const minutesOf = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ')

const headOf = ({ scripts, style }: CheckedParts, shown: Shown): string => `<!doctype html>
<html lang="en">
<head>
<meta http-equiv="content-security-policy" content="${policyOf(scripts)}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>Replay of ${minutesOf(shown.from)} UTC</title>
<style>${style}</style>
</head>
<body>
<div id="root"><main class="plain"><p>This file plays a recorded visit. It needs JavaScript; if nothing comes, it was not saved to its end.</p></main></div>
`

/** It says how much was left out while the file was made. */
const withLeftOut = (shared: SharedReplay, leftOut: number): SharedReplay => {
  if (leftOut === 0) return shared
  const { assets } = shared.playback
  return { ...shared, playback: { ...shared.playback, assets: { ...assets, leftOut: assets.leftOut + leftOut } } }
}

const tailOf = (
  { scripts }: CheckedParts,
  shared: SharedReplay,
): string => `<script type="application/json" id="shared-replay">${jsonText(shared)}</script>
${scripts.map((script) => `<script>${script}</script>`).join('\n')}
</body>
</html>
`

interface CheckedParts {
  readonly style: string
  /** In the order in which they run. */
  readonly scripts: readonly string[]
}

/** @throws Error when a style or script cannot stand in a page, or is too large: the build has to write it in another way */
const checked = ({ film, script, style }: PlayerParts, hasVideos: boolean): CheckedParts => {
  const parts = { style, scripts: hasVideos ? [film, script] : [script] }
  if (parts.scripts.some((one) => one.search(UNSAFE) >= 0) || /<\/style/i.test(style)) {
    throw new Error('The player of shared replays has text in it that ends the element it stands in.')
  }
  if (parts.scripts.join('').length + style.length > LIMITS.REPLAY_FILE_PLAYER_BYTES) {
    throw new Error('The player of shared replays is larger than it may be')
  }
  return parts
}

/** So many bytes are written in base64 at a time: a multiple of three, which ends without padding. */
const BASE64_STEP = 48 * 1024

/** What comes in any pieces, as pieces of base64 that are one text. No more than a step and one piece are held. */
const base64Of = async function* (
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = new Uint8Array(0)
  for await (const piece of pieces) {
    const missing = (BASE64_STEP - rest.byteLength) % BASE64_STEP
    let at = 0
    if (rest.byteLength > 0) {
      at = Math.min(missing, piece.byteLength)
      rest = Buffer.concat([rest, piece.subarray(0, at)])
      if (rest.byteLength < BASE64_STEP) continue
      yield text(Buffer.from(rest).toString('base64'))
    }
    for (; at + BASE64_STEP <= piece.byteLength; at += BASE64_STEP) {
      yield text(Buffer.from(piece.subarray(at, at + BASE64_STEP)).toString('base64'))
    }
    // Without the piece that it is a part of.
    rest = piece.slice(at)
  }
  yield text(Buffer.from(rest).toString('base64'))
}

const text = (written: string): Uint8Array => new TextEncoder().encode(written)

/** Made while it is sent: one chunk, as JSON or packed, or one piece of a video is held at a time. */
export const replayFile = (
  player: PlayerParts,
  shared: SharedReplay,
  {
    chunks,
    readAsset,
    shown,
    videos,
  }: {
    readonly chunks: readonly FileChunk[]
    readonly readAsset: ReadAsset
    readonly shown: Shown
    readonly videos: readonly FileVideo[]
  },
): FileContent => {
  const parts = checked(player, videos.length > 0)
  return {
    byteLength: null,
    heldBytes: chunks.reduce((most, { bytes }) => Math.max(most, bytes), 0),
    pieces: (async function* () {
      yield text(headOf(parts, shown))
      const named = new Set<string>()
      let leftOut = 0
      for (const { number, read } of chunks) {
        const { bytes: packed, named: inChunk, sheetsLeftOut } = await read()
        leftOut = Math.max(leftOut, sheetsLeftOut)
        for (const name of inChunk) named.add(name)
        yield text(`<script type="application/octet-stream" id="chunk-${number}">`)
        yield* base64Of([packed])
        yield text('</script>\n')
      }
      // Each once, however many chunks show it.
      for (const name of named) {
        const address = await readAsset(name)
        if (address === null) continue
        yield text(`<script type="text/plain" id="asset-${name}">`)
        yield address
        yield text('</script>\n')
      }
      for (const { pieces, segmentId, touches, type } of videos) {
        const fingers = JSON.parse(Buffer.from(await touches()).toString()) as unknown
        yield text(`<script type="application/json" id="touches-${segmentId}">${jsonText(fingers)}</script>\n`)
        yield text(`<script type="application/octet-stream" id="video-${segmentId}" data-type="${type}">`)
        yield* base64Of(pieces())
        yield text('</script>\n')
      }
      yield text(tailOf(parts, withLeftOut(shared, leftOut)))
    })(),
  }
}
