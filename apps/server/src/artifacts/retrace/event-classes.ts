import type { Work } from '../../lib/work.ts'
import type { ClassMapping } from './class-mapping.ts'
import type { NameForm } from './prepared-mapping.ts'
import type { OpenMapping } from './open-mapping.ts'

/**
 * The classes of a mapping for one event, each of which is read once for it. What that takes is counted whether or not the
 * class is held since another event, so that an event ends the same whatever was read before it.
 */
export class EventClasses {
  private readonly mapping: Pick<OpenMapping, 'classOf'>
  private readonly work: Work
  private readonly read = new Map<string, ClassMapping | null>()

  constructor(mapping: Pick<OpenMapping, 'classOf'>, work: Work) {
    this.mapping = mapping
    this.work = work
  }

  /** By its name in the app, e.g. `a.b`; null, too, when the work of the event is spent. */
  obfuscated(name: string): ClassMapping | null {
    return this.classOf(name, 'obfuscated')
  }

  /** By its name as it was written. */
  original(name: string): ClassMapping | null {
    return this.classOf(name, 'original')
  }

  private classOf(name: string, form: NameForm): ClassMapping | null {
    if (this.work.isSpent) return null
    const key = `${form} ${name}`
    const known = this.read.get(key)
    if (known !== undefined) return known
    const { found, steps } = this.mapping.classOf(name, form)
    this.work.spend(steps)
    this.read.set(key, found)
    return found
  }
}
