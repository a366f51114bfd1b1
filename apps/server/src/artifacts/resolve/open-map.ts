import { linesOf } from '../maps/context.ts'
import type { PreparedMap } from '../maps/prepared-map.ts'
import { LIMITS } from '../limits.ts'

/** A prepared map, with the lines of the sources that were asked for last. */
export class OpenMap {
  readonly map: PreparedMap
  private readonly held = new Map<number, readonly string[]>()

  constructor(map: PreparedMap) {
    this.map = map
  }

  /** @returns null where the map has only the name of the source */
  linesOf(source: number): readonly string[] | null {
    const known = this.held.get(source)
    if (known !== undefined) return known
    const content = this.map.sourceContent(source)
    if (content === null) return null
    const lines = linesOf(content)
    if (this.held.size >= LIMITS.SOURCES_HELD) this.held.delete(this.held.keys().next().value ?? -1)
    this.held.set(source, lines)
    return lines
  }
}
