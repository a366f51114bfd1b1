import { createHash } from 'node:crypto'
import type { SharedReplay } from '@firsthand/contract'
import type { FileContent } from '../../http/index.ts'
import { LIMITS } from '../limits.ts'
import type { Shown } from './shared-playback.ts'

/**
 * A replay as one HTML file that plays from a disk, without a server and without a network. Its policy is the first thing in
 * it: only the player's script runs, and nothing is fetched. What was recorded stands in elements that no browser runs,
 * rewritten and packed.
 */

export interface PlayerParts {
  readonly script: string
  readonly style: string
}

export interface FileChunk {
  readonly number: number
  /** Gzip of the JSON of its events. */
  readonly read: () => Promise<Uint8Array>
}

/** Of an element that holds a script or JSON, what would end it, or begin something in it. */
const UNSAFE = /<(?=\/script|!--)/gi

const jsonText = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

const policyOf = (script: string): string =>
  [
    "default-src 'none'",
    `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    // Recorded pages are full of them; they can name nothing that the other lines would let through.
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')

const minutesOf = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ')

const headOf = ({ script, style }: PlayerParts, shown: Shown, shared: SharedReplay): string => `<!doctype html>
<html lang="en">
<head>
<meta http-equiv="content-security-policy" content="${policyOf(script)}">
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
<script type="application/json" id="shared-replay">${jsonText(shared)}</script>
`

const tailOf = ({ script }: PlayerParts): string => `<script>${script}</script>
</body>
</html>
`

/** @throws Error when a style or script cannot stand in a page, or is too large: the build has to write it in another way */
const checked = (parts: PlayerParts): PlayerParts => {
  if (UNSAFE.test(parts.script) || /<\/style/i.test(parts.style)) {
    throw new Error('The player of shared replays has text in it that ends the element it stands in.')
  }
  if (parts.script.length + parts.style.length > LIMITS.REPLAY_FILE_PLAYER_BYTES) {
    throw new Error('The player of shared replays is larger than it may be')
  }
  return parts
}

/** Made while it is sent: one chunk is held at a time. */
export const replayFile = (
  player: PlayerParts,
  shared: SharedReplay,
  { chunks, shown }: { readonly chunks: readonly FileChunk[]; readonly shown: Shown },
): FileContent => {
  const parts = checked(player)
  const text = (written: string): Uint8Array => new TextEncoder().encode(written)
  return {
    byteLength: null,
    pieces: (async function* () {
      yield text(headOf(parts, shown, shared))
      for (const { number, read } of chunks) {
        const packed = Buffer.from(await read()).toString('base64')
        yield text(`<script type="application/octet-stream" id="chunk-${number}">${packed}</script>\n`)
      }
      yield text(tailOf(parts))
    })(),
  }
}
