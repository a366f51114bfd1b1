import { closeSync, openSync, readSync } from 'node:fs'
import { referredAddress } from '../address.ts'
import type { SourceMap } from '../maps/source-map.ts'
import { cleanSourcePath } from '../maps/source-path.ts'
import type { WrittenSources } from './messages.ts'

/** The map with the text of sources that it only names, where they were uploaded by themselves. */
export const withSources = (map: SourceMap, mapUrl: string, written: WrittenSources | null): SourceMap => {
  if (written === null || !map.contents.includes(null)) return map
  const byUrl = new Map(written.files.map((file) => [file.url, file]))
  const file = openSync(written.path, 'r')
  try {
    const contents = map.contents.map((content, index) => {
      const source = map.sources[index] ?? ''
      const found = content === null && source !== '' ? firstOf(byUrl, addressesOf(source, mapUrl)) : undefined
      if (found === undefined) return content
      const bytes = Buffer.alloc(found.bytes)
      readSync(file, bytes, 0, found.bytes, found.start)
      return bytes.toString('utf8')
    })
    return { ...map, contents }
  } finally {
    closeSync(file)
  }
}

/** As it stands beside the map; and as people know it, below the root of what was uploaded. */
const addressesOf = (source: string, mapUrl: string): readonly string[] => [
  referredAddress(source, mapUrl),
  `~/${cleanSourcePath(source, mapUrl).replace(/^(?:\.?\/)+/, '')}`,
]

const firstOf = <Value>(known: ReadonlyMap<string, Value>, keys: readonly string[]): Value | undefined => {
  for (const key of keys) {
    const value = known.get(key)
    if (value !== undefined) return value
  }
  return undefined
}
