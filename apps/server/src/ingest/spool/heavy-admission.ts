import type { SpoolDisk } from './disk.ts'
import { HEAVY_ORDER, makeOrder } from './order-journal.ts'
import { unavailable } from './unavailable.ts'

/** What the spool's writer knows of heavy records: whether there ever was one, and who may have no more waiting. */
export class HeavyAdmission {
  readonly #directory: string
  readonly #disk: SpoolDisk
  #hasHeavy: boolean
  #begin = (): void => undefined
  #crowded: ReadonlySet<number> = new Set()

  private constructor(directory: string, disk: SpoolDisk, hasHeavy: boolean) {
    this.#directory = directory
    this.#disk = disk
    this.#hasHeavy = hasHeavy
  }

  static async open(directory: string, disk: SpoolDisk): Promise<HeavyAdmission> {
    return new HeavyAdmission(directory, disk, (await disk.list(directory)).includes(HEAVY_ORDER))
  }

  /**
   * Before the first of them is on disk: whoever starts on this folder has to know that there may be some.
   *
   * @throws SpoolUnavailableError
   */
  async note(): Promise<void> {
    if (this.#hasHeavy) return
    try {
      await makeOrder(this.#directory, this.#disk)
    } catch (error) {
      throw unavailable(error instanceof Error ? error : new Error(String(error)))
    }
    if (this.#hasHeavy) return
    this.#hasHeavy = true
    this.#begin()
  }

  /** Calls it as soon as there was one, in this process or one before it. */
  whenHeavy(begin: () => void): void {
    this.#begin = begin
    if (this.#hasHeavy) begin()
  }

  takes(projectId: number): boolean {
    return !this.#crowded.has(projectId)
  }

  crowded(projects: readonly number[]): void {
    this.#crowded = new Set(projects)
  }
}
