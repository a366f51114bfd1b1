import { RecentMap } from '../../lib/recent-map.ts'
import { LIMITS } from '../limits.ts'
import { readClassMapping, type ClassMapping } from './class-mapping.ts'
import type { MappingText, NameForm } from './mapping-index.ts'

interface ReadClass {
  /** Null for a class that the mapping does not have. */
  readonly found: ClassMapping | null
  /** That were read for it. */
  readonly characters: number
}

/** A mapping, with the classes that were asked for last. */
export class OpenMapping {
  readonly bytes: number
  private readonly text: MappingText
  private readonly read = new RecentMap<string, ReadClass>(LIMITS.PROGUARD_CLASSES_HELD_BYTES)

  constructor(text: MappingText) {
    this.text = text
    this.bytes = text.bytes + LIMITS.PROGUARD_CLASSES_HELD_BYTES
  }

  classOf(name: string, form: NameForm): ReadClass {
    const key = `${form} ${name}`
    const known = this.read.get(key)
    if (known !== undefined) return known
    const part = this.text.partOf(name, form)
    const read = { found: part === null ? null : readClassMapping(part), characters: part?.length ?? 0 }
    // What was read takes a few times its text.
    this.read.set(key, read, key.length + 4 * read.characters)
    return read
  }
}
