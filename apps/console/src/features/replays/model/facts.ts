import type { ReplayPlayback } from '@firsthand/contract'

const versioned = ({ name, version }: { readonly name: string | null; readonly version: string | null }): string =>
  [name, version].filter(Boolean).join(' ')

/** What is known of the place: browser and system, the size of the window. */
export function factsOf({ replay, pages }: ReplayPlayback): readonly string[] {
  const program = [versioned(replay.browser), versioned(replay.os)].filter((word) => word !== '').join(', ')
  const sized = pages.find(({ width, height }) => width > 0 && height > 0)
  const size = sized === undefined ? '' : `${sized.width} × ${sized.height}`
  return [program || (replay.device.name ?? ''), size].filter((word) => word !== '')
}
