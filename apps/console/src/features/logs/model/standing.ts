import { formatCount } from '../../../lib/format.ts'

interface Standing {
  readonly state: 'loading' | 'failed' | 'ready'
  readonly lines: { readonly length: number }
  readonly waiting: { readonly length: number }
  readonly skipped: number
}

/** How many lines there are and how the tail is; nothing while neither is known. */
export function standingText({ state, lines, waiting, skipped }: Standing, isLive: boolean, isHeld: boolean): string {
  if (state !== 'ready') return ''
  const tail = !isLive ? '' : !isHeld ? 'live' : waiting.length === 0 ? '' : `${formatCount(waiting.length)} wait`
  return [
    `${formatCount(lines.length)} ${lines.length === 1 ? 'line' : 'lines'} here`,
    skipped === 0 ? '' : `${formatCount(skipped)} came too fast to be shown`,
    tail,
  ]
    .filter((part) => part !== '')
    .join(' · ')
}
