/** A list of 32-bit integers that grows. */
export class IntList {
  private items: Int32Array
  private count = 0

  /** @param room for so many before it grows */
  constructor(room = 1024) {
    this.items = new Int32Array(room)
  }

  get length(): number {
    return this.count
  }

  push(value: number): void {
    if (this.count === this.items.length) {
      const larger = new Int32Array(this.count * 2)
      larger.set(this.items)
      this.items = larger
    }
    this.items[this.count++] = value
  }

  /** The last one; 0 of an empty list. */
  last(): number {
    return this.count === 0 ? 0 : (this.items[this.count - 1] ?? 0)
  }

  /** All of them, without a copy: it is the list's own memory. */
  all(): Int32Array {
    return this.items.subarray(0, this.count)
  }
}
