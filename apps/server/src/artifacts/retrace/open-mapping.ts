import { RecentMap } from '../../lib/recent-map.ts'
import { LIMITS } from '../limits.ts'
import { readClassMapping, type ClassMapping } from './class-mapping.ts'
import type { MappingText, NameForm } from './mapping-index.ts'

/** A mapping, with the classes that were asked for last. */
export class OpenMapping {
  readonly bytes: number
  private readonly text: MappingText
  private readonly read = new RecentMap<string, ClassMapping | null>(LIMITS.PROGUARD_CLASSES_HELD_BYTES)

  constructor(text: MappingText) {
    this.text = text
    this.bytes = text.bytes + LIMITS.PROGUARD_CLASSES_HELD_BYTES
  }

  /** By its name in the app, e.g. `a.b`. */
  obfuscated(name: string): ClassMapping | null {
    return this.classOf(name, 'obfuscated')
  }

  /** By its name as it was written. */
  original(name: string): ClassMapping | null {
    return this.classOf(name, 'original')
  }

  private classOf(name: string, form: NameForm): ClassMapping | null {
    const key = `${form} ${name}`
    const known = this.read.get(key)
    if (known !== undefined) return known
    const part = this.text.partOf(name, form)
    const found = part === null ? null : readClassMapping(part)
    // What was read takes a few times its text.
    this.read.set(key, found, key.length + 4 * (part?.length ?? 0))
    return found
  }
}
