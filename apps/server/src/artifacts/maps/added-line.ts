import type { FunctionNames } from './function-names.ts'
import type { SourceMap } from './source-map.ts'

/** Lines in front of code that are looked at: a snippet stands behind nothing but directives and a hashbang. */
const LINES_IN_FRONT = 5

const UUID = '[\\da-f]{8}-(?:[\\da-f]{4}-){3}[\\da-f]{12}'

/** Bundlers' plugins from version 11 upload copies that they name so: `{debug id}-{number of the file}`. */
const PLUGIN_COPY = new RegExp(`/(${UUID})-\\d+\\.[\\w.]+\\.map$`)

/** The line that uploading puts in front of code in which it sees no debug id. */
const SNIPPET = new RegExp(`^;?!function\\(\\)\\{try\\{.{1,600}"sentry-dbid-(${UUID})".{0,100}\\}\\(\\);\\r?$`)

/**
 * Which line of uploaded code, counted from zero, is not in the code that runs; null for none.
 *
 * The plugin puts a debug id into the code that runs, and uploads a copy. If the bundler then writes the id in other
 * quotes (Vite 8 does), the program that uploads does not see it, puts it into the copy once more, in a line of its own,
 * and moves the map by that line. Errors are of the code without it.
 *
 * @param head the beginning of the code
 * @param url of its map
 */
export const lineAddedByUpload = (head: string, url: string): number | null => {
  const id = PLUGIN_COPY.exec(url)?.[1]
  if (id === undefined) return null
  const lines = head.split('\n', LINES_IN_FRONT)
  const line = lines.findIndex((text) => SNIPPET.exec(text)?.[1] === id)
  if (line === -1) return null
  const behind = lines.slice(0, line + 1).reduce((sum, text) => sum + text.length + 1, 0)
  return head.includes(`sentry-dbid-${id}`, behind) ? line : null
}

/** A map, and the functions of its code, as they are of the code without one of its lines. */
export const withoutLine = (
  map: SourceMap,
  functions: FunctionNames,
  line: number,
): { readonly map: SourceMap; readonly functions: FunctionNames } => {
  const { mappings } = map
  const kept = (lines: Int32Array) => (_: number, index: number) => lines[index] !== line
  const moved = (lines: Int32Array) => lines.filter(kept(lines)).map((at) => (at > line ? at - 1 : at))
  const isMapped = kept(mappings.generatedLines)
  const isBorder = kept(functions.lines)
  return {
    map: {
      ...map,
      mappings: {
        generatedLines: moved(mappings.generatedLines),
        generatedColumns: mappings.generatedColumns.filter(isMapped),
        sources: mappings.sources.filter(isMapped),
        lines: mappings.lines.filter(isMapped),
        columns: mappings.columns.filter(isMapped),
        names: mappings.names.filter(isMapped),
      },
    },
    functions: {
      lines: moved(functions.lines),
      columns: functions.columns.filter(isBorder),
      functions: functions.functions.filter(isBorder),
      names: functions.names,
    },
  }
}
