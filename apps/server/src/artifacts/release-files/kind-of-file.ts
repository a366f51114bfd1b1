import type { ArtifactKind } from '../bundle/manifest.ts'

const MAP = /\.map$/i
const CODE = /\.(?:[cm]?js|jsbundle|bundle|hbc)$/i

/**
 * What a file is that was sent without saying so. Programs send code and maps one by one, and with them what maps name.
 *
 * @param sourceMap where its map is, as a header or its last line says
 */
export const kindOfFile = (name: string, sourceMap: string | null): ArtifactKind => {
  const path = name.replace(/[?#].*$/s, '')
  if (MAP.test(path)) return 'source_map'
  return sourceMap !== null || CODE.test(path) ? 'minified_source' : 'source'
}
